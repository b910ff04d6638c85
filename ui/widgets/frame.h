// The frame of the interface that is being drawn: what every widget and panel needs, and nothing of any panel.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/core/window/sample_window.h"
#include "ui/model/actions.h"
#include "ui/model/run.h"
#include "ui/model/window.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/style.h"

namespace tonescope::ui {

/// A part of the window, pixels.
struct Area {
    float x = 0, y = 0, width = 0, height = 0;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
    ImVec2 min() const { return {x, y}; }
    ImVec2 max() const { return {right(), bottom()}; }
    ImVec2 size() const { return {width, height}; }
    ImVec2 center() const { return {x + width / 2, y + height / 2}; }
    bool contains(ImVec2 p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
    /// Without a margin on each side; with one where `by` is negative.
    Area inset(float by) const { return {x + by, y + by, width - 2 * by, height - 2 * by}; }
};

/// An area by its corners.
inline Area between(ImVec2 min, ImVec2 max) {
    return {min.x, min.y, max.x - min.x, max.y - min.y};
}

/// Its sides are negative where the two lie apart.
Area common_part(const Area& a, const Area& b);

struct Ui;

/// The table of commands as widgets and panels know it: by the commands' ids, which must exist. It is defined with the
/// table in ui/commands/commands.cpp.
class CommandTable {
  public:
    explicit CommandTable(Ui& ui) : ui_(ui) {}
    /// "Read the image again (Ctrl+R, F5)": the title with the keys.
    std::string help(std::string_view id) const;
    /// "Read the image again"
    std::string title(std::string_view id) const;
    /// "Ctrl+R, F5"; empty where the command has no keys.
    std::string_view keys(std::string_view id) const;
    bool available(std::string_view id) const;
    void run(std::string_view id);

  private:
    Ui& ui_;
};

struct SliderState {
    ImGuiID typing = 0;       // slider whose value is being typed
    bool typed_here = false;  // this frame has its field, or will have it in the next one
    bool focus_text = false;  // the text field has just opened
    std::string text;
    ImGuiID pressed = 0;       // slider that the mouse pressed last
    int32_t value_before = 0;  // its value then; a double-click goes back to it
    double position = 0;       // of the drag, 0 to 1, unbounded while the mouse is beyond an end
    uint64_t gesture = 0;      // counts drags and presses of keys, each a step of undo
    bool type_next = false;    // the next parameter drawn is to be typed; of a choice, the next value
    bool dragged = false;      // the newest change belongs to that gesture
    SampleRange range_before;  // of the window that the mouse drags, when it began
};

/// Drawn below a tooltip's text.
struct TooltipPicture {
    ImVec2 size;                                      // pixels
    std::function<void(const Area&)> draw = nullptr;  // empty: there is none
};

/// What the mouse rests on may have more than one thing to say: all of it stands in one tooltip.
struct TooltipState {
    ImGuiID over = 0;  // what the mouse rests on
    double since_s = 0;
    /// Where a button of the mouse was pressed, while that has not moved: what else comes to it was not sought.
    std::optional<ImGuiID> pressed_on;
    std::string text;  // of this frame; empty: nothing has one
    TooltipPicture picture;
};

/// The section that was opened last scrolls into sight.
struct OpenedSection {
    ImGuiID id = 0;                     // of its title
    int frames = 0;                     // in which it still does, until what it shows has its size
    const ImDrawList* drawn = nullptr;  // in this frame: where, until it ends
    float top = 0;                      // there, pixels of the window
};

/// Stages that the mouse rests on, in the times or in the source: each marks them in the other.
struct PointedStages {
    std::string of_timings;              // as of the last frame; empty: none
    std::vector<std::string> of_source;  // likewise
    std::string next_of_timings;         // of this frame
    std::vector<std::string> next_of_source;
    void begin_frame() {
        of_timings = std::exchange(next_of_timings, {});
        of_source = std::exchange(next_of_source, {});
    }
};

struct Frame {
    // Of this frame
    std::vector<Action> actions;
    std::vector<BackgroundFill> background_fills;
    std::vector<Widget> widgets, mouse_places;
    std::string panel;          // that the widgets recorded next belong to
    bool shows_old = false;     // what is drawn is of an earlier result (Dimmed)
    std::string prefix;         // of the labels of widgets that are there several times
    ParamPlace keyboard_param;  // that the keyboard is on; as of the last frame while keys are handled
    double time_s = 0;
    bool animating = false;
    const VariantInfo* source_of = nullptr;     // that was clicked on: the source panel shows this one's
    const VariantInfo* source_shown = nullptr;  // whose source there is; as of the last frame until it is drawn

    // What lasts
    Theme theme;
    Palette colors{};
    Settings settings;
    bool presenting = false;  // for an audience: larger type, the pointer marked, at first no panels
    bool panels_presented = false;
    Keyboard keyboard;
    ImVec2 list_px;  // what the open list takes, as of the last frame
    SliderState slider;
    OpenedSection opened_section;
    TooltipState tooltip;
    PointedStages stages;
    CommandTable* commands = nullptr;

    void present(bool on) {
        presenting = on;
        panels_presented = false;
    }
    /// What is shown and hidden, now or in a presentation.
    bool& panels_shown() { return presenting ? panels_presented : settings.panels_shown; }
    float px(float length) const { return theme.px(length); }
    /// Thickness of a line in pixels, at least one; `length`: at 96 dpi.
    float line(float length) const { return std::max(1.0F, length * theme.scale); }
    template <class A>
    void ask(A action) {
        actions.emplace_back(std::move(action));
    }
    /// " (Ctrl+Z)", as tooltips end with it; empty where the command has no keys.
    std::string keys(std::string_view command) const;
};

/// Of windows that have their place.
inline constexpr ImGuiWindowFlags kFixedFlags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;

BackgroundFill fill_of(const Area& area, ImU32 color);
/// Dear ImGui's window of a part of the layout: fixed, on a ground of this color. Ends with ImGui::End().
void begin_area(Frame& ui, const char* name, const Area& area, ImU32 color, ImGuiWindowFlags flags = 0);
/// Puts a text into the clipboard, and says so.
void copy_text(Frame& ui, const std::string& text, const std::string& notice);

}  // namespace tonescope::ui
