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
#include "ui/views/views.h"
#include "ui/widgets/frame.h"
#include "ui/widgets/popup.h"

namespace tonescope::ui {

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

struct PresetsState {
    PopupState popup;
    std::string name;       // of the one to be saved
    std::string to_delete;  // waits for a second click
};

/// Everything that lasts from frame to frame, with the frame being drawn.
struct Ui : Frame {
    const Model* model = nullptr;
    bool help_open = false, help_requested = false;
    Views views;
    size_t explained_plot = 0;  // which of the explanation's histograms is shown
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
};

// The panels.
void draw_control_panel(Ui& ui, const Area& area);
void draw_image_list(Ui& ui);
void draw_empty_state(Ui& ui, const Area& area);
void draw_comparison(Ui& ui, const Area& area);
/// Opens it, or closes it and shows the views again.
void toggle_comparison(Ui& ui);
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
