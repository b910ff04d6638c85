// What the panels share: the frame being drawn, and what lasts from frame to frame.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ui/model/model.h"
#include "ui/model/settings.h"
#include "ui/ui.h"
#include "ui/views/view_state.h"
#include "ui/widgets/style.h"

namespace tonescope::ui {

/// A part of the window, pixels.
struct Area {
    float x = 0, y = 0, width = 0, height = 0;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
    ImVec2 min() const { return {x, y}; }
    ImVec2 max() const { return {right(), bottom()}; }
    bool contains(ImVec2 p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
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

/// "How it works": the pixel that is explained.
struct ExplainState {
    std::optional<Pixel> pixel;    // the last one under the mouse, or where keys have moved it
    std::optional<Pixel> pointed;  // the mouse was last seen on
    std::optional<Pixel> kept;
    Explain reported;  // what the last action said
    size_t plot = 0;   // which of the histograms is shown
};

struct HistogramState {
    std::array<bool, kCurves> shown = {true, true, true, true};
    bool stripes = false;  // over clipped pixels
};

struct TimingsState {
    bool paused = false;
    Timings frozen;     // what is shown while paused
    std::string stage;  // whose details are open; empty: none
    const Timings& shown(const Model& model) const { return paused ? frozen : model.timings; }
};

struct BrowserState {
    enum class Mode : uint8_t { closed, open, save, save_view, export_comparison, import_preset, export_preset };
    Mode mode = Mode::closed;
    bool just_opened = false;
    std::string folder;  // whose entries the selection and filter belong to
    std::string path_text;
    std::string filter;
    std::string filter_shown;  // as of the last frame
    bool filter_focused = false;
    bool reset_fields = false;  // the texts have changed from outside
    int field_generation = 0;
    bool activate = false;  // a row was double-clicked
    std::string file_name;
    std::set<std::string> selected;
    int cursor = -1;  // into the visible entries
    int anchor = -1;  // where a range selection starts
    bool scroll_to_cursor = false;
    int sort_column = 0;
    bool descending = false;
    std::vector<std::string> wanted;    // what the last WantThumbnails said
    std::map<std::string, Mode> asked;  // by file name: dialogs that come back where an older file is to stay
    std::string preset;                 // that is exported
    bool opens() const { return mode == Mode::open || mode == Mode::import_preset; }
    bool of_presets() const { return mode == Mode::import_preset || mode == Mode::export_preset; }
};

enum class CompareTab : uint8_t { table, time, throughput, previous, best_previous, cpu };

struct CompareState {
    CompareTab tab = CompareTab::table;
    CompareTab chart = CompareTab::time;  // the one on screen
    bool logarithmic = true;
    bool with_copies = false;  // figures count the copies between host and device too
};

struct PaletteState {
    bool open = false;       // on screen, or about to be
    bool appearing = false;  // its first frame is to come
    std::string typed;
    std::string typed_before;  // as of the last frame
    int cursor = 0;            // into the entries that fit
    bool scroll_to_cursor = false;
};

struct ImageListState {
    int current = -1;                 // as of the last frame
    std::vector<std::string> wanted;  // what the last WantThumbnails said
};

struct NoticeState {
    std::map<uint64_t, double> first_seen_s;
    uint64_t copied = 0;  // the last one whose text was taken; 0: none
};

/// A small dialog over the window.
struct PopupState {
    bool requested = false;
    bool open = false;
};

struct PresetsState {
    PopupState popup;
    std::string name;       // of the one to be saved
    std::string to_delete;  // waits for a second click
};

struct Ui {
    // The frame being drawn
    const Model* model = nullptr;
    std::vector<Action> actions;
    std::vector<BackgroundFill> background_fills;
    std::vector<Widget> widgets;
    std::string panel;
    std::string prefix;         // of the labels of widgets that are there several times
    Area keyboard_item;         // the item that the keyboard is on; empty: none
    ParamPlace keyboard_param;  // the parameter that it belongs to; as of the last frame while keys are handled
    double time_s = 0;
    bool animating = false;

    // What lasts
    Theme theme;
    Settings settings;
    bool presenting = false;  // for an audience: larger type, no panels, the pointer marked
    bool help_open = false, help_requested = false;
    int focus_request = 0;  // area that F6 goes to: 0 views, 1 left, 2 right; -1 none
    int focused_area = 0;
    SliderState slider;
    TooltipState tooltip;
    ViewState view;
    ExplainState explain;
    HistogramState histogram;
    TimingsState timings;
    BrowserState browser;
    ImageListState image_list;
    CompareState compare;
    PaletteState palette;
    NoticeState notices;
    PopupState settings_popup;
    PopupState zoom_menu;
    PresetsState presets;
    bool start_page_shown = false;

    bool panels_shown() const { return settings.panels_shown && !presenting; }
    float px(float length) const { return theme.px(length); }
    template <class A>
    void ask(A action) {
        actions.emplace_back(std::move(action));
    }
};

/// Of windows that have their place.
inline constexpr ImGuiWindowFlags kFixedFlags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

/// Dear ImGui's window of a part of the layout: fixed, on a ground of this colour. Ends with ImGui::End().
void begin_area(Ui& ui, const char* name, const Area& area, ImU32 color, ImGuiWindowFlags flags = 0);

// The panels.
void draw_control_panel(Ui& ui, const Area& area);
void draw_image_list(Ui& ui);
void draw_views(Ui& ui, const Area& area);
void choose_view_mode(Ui& ui, ViewMode mode);
/// Wipe, flicker and difference lay the result over the image, so both need the same sides; the grid needs a parameter.
bool can_show(const Model& model, ViewMode mode);
/// The visible part becomes the selected rectangle.
void select_visible(Ui& ui);
/// Parameters of operator and variant that matter with what is set.
std::vector<ParamPlace> active_params(const Model& model);
int32_t value_of(const Model& model, const ParamPlace& param);
/// Shows values of this parameter beside each other.
void show_grid(Ui& ui, const ParamPlace& param);
/// New values around the one that is set.
void spread_grid(Ui& ui);
void toggle_grid_image(Ui& ui);
/// The value of a pane, the first one is 0, becomes the one that is set.
void use_grid_pane(Ui& ui, int pane);
bool can_use_grid_pane(const Ui& ui, int pane);
/// The result on screen becomes what is compared against, or the image again.
void toggle_reference(Ui& ui);
bool can_toggle_reference(const Model& model);
/// The operator has something to explain.
bool can_explain(const Model& model);
/// "How it works" is on, and there is something.
bool explains(const Ui& ui);
void toggle_explains(Ui& ui);
/// Holds on to the explained pixel, or lets it go.
void toggle_kept(Ui& ui);
void move_explained(Ui& ui, int dx, int dy);
/// Turns the wipe's line by 45 degrees.
void turn_wipe(Ui& ui);
/// Moves the line across itself, by 2 % of the pane a step; negative: to the left or up.
void move_wipe(Ui& ui, int steps);
/// The flicker's interval or the difference's gain by half a step of two, the grid's panes by one.
void step_option(Ui& ui, int by);
void draw_empty_state(Ui& ui, const Area& area);
void draw_comparison(Ui& ui, const Area& area);
/// A parameter differs from its default.
bool can_reset(const Model& model);
/// Opens it, or closes it and shows the views again.
void toggle_comparison(Ui& ui);
/// Something has been running for longer than passes without a flash of text.
bool long_work(const Model& model);
/// What runs, in the right part of a strip that busy_width() tells.
void draw_busy(Ui& ui, const Area& strip);
float busy_width(const Ui& ui, const Area& strip);
void draw_result_panel(Ui& ui, const Area& area);
/// At the top of the right panel; as a card over the views where that panel is not shown.
void draw_explanation(Ui& ui);
void draw_explanation_card(Ui& ui, const Area& views);
void draw_histograms(Ui& ui);
/// What statistics and stripes are of: luma, or the one channel that is shown alone.
Curve measured_curve(const Ui& ui);
void draw_timings(Ui& ui);
/// The parts of the frames, below the stages.
void draw_frame_times(Ui& ui);
/// What is shown stands still, or goes on. The measuring goes on.
void pause_timings(Ui& ui);
void copy_timings(Ui& ui);
/// Opens the details of the next stage; after the last one closes them.
void next_stage_details(Ui& ui);
/// Into the clipboard, and says so.
void copy_text(Ui& ui, const std::string& text, const std::string& notice);
void draw_kernels(Ui& ui);
void draw_details(Ui& ui);
void draw_status_bar(Ui& ui, const Area& area);
/// Above the figure in the status bar.
void draw_zoom_menu(Ui& ui, const Area& figure);
void draw_notices(Ui& ui, const Area& views);
void draw_help(Ui& ui);
void draw_settings(Ui& ui);
void draw_presets(Ui& ui);
void open_presets(Ui& ui);
/// By one step of the scales on offer.
void step_scale(Ui& ui, int by);
void draw_start_page(Ui& ui, const Area& area);
void draw_palette(Ui& ui);
void open_palette(Ui& ui);
void draw_browser(Ui& ui);
void draw_replace_question(Ui& ui);
void open_browser(Ui& ui, BrowserState::Mode mode);
void export_preset(Ui& ui, const std::string& name);
void handle_shortcuts(Ui& ui);

}  // namespace tonescope::ui
