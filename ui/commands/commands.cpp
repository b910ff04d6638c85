// The table of commands. A new command is one entry here: the palette, the list of shortcuts and the keyboard follow.
#include "ui/commands/commands.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gpu/core/code/code.h"
#include "gpu/ops/no_data_param.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

constexpr auto has_image = [](const Ui& ui) { return ui.model->images.current >= 0; };
constexpr auto has_result = [](const Ui& ui) { return !ui.model->views.after.empty(); };
constexpr auto shows_image = [](const Ui& ui) { return ui.shows_image(); };
constexpr auto has_operator = [](const Ui& ui) { return ui.model->run.op != nullptr; };
constexpr auto has_notice = [](const Ui& ui) { return !ui.model->notices.empty(); };
constexpr auto shows_views = [](const Ui& ui) { return !ui.model->benchmark.shown; };
constexpr auto shows_benchmark = [](const Ui& ui) { return ui.model->benchmark.shown; };

template <class A>
void ask(Ui& ui) {
    ui.ask(A{});
}
template <Browser::Mode mode>
void browse(Ui& ui) {
    ui.browser.open(ui, *ui.model, mode);
}

template <int factor>
void zoom_to(Ui& ui) {
    ui.views.state.view.fit = false;
    ui.views.state.view.zoom = factor;
}

template <bool HistogramAppearance::*option>
void toggle_look(Ui& ui) {
    ui.settings.histogram.*option = !(ui.settings.histogram.*option);
}

void toggle_theme(Ui& ui) {
    ui.settings.theme = ui.settings.theme == ThemeKind::dark ? ThemeKind::light : ThemeKind::dark;
}

template <RangeChoice choice>
void show_range(Ui& ui) {
    choose_range(ui, ui.model->views, ui.model->histogram, choice);
}

void dismiss_all(Ui& ui) {
    for (const Notice& notice : ui.model->notices) ui.ask(DismissNotice{notice.id});
}

void reset_param(Ui& ui) {
    const ParamPlace& param = ui.keyboard_param;
    ui.ask(SetParam{param.info, param.of_variant, param.info->default_value});
}
bool can_reset_param(const Ui& ui) {
    const ParamPlace& param = ui.keyboard_param;
    return param.info != nullptr && value_of(ui.model->run, param) != param.info->default_value;
}

template <int by>
bool has_page(const Ui& ui) {
    const ImageEntry* image = ui.model->images.shown();
    return shows_views(ui) && image != nullptr && image->page + by >= 0 && image->page + by < image->pages;
}
template <int by>
void step_page(Ui& ui) {
    ui.ask(ShowPage{ui.model->images.shown()->page + by});
}

/// Null where no time axis is shown.
TimeAxis* time_axis(const Ui& ui) {
    return ui.model->benchmark.shown ? ui.benchmark.time_axis(ui.model->benchmark) : nullptr;
}
bool has_axis_or_image(const Ui& ui) {
    return ui.shows_image() || time_axis(ui) != nullptr;
}

void fit(Ui& ui) {
    if (TimeAxis* const axis = time_axis(ui))
        axis->view.fit();
    else
        ui.views.state.view.fit = true;
}

/// `half_steps`: of which two double the zoom.
template <int half_steps>
void zoom_by(Ui& ui) {
    const double factor = std::pow(2.0, half_steps / 2.0);
    if (TimeAxis* const axis = time_axis(ui))
        axis->view.zoom(axis->timeline, factor, 0.5);
    else
        zoom_at(ui.views.state.view, factor, 0, 0);
}

/// The view goes this way: the image goes the other.
template <int dx, int dy>
void pan_by(Ui& ui) {
    constexpr double kShare = 0.125;
    if (TimeAxis* const axis = time_axis(ui)) {
        axis->view.move(axis->timeline, -dx * kShare);
        return;
    }
    ViewState& state = ui.views.state;
    pan(state.view, -dx * kShare * state.pane.width, -dy * kShare * state.pane.height);
}

bool has_selection(const Ui& ui) {
    return shows_image(ui) && (ui.views.state.selection.armed || ui.views.state.selection.rect.width > 0);
}

void pick_no_data(Ui& ui) {
    ui.views.state.picks_no_data = !ui.views.state.picks_no_data;
    ui.keyboard.go_home();
}
void leave_out_middle(Ui& ui) {
    ui.ask(PickNoData{ui.views.state.middle()});
}
bool can_pick_no_data(const Ui& ui) {
    return shows_image(ui) && ui.model->run.op != nullptr && find_param(ui.model->run.op->params, kNoDataId) != nullptr;
}

bool can_filter_selection(const Ui& ui) {
    return shows_image(ui) && ui.views.state.selection.rect.width > 0;
}
void set_part(Ui& ui, auto change) {
    ResultPart part = ui.model->run.part;
    change(part);
    ui.ask(SetPart{part});
}
/// The region's outline takes the selection's place.
void filter_selection(Ui& ui) {
    set_part(ui, [&](ResultPart& part) { part.region = ui.views.state.selection.rect; });
    ui.views.state.selection = {};
}
bool has_region(const Ui& ui) {
    return ui.model->run.part.has_region();
}
void filter_everywhere(Ui& ui) {
    set_part(ui, [](ResultPart& part) {
        part.region = {};
        part.feather_px = 0;
    });
}
bool has_mask(const Ui& ui) {
    return ui.model->run.part.mask != nullptr;
}
bool names_mask(const Ui& ui) {
    return !ui.model->run.part.mask_path.empty();  // which may not have been read
}
void leave_mask(Ui& ui) {
    set_part(ui, [](ResultPart& part) {
        part.mask = nullptr;
        part.mask_path.clear();
        part.mask_inverse = false;
    });
}
void invert_mask(Ui& ui) {
    set_part(ui, [](ResultPart& part) { part.mask_inverse = !part.mask_inverse; });
}

bool can_pin(const Ui& ui) {
    const ViewsModel& views = ui.model->views;
    return shows_image(ui) &&
           (views.basis != Basis::image || (!views.after.empty() && !views.after_is_stale && views.is_linked()));
}

void toggle_pin(Ui& ui) {
    if (ui.model->views.basis == Basis::image)
        ui.ask(PinResult{});
    else
        ui.ask(CompareWithImage{});
}

void toggle_explains(Ui& ui) {
    ui.settings.explains = !ui.settings.explains;
    ui.views.state.explained.kept.reset();
}
constexpr auto shows_explicable = [](const Ui& ui) { return shows_image(ui) && can_explain(ui.model->run); };
constexpr auto shows_explanation = [](const Ui& ui) { return shows_image(ui) && explains(ui, ui.model->run); };
template <int dx, int dy>
void move_pixel(Ui& ui) {
    ui.views.state.explained.move(dx, dy, ui.model->views.before.spec);
}

void toggle_histogram_area(Ui& ui) {
    HistogramArea& area = ui.settings.histogram.area;
    area = area == HistogramArea::image ? HistogramArea::visible : HistogramArea::image;
    ui.views.state.selection = {};
}

void toggle_benchmark(Ui& ui) {
    ui.ask(ShowBenchmark{!ui.model->benchmark.shown});
    ui.keyboard.go_home();
}

bool can_go_back(const Ui& ui) {
    return shows_benchmark(ui) || ui.views.state.explained.kept || ui.views.state.picks_no_data || has_selection(ui) ||
           ui.model->work.is_long() || ui.presenting;
}
void go_back(Ui& ui) {
    if (ui.model->benchmark.shown && ui.model->benchmark.is_measuring())
        ui.ask(StopBenchmark{});
    else if (ui.model->benchmark.shown)
        ui.ask(ShowBenchmark{false});
    else if (ui.views.state.picks_no_data)
        ui.views.state.picks_no_data = false;
    else if (ui.views.state.explained.kept)
        ui.views.state.explained.kept.reset();
    else if (has_selection(ui))
        ui.views.state.selection = {};
    else if (ui.model->work.is_long())
        ui.ask(CancelWork{});
    else
        ui.present(false);
}

bool shows_source(const Ui& ui) {
    return ui.shows_source();
}
constexpr auto has_found = [](const Ui& ui) { return shows_source(ui) && ui.source.has_found(); };
constexpr auto has_differences = [](const Ui& ui) { return shows_source(ui) && ui.source.has_differences(); };
bool takes_copy(const Ui& ui) {
    return shows_source(ui) && ui.source.has_keyboard() && ui.source.has_selection();
}
void copy_selected(Ui& ui) {
    const std::string text = ui.source.selected_text();
    const auto lines = std::ranges::count(text, '\n');
    copy_text(ui, text, lines > 0 ? "Copied " + std::to_string(lines) + " lines of source" : "Copied: " + text);
}
/// The operator and its parameters as a program.
template <CodeTarget target>
void copy_code(Ui& ui) {
    const RunModel& run = ui.model->run;
    copy_text(ui, program_for(*run.op, target, run.params, run.part),
              "Copied code: " + std::string(run.op->name) + ", " + std::string(kCodeTargets[size_t(target)].name));
}
template <CodeTarget target>
bool has_code(const Ui& ui) {
    return ui.model->run.op != nullptr && tonescope::has_code(*ui.model->run.op, target, ui.model->run.params);
}
void copy_result(Ui& ui) {
    if (takes_copy(ui))
        copy_selected(ui);
    else
        ui.ask(CopyResult{});
}

constexpr auto has_timings = [](const Ui& ui) { return !ui.timings.shown(ui.model->timings).stages.empty(); };

constexpr auto has_steps = [](const Ui& ui) { return shows_image(ui) && ui.views.shown().has_steps(); };
template <int by>
void step_mode(Ui& ui) {
    ui.views.shown().step(ui, by);
}

/// Without those of the view modes.
const Command kCommands[] = {
    {"open", "Files", "Open images or a session...", "Ctrl+O", browse<Browser::Mode::open>},
    {"save", "Files", "Save the result...", "Ctrl+S", browse<Browser::Mode::save>, has_result},
    {"save-view", "Files", "Save the view...", "Ctrl+Shift+S", browse<Browser::Mode::save_view>, shows_image},
    {"save-session", "Files", "Save the session...", "Ctrl+Alt+S", browse<Browser::Mode::save_session>, has_image},
    {"reload", "Files", "Read the image again", "Ctrl+R, F5", ask<ReloadImage>, has_image},
    {"copy-path", "Files", "Copy the path of the image", "",
     [](Ui& ui) {
         const std::string& path = ui.model->images.shown()->path;
         copy_text(ui, path, "Copied " + path);
     },
     has_image},
    {"previous", "Files", "Previous image", "Up", [](Ui& ui) { ui.ask(StepImage{-1}); }, shows_views, Press::repeats},
    {"next", "Files", "Next image", "Down", [](Ui& ui) { ui.ask(StepImage{+1}); }, shows_views, Press::repeats},
    {"close", "Files", "Close the image", "Ctrl+W", [](Ui& ui) { ui.ask(CloseImage{ui.model->images.current}); },
     has_image},
    {"forget-recent", "Files", "Forget the recent files", "", ask<ForgetRecent>,
     [](const Ui& ui) { return !ui.model->start_page.recent.empty(); }},
    {"batch", "Files", "Batch...", "Ctrl+B", [](Ui& ui) { ui.batch.open(ui, *ui.model); }, has_operator},
    {"pause-batch", "Files", "Pause the batch, or go on", "",
     [](Ui& ui) { ui.ask(PauseBatch{ui.model->batch.state == BatchModel::State::running}); },
     [](const Ui& ui) { return ui.model->batch.is_under_way(); }},
    {"stop-batch", "Files", "Stop the batch", "", ask<StopBatch>,
     [](const Ui& ui) { return ui.model->batch.is_busy(); }},
    {"quit", "Files", "Quit", "Ctrl+Q", ask<Quit>},

    {"undo", "Edit", "Undo", "Ctrl+Z", ask<Undo>, [](const Ui& ui) { return ui.model->run.can_undo; }, Press::repeats},
    {"redo", "Edit", "Redo", "Ctrl+Shift+Z, Ctrl+Y", ask<Redo>, [](const Ui& ui) { return ui.model->run.can_redo; },
     Press::repeats},
    {"reset", "Edit", "Reset the parameters", "", ask<ResetParams>,
     [](const Ui& ui) { return can_reset(ui.model->run); }},
    {"filter-selection", "Edit", "Region: filter the selected rectangle alone", "Alt+S", filter_selection,
     can_filter_selection},
    {"filter-everywhere", "Edit", "Region: filter the whole image", "", filter_everywhere, has_region},
    {"mask", "Edit", "Mask: filter where an image is white...", "", browse<Browser::Mode::mask>, shows_image},
    {"mask-inverse", "Edit", "Mask: white for black and black for white", "", invert_mask, has_mask},
    {"no-mask", "Edit", "Mask: none", "", leave_mask, names_mask},
    {"pick-no-data", "Edit", "No data: pick the value in the image that is left out", "", pick_no_data,
     can_pick_no_data},
    {"no-data-in-the-middle", "Edit", "No data: leave out the value in the middle of the view", "", leave_out_middle,
     can_pick_no_data},
    {"reset-parameter", "Edit", "Reset the focused parameter", "Delete", reset_param, can_reset_param, Press::once,
     Reach::window},
    {"suggestions", "Edit", "Suggestions: marks on the sliders or none", "Ctrl+M",
     [](Ui& ui) { ui.settings.suggestions_shown = !ui.settings.suggestions_shown; }, has_operator},
    {"flat-suggestions", "Edit", "Suggestions: also where their curve is flat, or not", "",
     [](Ui& ui) { ui.settings.flat_suggestions = !ui.settings.flat_suggestions; },
     [](const Ui& ui) { return has_operator(ui) && ui.settings.suggestions_shown; }},

    {"presets", "Edit", "Presets...", "Ctrl+P", [](Ui& ui) { ui.presets.open(); }, has_operator},
    {"import-preset", "Edit", "Import a preset...", "", browse<Browser::Mode::import_preset>},
    {"copy", "Edit", "Copy the result, or the source that is selected", "Ctrl+C", copy_result,
     [](const Ui& ui) { return has_result(ui) || takes_copy(ui); }},
    {"paste", "Edit", "Paste an image", "Ctrl+V", ask<PasteImage>},
    {"copy-command", "Edit", "Copy the command line of this result", "Ctrl+Shift+C",
     [](Ui& ui) { copy_text(ui, ui.model->run.command_line, "Copied: " + ui.model->run.command_line); },
     [](const Ui& ui) { return !ui.model->run.command_line.empty(); }},
    {"copy-opencv-python", "Edit", "Copy as code: OpenCV in Python", "", copy_code<CodeTarget::opencv_python>,
     has_code<CodeTarget::opencv_python>},
    {"copy-opencv-cpp", "Edit", "Copy as code: OpenCV in C++", "", copy_code<CodeTarget::opencv_cpp>,
     has_code<CodeTarget::opencv_cpp>},
    {"copy-scikit-image", "Edit", "Copy as code: scikit-image", "", copy_code<CodeTarget::scikit_image>,
     has_code<CodeTarget::scikit_image>},
    {"copy-kornia", "Edit", "Copy as code: kornia", "", copy_code<CodeTarget::kornia>, has_code<CodeTarget::kornia>},
    {"copy-imagej", "Edit", "Copy as code: ImageJ macro", "", copy_code<CodeTarget::imagej>,
     has_code<CodeTarget::imagej>},
    {"copy-matlab", "Edit", "Copy as code: MATLAB", "", copy_code<CodeTarget::matlab>, has_code<CodeTarget::matlab>},
    {"copy-notice", "Edit", "Copy the newest message", "",
     [](Ui& ui) { ImGui::SetClipboardText(ui.model->notices.back().text.c_str()); }, has_notice},
    {"dismiss", "Edit", "Dismiss all messages", "", dismiss_all, has_notice},

    {"fit", "View", "Fit the image, or the run on the time axis", "F", fit,
     [](const Ui& ui) { return shows_views(ui) || time_axis(ui) != nullptr; }},
    {"actual-size", "View", "One screen pixel per image pixel", "Ctrl+0", zoom_to<1>},
    {"zoom-200", "View", "Zoom to 200 %", "", zoom_to<2>, shows_image},
    {"zoom-400", "View", "Zoom to 400 %", "", zoom_to<4>, shows_image},
    {"zoom-800", "View", "Zoom to 800 %", "", zoom_to<8>, shows_image},
    {"zoom-menu", "View", "Zoom: choose from a list", "Z", [](Ui& ui) { ui.status_bar.open_zoom_menu(); }, shows_image},
    {"zoom-in", "View", "Zoom in", "+, =", zoom_by<1>, has_axis_or_image},
    {"zoom-out", "View", "Zoom out", "-", zoom_by<-1>, has_axis_or_image},
    {"pan-left", "View", "Move the view to the left", "Alt+Left", pan_by<-1, 0>, has_axis_or_image, Press::repeats},
    {"pan-right", "View", "Move the view to the right", "Alt+Right", pan_by<1, 0>, has_axis_or_image, Press::repeats},
    {"pan-up", "View", "Move the view up", "Alt+Up", pan_by<0, -1>, shows_image, Press::repeats},
    {"pan-down", "View", "Move the view down", "Alt+Down", pan_by<0, 1>, shows_image, Press::repeats},
    {"original", "View", "Show the original", "B, \\", [](Ui& ui) { ui.views.state.show_original = true; }, shows_views,
     Press::holds},
    {"loupe", "View", "Loupe under the mouse, or in the middle; the wheel changes it", "L",
     [](Ui& ui) { ui.views.state.loupe = true; }, shows_image, Press::holds},
    {"previous-page", "View", "Previous page", "Page up", step_page<-1>, has_page<-1>, Press::repeats},
    {"next-page", "View", "Next page", "Page down", step_page<+1>, has_page<+1>, Press::repeats},

    {"explain", "Explain", "Explain the pixel under the mouse", "E", toggle_explains, shows_explicable},
    {"keep-explained", "Explain", "Keep or release what is explained", "Enter",
     [](Ui& ui) { ui.views.state.explained.toggle_kept(); }, shows_explanation},
    {"explain-left", "Explain", "Explain the pixel at the left", "Shift+Left", move_pixel<-1, 0>, shows_explanation,
     Press::repeats},
    {"explain-right", "Explain", "Explain the pixel at the right", "Shift+Right", move_pixel<1, 0>, shows_explanation,
     Press::repeats},
    {"explain-up", "Explain", "Explain the pixel above", "Shift+Up", move_pixel<0, -1>, shows_explanation,
     Press::repeats},
    {"explain-down", "Explain", "Explain the pixel below", "Shift+Down", move_pixel<0, 1>, shows_explanation,
     Press::repeats},

    {"pin", "Compare", "Pin this result, or compare with the image again", "P", toggle_pin, can_pin},
    {"reference", "Compare", "Compare with another file (reference)...", "Ctrl+Shift+O",
     browse<Browser::Mode::reference>, shows_image},
    {"less", "Compare", "Less gain, shorter interval, fewer panes", "[", step_mode<-1>, has_steps},
    {"more", "Compare", "More gain, longer interval, more panes", "]", step_mode<1>, has_steps},

    {"compare", "Measure", "Compare the variants", "K", toggle_benchmark,
     [](const Ui& ui) { return ui.model->benchmark.shown || !ui.model->views.before.empty(); }},
    {"back", "Measure", "Back: close, release what is kept, or cancel", "Esc", go_back, can_go_back},
    {"histogram-scale", "Measure", "Histograms: linear or logarithmic", "",
     toggle_look<&HistogramAppearance::logarithmic>, has_image},
    {"histogram-overlay", "Measure", "Histograms: before and after in one plot, or apart", "H",
     toggle_look<&HistogramAppearance::overlaid>, has_image},
    {"histogram-cumulative", "Measure", "Histograms: cumulative or not", "",
     toggle_look<&HistogramAppearance::cumulative>, has_image},
    {"histogram-fine", "Measure", "Histograms: 256 or 1024 bins", "", toggle_look<&HistogramAppearance::fine>,
     has_image},
    {"histogram-zoom", "Measure", "Histograms: samples around the windows, or all", "",
     [](Ui& ui) { ui.histogram.toggle_zoom(ui.model->views); }, shows_image},
    {"histogram-area", "Measure", "Histograms: of the image or of its visible part", "V", toggle_histogram_area,
     has_image},
    {"select", "Measure", "Select a rectangle for the histograms (or Shift+drag)", "S",
     [](Ui& ui) { ui.views.state.selection.armed = !ui.views.state.selection.armed; }, shows_image},
    {"select-visible", "Measure", "Select the visible part for the histograms", "",
     [](Ui& ui) { ui.views.state.selection = {ui.views.view().visible}; }, shows_image},
    {"window-full", "Measure", "Window: full range, not inverse", "Shift+W", show_range<RangeChoice::full>,
     shows_image},
    {"window-auto", "Measure", "Window: automatic (right-drag: by hand)", "W", show_range<RangeChoice::automatic>,
     shows_image},
    {"window-used", "Measure", "Window: from the least to the greatest sample", "", show_range<RangeChoice::used>,
     shows_image},
    {"window-inverse", "Measure", "Window: inverse or normal", "N", [](Ui& ui) { toggle_inverse(ui, ui.model->views); },
     shows_image},
    {"window-link", "Measure", "Window: before and after linked, or apart", "",
     [](Ui& ui) { link_windows(ui, ui.model->views, !ui.model->views.windows.linked); }, shows_image},
    {"clipping", "Measure", "Stripes over clipped pixels", "C",
     [](Ui& ui) { ui.views.state.clipping.shown = !ui.views.state.clipping.shown; }, shows_image},
    {"clipping-new", "Measure", "Stripes over all clipped pixels, or over newly clipped ones alone", "",
     toggle_look<&HistogramAppearance::only_new_clipping>, shows_image},
    {"pause-timings", "Measure", "Timings: pause or resume", "Ctrl+T",
     [](Ui& ui) { ui.timings.pause(ui.model->timings); }, has_timings},
    {"copy-timings", "Measure", "Timings: copy as text", "Ctrl+Shift+T",
     [](Ui& ui) { copy_text(ui, timings_text(ui.timings.shown(ui.model->timings)), "Copied the timings"); },
     has_timings},
    {"stage-details", "Measure", "Timings: details of the next stage", "",
     [](Ui& ui) { ui.timings.open_next_stage(ui.model->timings); }, has_timings},
    {"reset-timings", "Measure", "Timings: reset", "", ask<ResetTimings>, has_timings},
    {"run-comparison", "Measure", "Variants: compare again", "", ask<RunBenchmark>, shows_benchmark},
    {"stop-comparison", "Measure", "Variants: stop comparing", "", ask<StopBenchmark>,
     [](const Ui& ui) { return ui.model->benchmark.is_measuring(); }},
    {"export-comparison", "Measure", "Variants: export the comparison...", "", browse<Browser::Mode::export_benchmark>,
     shows_benchmark},
    {"cancel", "Measure", "Cancel what is running", "", ask<CancelWork>,
     [](const Ui& ui) { return ui.model->work.busy; }},

    {"source", "Source", "Show or hide the source of the variant", "Ctrl+U",
     [](Ui& ui) {
         ui.settings.source_shown = !ui.settings.source_shown;
         ui.views.fit_mode();
         ui.keyboard.go_home();
     },
     [](const Ui& ui) { return shows_source(ui) || ui.shows_image() || shows_benchmark(ui); }},
    {"find-source", "Source", "Find in the source", "Ctrl+F", [](Ui& ui) { ui.source.start_search(); }, shows_source},
    {"next-found", "Source", "Next hit", "F3", [](Ui& ui) { ui.source.go_to_found(+1); }, has_found},
    {"previous-found", "Source", "Previous hit", "Shift+F3", [](Ui& ui) { ui.source.go_to_found(-1); }, has_found},
    {"next-difference", "Source", "Next difference", "F8", [](Ui& ui) { ui.source.go_to_difference(+1); },
     has_differences},
    {"previous-difference", "Source", "Previous difference", "Shift+F8", [](Ui& ui) { ui.source.go_to_difference(-1); },
     has_differences},
    {"select-source", "Source", "Select all of the source", "Ctrl+A", [](Ui& ui) { ui.source.select_all(); },
     [](const Ui& ui) { return shows_source(ui) && ui.source.has_keyboard(); }},
    {"copy-source", "Source", "Copy what is selected in the source", "", copy_selected,
     [](const Ui& ui) { return shows_source(ui) && ui.source.has_selection(); }},

    {"palette", "Window", "Commands...", "Ctrl+Shift+P", open_palette},
    {"panels", "Window", "Show or hide the panels", "Tab", [](Ui& ui) { ui.panels_shown() = !ui.panels_shown(); }},
    {"presentation", "Window", "Presentation: larger type, no panels", "F9",
     [](Ui& ui) { ui.present(!ui.presenting); }},
    {"tune", "Window", "Presentation: bring up the next slider", "T",
     [](Ui& ui) { ui.presentation.show_next(ui.model->run); },
     [](const Ui& ui) { return ui.presenting && shows_image(ui); }},
    {"theme", "Window", "Dark or light theme", "", toggle_theme},
    {"larger", "Window", "Larger interface", "Ctrl+Shift+Up", [](Ui& ui) { step_scale(ui, +1); }},
    {"smaller", "Window", "Smaller interface", "Ctrl+Shift+Down", [](Ui& ui) { step_scale(ui, -1); }},
    {"settings", "Window", "Settings...", "F10", [](Ui& ui) { ui.settings_requested = true; }},
    {"full-screen", "Window", "Full screen", "F11", ask<ToggleFullScreen>, nullptr, Press::once, Reach::dialogs},
    {"next-area", "Window", "Keyboard: next area (view, left panel, bar, source, right panel, status)", "F6",
     [](Ui& ui) { ui.keyboard.next_area(+1); }},
    {"previous-area", "Window", "Keyboard: previous area", "Shift+F6", [](Ui& ui) { ui.keyboard.next_area(-1); }},
    {"shortcuts", "Window", "Shortcuts", "?, F1", [](Ui& ui) { ui.help_requested = true; }, nullptr, Press::once,
     Reach::window},
};

/// Those that choose a view mode.
std::vector<Command> mode_choices() {
    std::vector<Command> choices;
    for (size_t k = 0; k < view_modes().size(); ++k) {
        const ViewModeInfo& mode = view_modes()[k];
        choices.push_back({mode.id, "Compare", mode.title, mode.keys, [k](Ui& ui) { ui.views.choose_mode(ui, k); },
                           [&mode](const Ui& ui) { return shows_image(ui) && mode.can_show(*ui.model); }});
    }
    return choices;
}

/// What can be done while a mode is shown.
std::vector<Command> mode_commands() {
    std::vector<Command> all;
    for (size_t k = 0; k < view_modes().size(); ++k)
        for (const ModeCommand& command : view_modes()[k].make()->commands()) {
            const auto available = [k, &command](const Ui& ui) {
                return shows_image(ui) && ui.views.shown_mode() == k &&
                       (command.available == nullptr || command.available(ui.views.mode(k), ui));
            };
            all.push_back({command.id, "Compare", command.title, command.keys,
                           [k, &command](Ui& ui) { command.run(ui.views.mode(k), ui); }, available});
        }
    return all;
}

std::vector<Command> make_commands() {
    std::vector<Command> all(std::begin(kCommands), std::end(kCommands));
    const auto insert_before = [&](std::string_view id, const std::vector<Command>& commands) {
        all.insert(std::ranges::find(all, id, &Command::id), commands.begin(), commands.end());
    };
    insert_before("pin", mode_choices());
    insert_before("less", mode_commands());
    for (Command& command : all) {
        if (command.reach != Reach::by_keys) continue;
        const bool single = std::ranges::any_of(parse_chords(command.keys), is_single_key);
        command.reach = single ? Reach::views : Reach::window;
    }
    return all;
}

}  // namespace

std::span<const Command> commands() {
    static const std::vector<Command> all = make_commands();
    return all;
}

const Command& command_of(std::string_view id) {
    const auto found = std::ranges::find(commands(), id, &Command::id);
    if (found == commands().end()) throw std::invalid_argument("no command " + std::string(id));
    return *found;
}

std::string CommandTable::title(std::string_view id) const {
    std::string_view title = command_of(id).title;
    if (title.ends_with("...")) title.remove_suffix(3);
    return std::string(title);
}
std::string CommandTable::help(std::string_view id) const {
    return title(id) + ui_.keys(id);
}
std::string_view CommandTable::keys(std::string_view id) const {
    return command_of(id).keys;
}
bool CommandTable::available(std::string_view id) const {
    return is_available(command_of(id), ui_);
}
void CommandTable::run(std::string_view id) {
    command_of(id).run(ui_);
}

}  // namespace tonescope::ui
