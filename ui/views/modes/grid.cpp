// The results of several values of one parameter, in panes that share the view.
#include <algorithm>
#include <cmath>

#include "ui/views/view_mode.h"

namespace tonescope::ui {
namespace {

constexpr float kHeadInset = 4, kMinPane = 150, kMaxSlider = 260;  // at 96 dpi
constexpr int kMinPanes = 2;

struct GridLayout {
    int columns = 1;
    float width = 1, height = 1;  // of a pane with its head
};

/// As the image shows largest.
GridLayout arrange_grid(const Frame& ui, const ImageSpec& spec, const Area& area, int panes, float head, float gap) {
    GridLayout best;
    double best_zoom = 0;
    for (int columns = 1; columns <= panes; ++columns) {
        const int rows = (panes + columns - 1) / columns;
        const auto share = [gap](float length, int parts) {
            return std::max(std::floor((length - gap * static_cast<float>(parts - 1)) / static_cast<float>(parts)),
                            1.0F);
        };
        const GridLayout layout{columns, share(area.width, columns), share(area.height, rows)};
        if (columns > 1 && layout.width < ui.px(kMinPane)) break;
        const double zoom = fit_zoom(spec, {layout.width, std::max(layout.height - head, 1.0F)});
        if (zoom <= best_zoom * 1.0001) continue;
        best = layout;
        best_zoom = zoom;
    }
    return best;
}

std::string time_text(double ms) {
    if (ms >= 1000) return format("%.2f s", ms / 1000);
    return format(ms < 10 ? "%.2f ms" : ms < 100 ? "%.1f ms" : "%.0f ms", ms);
}

/// The time of the run, or what stands in its way, at the right end of its place.
void draw_time(Frame& ui, const WorkModel& work, const GridCell& cell, const Area& place) {
    if (cell.busy && work.is_long()) {
        spinner(ui, {place.right() - ui.px(8), std::floor(place.center().y)}, ui.px(6), ui.colors.accent);
        record(ui, "time", place, "busy", false);
        return;
    }
    const bool failed = !cell.error.empty();
    const bool stopped = !failed && !cell.busy && (cell.is_stale || cell.ms < 0);
    const std::string text = failed ? "failed" : stopped ? "stopped" : cell.ms < 0 ? "" : time_text(cell.ms);
    const ImU32 ink = failed ? ui.colors.error : stopped ? ui.colors.warning : ui.colors.text_quiet;
    draw_line(place, ui.theme.small, ink, text, Align::right);
    tooltip_at(ui, place,
               failed    ? cell.error
               : stopped ? "The run was stopped: change the value, or another one, to start it again"
                         : "Time of this run, without copies between host and GPU");
    record(ui, "time", place, text, false);
}

std::string place_name(const ParamPlace& param) {
    return std::string(param.info->label) + (param.of_variant ? " (variant)" : "");
}

class Grid : public ViewMode {
  public:
    void draw_icon(const Frame& ui, const Area& box, ImU32 ink) const override {
        const ImVec2 c = box.center();
        const float gap = ui.px(1);
        for (const ImVec2& from : {box.min(), {c.x + gap, box.y}, {box.x, c.y + gap}, {c.x + gap, c.y + gap}})
            fill({from.x, from.y, box.width / 2 - gap, box.height / 2 - gap}, ink, gap);
    }

    std::vector<Pane> lay_out(Frame& ui, ViewState& state, const Area& area) override {
        static const Picture no_picture;
        follow(ui, state.model->run);
        const float top = ui.px(kStripHeight);
        draw_result_head(ui, state, {area.x, area.y, area.width, top}, "Grid");
        const float head = std::max(param_height(ui, *param_.info) + ui.px(2), top);
        const float gap = std::max(1.0F, ui.px(2));
        const Area rest{area.x, area.y + top + 1, area.width, std::max(area.height - top - 1, 1.0F)};
        const int count = static_cast<int>(values_.size()) + image_panes(ui);
        const GridLayout layout = arrange_grid(ui, state.spec, rest, count, head, gap);
        std::vector<Pane> panes;
        for (int k = 0; k < count; ++k) {
            const float x = rest.x + static_cast<float>(k % layout.columns) * (layout.width + gap);
            const float y = rest.y + static_cast<float>(k / layout.columns) * (layout.height + gap);
            Pane pane = original_pane(state.model->views, format("pane %d", k + 1), {x, y, layout.width, head},
                                      {x, y + head, layout.width, layout.height - head});
            pane.index = k;
            if (value_index(ui, k) >= 0 && !state.show_original) {
                const GridCell* cell = cell_of(ui, state.model->views.grid, k);
                pane.picture = cell != nullptr ? &cell->picture : &no_picture;
                pane.numbers = cell != nullptr ? &cell->numbers : nullptr;
            }
            panes.push_back(std::move(pane));
        }
        return panes;
    }

    void draw_head(Frame& ui, ViewState& state, const Pane& pane) override {
        if (value_index(ui, pane.index) < 0) {
            draw_image_head(ui, state, pane.head, "Image");
        } else {
            fill(pane.head, ui.colors.raised);
            ImGui::PushID(pane.index);
            ui.prefix = pane.name + ":";
            draw_value_head(ui, *state.model, pane);
            ui.prefix.clear();
            ImGui::PopID();
        }
        state.view.grid = {param_.info, param_.of_variant, values_};
    }

    void add_options(Frame& ui, const ViewState& state, BarRow& row, float room) override {
        follow(ui, state.model->run);
        constexpr float kPanesWidth = 84;
        const float panes = ui.px(kPanesWidth);
        BarRow others(ui);
        others.add(panes, [&ui, panes](ImVec2 at) {
            constexpr std::string_view numbers[] = {"2", "3", "4"};
            const int clicked = segmented(ui, "Panes", numbers, ui.settings.grid_panes - kMinPanes, panes);
            if (clicked >= 0) ui.settings.grid_panes = clicked + kMinPanes;
            tooltip_at(ui, {at.x, at.y, panes, ui.px(kSegmentHeight)}, help_of_steps(ui, "How many panes there are"));
        });
        others.toggle("grid:image", "Image", "grid-image", ui.settings.grid_image,
                      "Shows the image itself in the first pane");
        others.toggle("grid:spread", "Spread", "spread-grid", false, "New values around the one that is set");
        const float choice = std::clamp(room - others.width() - ui.px(row.gap), ui.px(64), ui.px(150));
        row.add(choice, [this, &ui, &state, choice](ImVec2 at) {
            const ParamPlace current = param_;
            ImGui::SetCursorScreenPos({at.x, at.y - std::floor(ui.px(kControlHeight - kSegmentHeight) / 2)});
            if (begin_choice(ui, "Grid parameter", place_name(current), choice, current.info->id)) {
                for (const ParamPlace& param : active_params(state.model->run)) {
                    if (choice_item(ui, "Grid parameter", place_name(param), {}, {}, param == current)) {
                        show_values_of(param);
                        ui.focus_request = 0;
                    }
                }
                ImGui::EndCombo();
            } else {
                tooltip(ui, "The parameter whose values are shown beside each other");
            }
        });
        row.add(std::move(others));
    }

    std::span<const ModeCommand> commands() const override {
        static constexpr ModeCommand kCommands[] = {
            {"spread-grid", "Grid: new values around the one that is set", "G", call<&Grid::renew_values>},
            {"grid-image", "Grid: the image in the first pane", "I", call<&Grid::toggle_image>},
            {"use-1", "Grid: use the value of pane 1", "Shift+1", use_value_of<0>, has_value_in<0>},
            {"use-2", "Grid: use the value of pane 2", "Shift+2", use_value_of<1>, has_value_in<1>},
            {"use-3", "Grid: use the value of pane 3", "Shift+3", use_value_of<2>, has_value_in<2>},
            {"use-4", "Grid: use the value of pane 4", "Shift+4", use_value_of<3>, has_value_in<3>},
            {"type-1", "Grid: change the value of pane 1", "Ctrl+1", type_value_of<0>, has_value_in<0>},
            {"type-2", "Grid: change the value of pane 2", "Ctrl+2", type_value_of<1>, has_value_in<1>},
            {"type-3", "Grid: change the value of pane 3", "Ctrl+3", type_value_of<2>, has_value_in<2>},
            {"type-4", "Grid: change the value of pane 4", "Ctrl+4", type_value_of<3>, has_value_in<3>},
        };
        return kCommands;
    }

    bool has_steps() const override { return true; }
    void step(Frame& ui, int by) override {
        ui.settings.grid_panes = std::clamp(ui.settings.grid_panes + by, kMinPanes, kMaxPanes);
    }

    void param_changed(const ParamPlace& param) override { last_changed_ = param; }
    void show_values_of(const ParamPlace& param) override {
        param_ = param;
        values_.clear();
    }

  private:
    static int image_panes(const Frame& ui) { return ui.settings.grid_image ? 1 : 0; }
    /// Which of the values a pane shows; negative: the pane shows the image.
    static int value_index(const Frame& ui, int pane) { return pane - image_panes(ui); }
    int32_t& value_in(const Frame& ui, int pane) { return values_[static_cast<size_t>(value_index(ui, pane))]; }

    void renew_values(Frame&) { values_.clear(); }
    void toggle_image(Frame& ui) { ui.settings.grid_image = !ui.settings.grid_image; }
    /// The pane's value becomes the one that is set.
    void use(Frame& ui, int pane) { ui.ask(SetParam{param_.info, param_.of_variant, value_in(ui, pane)}); }

    template <int pane>
    static void use_value_of(ViewMode& mode, Frame& ui) {
        static_cast<Grid&>(mode).use(ui, pane);
    }
    template <int pane>
    static void type_value_of(ViewMode& mode, Frame&) {
        static_cast<Grid&>(mode).typed_pane_ = pane;
    }
    template <int pane>
    static bool has_value_in(const ViewMode& mode, const Frame& ui) {
        const int value = value_index(ui, pane);
        return value >= 0 && value < static_cast<int>(static_cast<const Grid&>(mode).values_.size());
    }

    /// The one changed last, or the operator's main one, or the first that has a range.
    ParamPlace default_param(const RunModel& run) const {
        const std::vector<ParamPlace> params = active_params(run);
        if (std::ranges::find(params, last_changed_) != params.end()) return last_changed_;
        const auto main = std::ranges::find_if(params, [](const ParamPlace& p) { return p.info->main; });
        if (main != params.end()) return *main;
        const auto numeric =
            std::ranges::find_if(params, [](const ParamPlace& p) { return p.info->kind != ParamKind::choice; });
        return numeric != params.end() ? *numeric : params.front();
    }

    /// Brings parameter, number and values in line with what is set.
    void follow(const Frame& ui, const RunModel& run) {
        const std::vector<ParamPlace> params = active_params(run);
        if (std::ranges::find(params, param_) == params.end()) show_values_of(default_param(run));
        const int count = ui.settings.grid_panes - image_panes(ui);
        std::vector<int32_t> fresh = grid_values(*param_.info, value_of(run, param_), count);
        if (values_.size() < fresh.size()) values_ = std::move(fresh);
        values_.resize(std::min(values_.size(), static_cast<size_t>(count)));
    }

    /// What the application has for a pane; null: nothing yet.
    const GridCell* cell_of(const Frame& ui, const GridModel& grid, int pane) const {
        const int value = value_index(ui, pane);
        const bool known = value >= 0 && grid.info == param_.info && value < static_cast<int>(grid.cells.size());
        return known ? &grid.cells[static_cast<size_t>(value)] : nullptr;
    }

    /// The value's slider, the time of its run, and the button that uses it.
    void draw_value_head(Frame& ui, const Model& model, const Pane& pane) {
        int32_t& value = value_in(ui, pane.index);
        const Area& head = pane.head;
        const float padding = ui.px(10);
        const float use_width = std::ceil(text_width(ui.theme.body, "In use")) + ui.px(14);
        const float time_width =
            head.width >= ui.px(230) ? std::ceil(text_width(ui.theme.small, "8888 ms")) + ui.px(10) : 0;
        const float right = head.right() - padding - use_width;
        const float width = std::min(right - time_width - ui.px(10) - head.x - padding, ui.px(kMaxSlider));
        ImGui::SetCursorScreenPos({head.x + padding, head.y + ui.px(kHeadInset)});
        ui.slider.type_next = typed_pane_ == pane.index;
        if (ui.slider.type_next) typed_pane_ = -1;
        if (const auto changed = param_widget(ui, *param_.info, value, width,
                                              conversions(model.run, param_, value, model.views.before.spec)))
            value = *changed;
        if (const GridCell* cell = cell_of(ui, model.views.grid, pane.index); cell != nullptr && time_width > 0)
            draw_time(ui, model.work, *cell, {right - ui.px(8) - time_width, head.y, time_width, head.height});
        const float height = ui.px(kControlHeight);
        const Area place{right, std::floor(head.y + (head.height - height) / 2), use_width, height};
        if (value_of(model.run, param_) == value) {
            draw_line({place.x + ui.px(7), place.y, 0, height}, ui.theme.body, ui.colors.accent, "In use");
            record(ui, "in use", place, {}, false);
            return;
        }
        if (button(ui, place.min(), "Use", use_width)) use(ui, pane.index);
        tooltip(ui, "Takes this value" + ui.keys(format("use-%d", pane.index + 1)));
    }

    ParamPlace param_;
    std::vector<int32_t> values_;  // one a pane, less the image's
    ParamPlace last_changed_;      // by hand
    int typed_pane_ = -1;          // whose value is to be typed
};

}  // namespace

std::unique_ptr<ViewMode> make_grid() {
    return std::make_unique<Grid>();
}

}  // namespace tonescope::ui
