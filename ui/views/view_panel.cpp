// Middle: the bar of modes and the views below it.
#include <algorithm>

#include "ui/state.h"
#include "ui/views/view_parts.h"
#include "ui/views/view_transform.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

/// An arrangement must show the image this much larger to be taken.
constexpr double kClearlyLarger = 1.1;

bool same_size(const ImageSpec& a, const ImageSpec& b) {
    return a.width == b.width && a.height == b.height;
}

const ImageSpec& image_spec(const Model& model) {
    return model.views.before.empty() ? model.views.after.spec : model.views.before.spec;
}

void start_frame(Ui& ui) {
    ui.view.pointed_at = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
    ui.view.hovered = false;
    ui.view.view.shows_numbers = false;
    ui.view.view.grid = {};
    ui.view.renderers.clear();
}

void draw_mode(Ui& ui, const Area& area) {
    switch (ui.view.view.mode) {
        case ViewMode::side_by_side:
            return draw_pair(ui, area, false);
        case ViewMode::stacked:
            return draw_pair(ui, area, true);
        case ViewMode::wipe:
            return draw_wipe(ui, area);
        case ViewMode::flicker:
            return draw_flicker(ui, area);
        case ViewMode::single:
            return draw_single(ui, area);
        case ViewMode::difference:
            return draw_difference(ui, area);
        case ViewMode::grid:
            return draw_grid(ui, area);
    }
}

void draw_pictures(Ui& ui, const Area& area) {
    ViewState& state = ui.view;
    const ImageSpec& spec = image_spec(*ui.model);
    if (!same_size(spec, state.spec)) {
        state.view.fit = true;
        state.selection = {};
        ui.explain.pixel.reset();
        ui.explain.kept.reset();
    }
    state.spec = spec;
    state.view.minified = false;
    state.view.mode = effective_mode(ui, area);
    const float bar = draw_view_bar(ui, area);
    draw_mode(ui, {area.x, area.y + bar, area.width, std::max(area.height - bar, 1.0F)});
    state.view.minified |= state.view.zoom < 1;
    const int channels = std::max(ui.model->views.before.spec.channels(), ui.model->views.after.spec.channels());
    state.view.shows_numbers = is_linked(*ui.model) && numbers_fit(ui, state.view.zoom, channels);
}

}  // namespace

bool is_linked(const Model& model) {
    return model.views.after.empty() || model.views.before.empty() ||
           same_size(model.views.after.spec, model.views.before.spec);
}

bool can_show(const Model& model, ViewMode mode) {
    if (mode == ViewMode::grid) return is_linked(model) && !active_params(model.run).empty();
    return is_linked(model) || mode == ViewMode::side_by_side || mode == ViewMode::stacked || mode == ViewMode::single;
}

ViewMode effective_mode(const Ui& ui, const Area& area) {
    const ViewState& state = ui.view;
    if (state.mode_chosen && can_show(*ui.model, state.mode)) return state.mode;
    const ImageSpec& spec = image_spec(*ui.model);
    const double strip = ui.px(kStripHeight);
    const double height = area.height - ui.px(kBarRow);
    const double beside = fit_zoom(spec, {area.width / 2.0, height - strip});
    const double stacked = fit_zoom(spec, {area.width, height / 2 - strip});
    return stacked > kClearlyLarger * beside ? ViewMode::stacked : ViewMode::side_by_side;
}

void choose_view_mode(Ui& ui, ViewMode mode) {
    ui.view.mode = mode;
    ui.view.mode_chosen = true;
    ui.view.flicker.switched_s = ui.time_s;
}

bool can_toggle_reference(const Model& model) {
    return !model.views.reference.empty() ||
           (!model.views.after.empty() && !model.views.after_is_stale && is_linked(model));
}

void toggle_reference(Ui& ui) {
    ui.ask(PinReference{ui.model->views.reference.empty()});
}

void report_hover(Ui& ui) {
    ViewState& s = ui.view;
    const bool same_pixel = s.hover_x == s.reported_x && s.hover_y == s.reported_y;
    if (s.hovered == s.reported_hover && (!s.hovered || same_pixel)) return;
    s.reported_hover = s.hovered;
    s.reported_x = s.hover_x;
    s.reported_y = s.hover_y;
    ui.ask(Hover{s.hover_x, s.hover_y, s.hovered});
}

void draw_views(Ui& ui, const Area& area) {
    start_frame(ui);
    draw_pictures(ui, area);
    report_explained(ui, ui.model->views.before.spec);
}

void skip_views(Ui& ui) {
    start_frame(ui);
    ui.view.view.visible = {};
    report_hover(ui);
    report_explained(ui, {});
}

}  // namespace tonescope::ui
