// The parts of the interface, as its root and commands know them.
#pragma once

#include <string>

#include "ui/benchmark/panel.h"
#include "ui/browser/browser.h"
#include "ui/model/model.h"
#include "ui/panels/explanation/explanation_panel.h"
#include "ui/panels/histogram/histogram_panel.h"
#include "ui/panels/image_list.h"
#include "ui/panels/notices.h"
#include "ui/panels/presets_panel.h"
#include "ui/panels/settings_panel.h"
#include "ui/panels/start_page.h"
#include "ui/panels/status_bar.h"
#include "ui/panels/timings/timings_panel.h"
#include "ui/views/views.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

struct PaletteState {
    bool open = false;       // on screen, or about to be
    bool appearing = false;  // its first frame is to come
    std::string typed;
    std::string typed_before;  // as of the last frame
    int cursor = 0;            // into the entries that fit
    bool scroll_to_cursor = false;
};

/// What the interface's root owns: the frame being drawn, and parts that do not know one another. Commands act on it,
/// and the table of panels brings each part together with its model.
struct Ui : Frame {
    const Model* model = nullptr;
    bool help_open = false, help_requested = false;
    Views views;
    BenchmarkPanel benchmark;
    PaletteState palette;
    Browser browser;
    ImageList images;
    ExplanationPanel explanation;
    HistogramPanel histogram;
    TimingsPanel timings;
    Notices notices;
    PresetsPanel presets;
    SettingsPanel settings_panel;
    StartPage start_page;
    StatusBar status_bar;

    BrowserFiles browser_files() const {
        return {model->browser, model->saving, model->benchmark.suggested_path, model->views.after.spec.has_alpha};
    }
    void open_browser(Browser::Mode mode) { browser.open(*this, browser_files(), mode); }
};

void draw_help(Ui& ui);
void draw_palette(Ui& ui);
void open_palette(Ui& ui);
void handle_shortcuts(Ui& ui);

}  // namespace tonescope::ui
