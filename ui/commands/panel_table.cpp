// The table of panels.
#include "ui/commands/commands.h"

namespace tonescope::ui {
namespace {

void draw_params(Ui& ui) {
    if (ui.model->run.op == nullptr) return;
    const ImageSpec image = filtered_spec(ui.model->run.part, ui.model->views.before.spec);
    ui.views.state.view.shows_suggestions = ui.settings.suggestions_shown && ui.shows_image();
    if (const auto changed = draw_parameters(ui, ui.model->run, image)) ui.param_changed(*changed);
}

void draw_explanation(Ui& ui) {
    if (explains(ui, ui.model->run) && ui.shows_image()) ui.explanation.draw(ui, ui.model->views);
}

void draw_histograms(Ui& ui) {
    ViewState& state = ui.views.state;
    ui.histogram.draw(ui, ui.model->histogram, ui.model->views, state.view, state.selection, ui.model->run.part.region,
                      left_out_sample(ui.model->run, ui.model->views.before.spec));
}

void draw_clipping_figures(Ui& ui) {
    ViewState& state = ui.views.state;
    draw_clipped_pixels(ui, ui.model->histogram, ui.model->views, state.view, state.clipping);
}

void draw_figure_table(Ui& ui) {
    ViewState& state = ui.views.state;
    draw_figures(ui, ui.model->views, state.view, state.selection);
}

constexpr PanelInfo kPanels[] = {
    {"images", Place::left, "Images", [](Ui& ui) { ui.images.draw(ui, ui.model->images); }},
    {"pages", Place::left, "Pages", [](Ui& ui) { draw_pages(ui, ui.model->images); }},
    {"filter", Place::left, "Filter", [](Ui& ui) { draw_filter(ui, ui.model->run, ui.model->benchmark.shown); }},
    {"parameters", Place::left, "Parameters", draw_params},
    {"part", Place::left, "Region and mask",
     [](Ui& ui) { ui.part.draw(ui, ui.model->run, ui.model->views.image_spec()); }, &Settings::part_shown},
    {"preset-list", Place::left, "Presets", [](Ui& ui) { ui.presets.draw_list(ui, ui.model->presets, ui.model->run); },
     &Settings::presets_shown},
    {"variant", Place::left, "About the variant", [](Ui& ui) { draw_variant(ui, ui.model->run); },
     &Settings::variant_shown},
    {"explanation", Place::right, "Explain", draw_explanation},
    {"histogram", Place::right, "Histogram", draw_histograms},
    {"window", Place::right, "Window and level", [](Ui& ui) { draw_windows(ui, ui.model->histogram, ui.model->views); },
     &Settings::window_shown},
    {"clipping", Place::right, "Clipped pixels", draw_clipping_figures, &Settings::clipping_shown},
    {"figures", Place::right, "Figures", draw_figure_table, &Settings::figures_shown},
    {"timings", Place::right, "Timings", [](Ui& ui) { ui.timings.draw(ui, ui.model->timings); }},
    {"frame", Place::right, "Frame times",
     [](Ui& ui) { draw_frame_times(ui, ui.timings.shown(ui.model->timings).frame); }, &Settings::frame_shown},
    {"kernels", Place::right, "Kernels", [](Ui& ui) { draw_kernels(ui, ui.model->timings.kernels); },
     &Settings::kernels_shown},
    {"details", Place::right, "Details", [](Ui& ui) { draw_details(ui, ui.model->details); }},
};

}  // namespace

std::span<const PanelInfo> panels() {
    return kPanels;
}

}  // namespace tonescope::ui
