// The parts of the interface, and everything that can be done with them, listed once: command palette, list of
// shortcuts and the handling of keys are made from this table (in commands.cpp).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/benchmark/panel.h"
#include "ui/benchmark/timeline.h"
#include "ui/browser/browser.h"
#include "ui/model/model.h"
#include "ui/panels/panels.h"
#include "ui/source/source_panel.h"
#include "ui/views/views.h"

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
    CommandTable table{*this};
    Area views_area;  // of the last frame
    bool help_open = false, help_requested = false, settings_requested = false;
    bool start_thumbnails_asked = false;
    Views views;
    BenchmarkPanel benchmark;
    SourcePanel source;
    PaletteState palette;
    Browser browser;
    ImageList images;
    ExplanationPanel explanation;
    HistogramPanel histogram;
    TimingsPanel timings;
    Notices notices;
    PresetsPanel presets;
    PartPanel part;
    BatchPanel batch;
    StatusBar status_bar;
    PresentationStrip presentation;

    void param_changed(const ParamPlace& param) {
        views.param_changed(param);
        presentation.param_changed(param);
    }

    Ui() { commands = &table; }
    Ui(const Ui&) = delete;
    bool shows_image() const { return !model->views.before.empty() && !model->benchmark.shown; }
    bool shows_source() const {
        return settings.source_shown && model->run.op != nullptr && (shows_image() || model->benchmark.shown);
    }
};

// Commands -----------------------------------------------------------------------------------------------------------
/// Where the keys of a command work.
enum class Reach : uint8_t {
    views,    // while a view has the keyboard or the mouse was used last, over it; arrows, Tab, Enter and Space only
              // with the keyboard
    window,   // in panels too
    dialogs,  // even while a dialog has the keyboard
    by_keys,  // single keys as `views`, so that panels keep them for their widgets, others as `window`
};

enum class Press : uint8_t {
    once,
    repeats,  // again and again while the key is held
    holds,    // lasts while the key is held: run() is called in each such frame
};

struct Command {
    std::string_view id;     // "open-images"
    std::string_view group;  // heading in the list of shortcuts
    std::string_view title;  // "Save the view..."
    std::string_view keys;   // "Ctrl+R, F5" (see keys.h); empty: only in the palette
    std::function<void(Ui&)> run;
    std::function<bool(const Ui&)> available = nullptr;  // empty: always
    Press press = Press::once;
    Reach reach = Reach::by_keys;
};

/// In the order of the list of shortcuts; groups stay together.
std::span<const Command> commands();
/// The one with this id, which must exist.
const Command& command_of(std::string_view id);

inline bool is_available(const Command& command, const Ui& ui) {
    return command.available == nullptr || command.available(ui);
}

void handle_shortcuts(Ui& ui);
void draw_help(Ui& ui);

// The palette --------------------------------------------------------------------------------------------------------
/// A line of the palette: a command, or a choice that the model offers (an operator, a recent file, ...).
struct PaletteEntry {
    std::string title;
    std::string detail;  // quiet, behind the title
    std::function<void(Ui&)> run;
    bool available = true;
    std::string keys = {};
};
std::vector<PaletteEntry> palette_entries(const Ui& ui);

/// How well `text` fits what was typed: every character of `typed` occurs in order, without regard to case. Negative:
/// it does not; larger is better (beginnings of words, runs of characters).
int fuzzy_score(std::string_view typed, std::string_view text);
void draw_palette(Ui& ui);
void open_palette(Ui& ui);

// Panels -------------------------------------------------------------------------------------------------------------
enum class Place : uint8_t { left, right };

/// What stands in a column beside the views.
struct PanelInfo {
    std::string_view id;  // of its widgets
    Place place;
    std::string_view title;            // as commands name it
    void (*draw)(Ui&);                 // with its part of the model
    bool Settings::*opened = nullptr;  // what opens and closes a part of it; null: it is always whole
};

/// From top to bottom.
std::span<const PanelInfo> panels();

}  // namespace tonescope::ui
