// The frame of the interface that is being drawn: what every widget and panel needs, and nothing of any panel.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/model/actions.h"
#include "ui/model/background_fill.h"
#include "ui/model/run.h"
#include "ui/model/settings.h"
#include "ui/model/widget.h"
#include "ui/widgets/area.h"
#include "ui/widgets/style.h"

namespace tonescope::ui {

/// The table of commands as widgets and panels know it: by the commands' ids, which must exist.
class CommandAccess {
  public:
    virtual ~CommandAccess() = default;
    /// "Read the image again".
    virtual std::string_view title(std::string_view id) const = 0;
    /// "Ctrl+R, F5"; empty where the command has no keys.
    virtual std::string_view keys(std::string_view id) const = 0;
    virtual bool available(std::string_view id) const = 0;
    virtual void run(std::string_view id) = 0;
};

struct SliderState {
    ImGuiID typing = 0;       // slider whose value is being typed
    bool focus_text = false;  // the text field has just opened
    std::string text;
    ImGuiID pressed = 0;       // slider that the mouse pressed last
    int32_t value_before = 0;  // its value then; a double-click goes back to it
    double position = 0;       // of the drag, 0 to 1, unbounded while the mouse is beyond an end
    uint64_t gesture = 0;      // counts drags
    bool type_next = false;    // the next parameter drawn is to be typed; of a choice, the next value
    bool dragged = false;      // the newest change belongs to that drag
};

struct TooltipState {
    ImGuiID over = 0;  // what the mouse rests on
    double since_s = 0;
    bool seen = false;  // in this frame
};

struct Frame {
    // Of this frame
    std::vector<Action> actions;
    std::vector<BackgroundFill> background_fills;
    std::vector<Widget> widgets;
    std::string panel;          // that the widgets recorded next belong to
    std::string prefix;         // of the labels of widgets that are there several times
    Area keyboard_item;         // the item that the keyboard is on; empty: none
    ParamPlace keyboard_param;  // the parameter that it belongs to; as of the last frame while keys are handled
    double time_s = 0;
    bool animating = false;

    // What lasts
    Theme theme;
    Palette colors{};
    Settings settings;
    bool presenting = false;  // for an audience: larger type, the pointer marked, at first no panels
    bool panels_presented = false;
    int focus_request = 0;  // area that F6 goes to: 0 views, 1 left, 2 right; -1 none
    int focused_area = 0;
    SliderState slider;
    TooltipState tooltip;
    CommandAccess* commands = nullptr;

    void present(bool on) {
        presenting = on;
        panels_presented = false;
    }
    /// What is shown and hidden, now or in a presentation.
    bool& panels_shown() { return presenting ? panels_presented : settings.panels_shown; }
    float px(float length) const { return theme.px(length); }
    template <class A>
    void ask(A action) {
        actions.emplace_back(std::move(action));
    }
    /// " (Ctrl+Z)", as tooltips end with it; empty where the command has no keys.
    std::string keys(std::string_view command) const;
    /// "Undo (Ctrl+Z)": the title with the keys.
    std::string command_help(std::string_view command) const;
};

/// Of windows that have their place.
inline constexpr ImGuiWindowFlags kFixedFlags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

BackgroundFill fill_of(const Area& area, ImU32 color);
/// Dear ImGui's window of a part of the layout: fixed, on a ground of this colour. Ends with ImGui::End().
void begin_area(Frame& ui, const char* name, const Area& area, ImU32 color, ImGuiWindowFlags flags = 0);
/// Puts a text into the clipboard, and says so.
void copy_text(Frame& ui, const std::string& text, const std::string& notice);

}  // namespace tonescope::ui
