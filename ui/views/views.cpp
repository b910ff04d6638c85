#include "ui/views/views.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tonescope::ui {
namespace {

/// An arrangement must show the image this much larger to be taken.
constexpr double kClearlyLarger = 1.1;
constexpr float kCardWidth = 320, kBesideCard = 200;  // at 96 dpi

/// Takes the card's place from the panes.
Area split_card(const Frame& ui, Area& panes) {
    Area card = panes;
    card.width = std::clamp(std::floor(panes.width / 2), ui.px(kPanelMin), ui.px(kCardWidth));
    if (panes.width - card.width >= ui.px(kBesideCard)) {
        panes.width -= card.width;
        card.x = panes.right();
        return card;
    }
    panes.height = std::max(std::floor(panes.height / 2), 1.0F);
    return {panes.x, panes.bottom(), panes.width, panes.height};
}

}  // namespace

Views::Views() {
    state.view.mode = view_modes().front().id;
    for (const ViewModeInfo& info : view_modes()) modes_.push_back(info.make());
}

void Views::begin_frame(const Model& model) {
    state.model = &model;
    state.show_original = state.loupe = false;
    state.hovered.reset();
    state.pointed.reset();
    state.renderers.clear();
    state.view.shows_numbers = state.view.shows_difference = state.view.fine_histogram = false;
    state.view.shows_figures = state.view.shows_suggestions = false;
    state.view.histogram_region = {};
    state.view.shows_histogram = false;
    state.view.clipping.reset();
    state.view.grid = {};
    if (!kept_modes_ || model.run.op == nullptr) return;
    for (size_t k = 0; k < modes_.size(); ++k)
        if (const auto kept = kept_modes_->find(std::string(view_modes()[k].id)); kept != kept_modes_->end())
            modes_[k]->restore(kept->second, model.run);
    kept_modes_.reset();
}

KeptView Views::kept() const {
    KeptView kept{state.view.fit,       state.view.zoom,      state.view.center_x,  state.view.center_y,
                  state.selection.rect, state.clipping.shown, state.explained.kept, {}};
    for (size_t k = 0; k < modes_.size(); ++k)
        if (KeptOptions options = modes_[k]->kept(); !options.empty())
            kept.modes[std::string(view_modes()[k].id)] = std::move(options);
    return kept;
}

void Views::restore(const KeptView& kept, uint64_t image) {
    kept_modes_ = kept.modes;
    kept_view_.emplace(kept, image);
}

/// What lies outside of the image is cut off.
void Views::take_kept() {
    const KeptView kept = std::exchange(kept_view_, std::nullopt)->first;
    state.view.fit = kept.fit;
    state.view.zoom = std::clamp(kept.zoom, kMinZoom, kMaxZoom);
    state.view.center_x = std::clamp(kept.center_x, 0.0, static_cast<double>(state.spec.width));
    state.view.center_y = std::clamp(kept.center_y, 0.0, static_cast<double>(state.spec.height));
    const Rect& rect = kept.selection;
    const int x = std::clamp(rect.x, 0, state.spec.width);
    const int y = std::clamp(rect.y, 0, state.spec.height);
    const auto side = [](int begin, int64_t length, int end) {
        return static_cast<int>(std::clamp<int64_t>(length, 0, end - begin));
    };
    const Rect inside{x, y, side(x, int64_t{rect.x} + rect.width - x, state.spec.width),
                      side(y, int64_t{rect.y} + rect.height - y, state.spec.height)};
    state.selection = {};
    if (inside.width > 0 && inside.height > 0) state.selection.rect = inside;
    state.clipping.shown = kept.clipping_marked;
    state.explained.kept.reset();
    if (kept.explained && kept.explained->x >= 0 && kept.explained->y >= 0 && kept.explained->x < state.spec.width &&
        kept.explained->y < state.spec.height)
        state.explained.pixel = state.explained.kept = kept.explained;
}

void Views::draw(Frame& ui, const Area& area, bool with_card) {
    const ViewsModel& views = state.model->views;
    if (!same_size(views.image_spec(), state.spec)) {
        state.view.fit = true;
        state.selection = {};
        state.explained.pixel.reset();
        state.explained.kept.reset();
    }
    state.spec = views.image_spec();
    if (kept_view_ && views.image_subject().image == kept_view_->second) take_kept();
    state.view.minified = false;
    shown_mode_ = mode_to_show(ui, area);
    state.view.mode = view_modes()[shown_mode_].id;
    // Heads are as high as they needed to be in the frame before.
    state.head_px = std::max(std::exchange(state.needed_head_px, 0.0F), ui.px(kStripHeight));
    const float bar = bar_height_ = draw_bar(ui, area);
    Area panes{area.x, area.y + bar, area.width, std::max(area.height - bar, 1.0F)};
    card_ = with_card ? split_card(ui, panes) : Area{};
    draw_panes(ui, mode(shown_mode_), panes);
    state.view.minified |= state.view.zoom < 1;
    const int channels = std::max(views.before.spec.channels(), views.after.spec.channels());
    state.view.shows_numbers =
        views.is_linked() &&
        numbers_fit(ui, state.view.zoom, channels, std::max(views.before.spec.max_sample, views.after.spec.max_sample));
    report_explained(ui, state, !views.before.empty());
}

void Views::hide(Frame& ui) {
    card_ = {};
    state.view.visible = {};
    report_hovered(ui);
    report_explained(ui, state, false);
}

void Views::draw_panes(Frame& ui, ViewMode& mode, const Area& area) {
    const std::vector<Pane> panes = mode.lay_out(ui, state, area);
    const Pane& last = panes.back();
    settle(state.view, state.spec, {last.area.width, last.area.height});
    const Minimap minimap = last.linked ? minimap_item(ui, state, last.area) : Minimap{};
    state.before_pane = {};
    for (const Pane& pane : panes)
        if (pane.side == Side::before) state.before_pane = between(pane.head.min(), pane.area.max());
    const Pane* hovered = nullptr;
    bool is_taken = false;  // the mouse, by the mode
    for (const Pane& pane : panes) {
        const PaneMouse mouse = pane_item(ui, pane);
        const bool takes_mouse = mode.takes_mouse(ui, state, pane, mouse);
        const Picture* const windowed =
            mouse.right ? mode.windowed_at(state, pane, ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Right])
                        : nullptr;
        if (windowed != nullptr) drag_window(ui, state, *windowed, mouse);
        if (pane.linked) navigate(ui, state, pane.area, mouse, !takes_mouse && !mouse.right);
        if (!mouse.hovered) continue;
        hovered = &pane;
        is_taken = takes_mouse;
    }
    if (hovered != nullptr && !state.show_original) state.pointed = mode.pointed(ui, state, *hovered);
    if (hovered != nullptr) {
        state.explained.pane = hovered->index;
    } else if (state.loupe) {
        state.hovered = state.middle();
        state.mouse = {state.hovered->x + 0.5, state.hovered->y + 0.5};
    }
    state.explained.params.reset();
    for (const Pane& pane : panes)
        if (pane.index == state.explained.pane) state.explained.params = pane.params;
    report_hovered(ui);
    for (const Pane& pane : panes) {
        const bool original = state.show_original && pane.side != Side::before;
        record(ui, "view:" + pane.name, pane.area, original ? "original" : mode.value(state, pane));
        ImGui::PushClipRect(pane.area.min(), pane.area.max(), true);
        mode.draw(ui, state, pane, hovered != nullptr && hovered != &pane && !state.loupe);
        if (panes.size() > 1 && pane.linked)
            draw_loupe(ui, state, pane);
        else if (pane.linked && !is_taken)
            draw_loupe_pair(ui, state, pane.area);
        if (&pane == &last) draw_minimap(ui, state, minimap, pane);
        ImGui::PopClipRect();
    }
    for (const Pane& pane : panes) mode.draw_head(ui, state, pane);
}

void Views::report_hovered(Frame& ui) {
    Hover hover = state.reported_hover;
    hover.inside = state.hovered.has_value();
    if (state.hovered) hover = {state.hovered->x, state.hovered->y, true};
    if (hover == state.reported_hover) return;
    state.reported_hover = hover;
    ui.ask(hover);
}

size_t Views::mode_to_show(const Frame& ui, const Area& area) {
    if (chosen_mode_ && view_modes()[*chosen_mode_].can_show(*state.model)) return *chosen_mode_;
    const uint64_t opening = state.model->views.image_subject().opening;
    if (std::exchange(fitted_to_, opening) == opening) return fitting_mode_;
    const ImageSpec& spec = state.spec;
    const double head = ui.px(kStripHeight);
    const double height = area.height - ui.px(kBarRow);
    const double beside = fit_zoom(spec, {area.width / 2.0, height - head});
    const double stacked = fit_zoom(spec, {area.width, height / 2 - head});
    fitting_mode_ = stacked > kClearlyLarger * beside ? 1 : 0;
    return fitting_mode_;
}

void Views::choose_mode(const Frame& ui, size_t mode) {
    chosen_mode_ = mode;
    modes_[mode]->start(ui);
}

void Views::restore_mode(std::string_view id) {
    const ViewModeInfo* info = find_view_mode(id);
    chosen_mode_ = info != nullptr ? std::optional<size_t>(info - view_modes().data()) : std::nullopt;
}

void Views::param_changed(const ParamPlace& param) {
    for (const auto& mode : modes_) mode->param_changed(param);
}

void Views::show_values_of(Frame& ui, const ParamPlace& param) {
    restore_mode("grid");
    mode(*chosen_mode_).show_values_of(param);
    ui.keyboard.go_home();
}

}  // namespace tonescope::ui
