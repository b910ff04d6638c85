// The results of several values of one parameter, in panes that share the view.
#include <algorithm>
#include <cmath>

#include "ui/state.h"
#include "ui/views/view_parts.h"
#include "ui/views/view_transform.h"
#include "ui/widgets/param_widgets.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kHeadInset = 4, kMinPane = 150, kMaxSlider = 260;  // at 96 dpi

struct GridLayout {
    int columns = 1;
    float width = 1, height = 1;  // of a pane with its head
};

/// As the image shows largest.
GridLayout arrange_grid(const Ui& ui, const Area& area, int panes, float head, float gap) {
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
        const double zoom = fit_zoom(ui.view.spec, {layout.width, std::max(layout.height - head, 1.0F)});
        if (zoom <= best_zoom * 1.0001) continue;
        best = layout;
        best_zoom = zoom;
    }
    return best;
}

/// A pane, where `value` is -1 that of the image, else the index of its value.
struct GridPane {
    int number = 0, value = -1;
    Area head, view;
    std::string label() const { return format("pane %d", number + 1); }
};

std::vector<GridPane> panes_in(const Ui& ui, const Area& area, float head) {
    const int images = ui.settings.grid_image ? 1 : 0;
    const int count = static_cast<int>(ui.view.grid.values.size()) + images;
    const float gap = std::max(1.0F, ui.px(2));
    const GridLayout layout = arrange_grid(ui, area, count, head, gap);
    std::vector<GridPane> panes;
    for (int k = 0; k < count; ++k) {
        const float x = area.x + static_cast<float>(k % layout.columns) * (layout.width + gap);
        const float y = area.y + static_cast<float>(k / layout.columns) * (layout.height + gap);
        panes.push_back({k, k - images, {x, y, layout.width, head}, {x, y + head, layout.width, layout.height - head}});
    }
    return panes;
}

/// What the application has for a pane; null: nothing yet.
const GridCell* cell_of(const Ui& ui, const GridPane& pane) {
    const GridModel& grid = ui.model->views.grid;
    const bool known =
        pane.value >= 0 && grid.info == ui.view.grid.param.info && pane.value < static_cast<int>(grid.cells.size());
    return known ? &grid.cells[static_cast<size_t>(pane.value)] : nullptr;
}

std::string time_text(double ms) {
    if (ms >= 1000) return format("%.2f s", ms / 1000);
    return format(ms < 10 ? "%.2f ms" : ms < 100 ? "%.1f ms" : "%.0f ms", ms);
}

/// The time of the run, or what stands in its way, at the right end of a fixed place.
void draw_state(Ui& ui, const GridPane& pane, const GridCell& cell, float right, float width) {
    const Font& font = ui.theme.small;
    const ImVec2 min{right - width, pane.head.y};
    const ImVec2 max{right, pane.head.bottom()};
    const float y = middle(font, pane.head.y, pane.head.height);
    if (cell.busy && ui.model->work.seconds > 0.2) {
        spinner(ui, {right - ui.px(8), std::floor((min.y + max.y) / 2)}, ui.px(6), ui.colors.accent);
        record(ui, "time", min, max, "busy", false);
        return;
    }
    const bool failed = !cell.error.empty();
    const bool stopped = !failed && !cell.busy && (cell.is_stale || cell.ms < 0);
    const std::string text = failed ? "failed" : stopped ? "stopped" : cell.ms < 0 ? "" : time_text(cell.ms);
    draw_text_right({right, y}, font,
                    failed    ? ui.colors.error
                    : stopped ? ui.colors.warning
                              : ui.colors.text_quiet,
                    text);
    tooltip_at(ui, min, max,
               failed    ? cell.error
               : stopped ? "The run was stopped: change the value, or another one, to start it again"
                         : "Time of this run, without copies between host and GPU");
    record(ui, "time", min, max, text, false);
}

void draw_value_head(Ui& ui, const GridPane& pane) {
    GridState& grid = ui.view.grid;
    const ParamInfo& info = *grid.param.info;
    int32_t& value = grid.values[static_cast<size_t>(pane.value)];
    const Area& head = pane.head;
    const float pad = ui.px(10);
    const float use = std::ceil(text_width(ui.theme.body, "In use")) + ui.px(14);
    const float time = std::ceil(text_width(ui.theme.small, "8888 ms")) + ui.px(10);
    const bool room_for_time = head.width >= ui.px(230);
    const float right = head.right() - pad - use;
    const float widget = std::min(right - (room_for_time ? time : 0) - ui.px(10) - head.x - pad, ui.px(kMaxSlider));
    ImGui::SetCursorScreenPos({head.x + pad, head.y + ui.px(kHeadInset)});
    ui.slider.type_next = grid.type_pane == pane.number;
    if (ui.slider.type_next) grid.type_pane = -1;
    if (const auto changed = param_widget(ui, info, value, widget,
                                          conversions(ui.model->run, grid.param, value, ui.model->views.before.spec)))
        value = *changed;
    if (const GridCell* cell = cell_of(ui, pane); cell != nullptr && room_for_time)
        draw_state(ui, pane, *cell, right - ui.px(8), time);
    const ImVec2 at{head.right() - pad - use, std::floor(head.y + (head.height - ui.px(kControlHeight)) / 2)};
    if (value_of(ui.model->run, grid.param) == value) {
        draw_text({at.x + ui.px(7), middle(ui.theme.body, at.y, ui.px(kControlHeight))}, ui.theme.body,
                  ui.colors.accent, "In use");
        record(ui, "in use", at, {at.x + use, at.y + ui.px(kControlHeight)}, {}, false);
        return;
    }
    ImGui::SetCursorScreenPos(at);
    if (button(ui, "Use", use)) use_grid_pane(ui, pane.number);
    tooltip(ui, format("Takes this value (Shift+%d)", pane.number + 1));
}

void draw_head(Ui& ui, const GridPane& pane) {
    if (pane.value < 0) {
        const std::string size = size_text(ui.view.spec);
        draw_strip(ui, pane.head, "Image", image_name(*ui.model), false, size);
        return;
    }
    ImGui::GetWindowDrawList()->AddRectFilled(pane.head.min(), pane.head.max(), ui.colors.raised);
    ImGui::PushID(pane.number);
    ui.prefix = pane.label() + ":";
    draw_value_head(ui, pane);
    ui.prefix.clear();
    ImGui::PopID();
}

const Picture& picture_in(const Ui& ui, const GridPane& pane) {
    static const Picture none;
    const Model& model = *ui.model;
    if (pane.value < 0) return model.views.reference.empty() ? model.views.before : model.views.original;
    if (ui.view.show_original) return picture_of(ui, Side::after);
    const GridCell* cell = cell_of(ui, pane);
    return cell == nullptr ? none : cell->picture;
}

const PixelBlock* numbers_in(const Ui& ui, const GridPane& pane) {
    const Model& model = *ui.model;
    if (pane.value < 0 || ui.view.show_original)
        return model.views.reference.empty() ? &model.views.numbers_before : nullptr;
    const GridCell* cell = cell_of(ui, pane);
    return cell == nullptr ? nullptr : &cell->numbers;
}

}  // namespace

void draw_grid(Ui& ui, const Area& area) {
    ViewState& state = ui.view;
    follow_grid(ui);  // the bar may have changed it
    const float strip = ui.px(kStripHeight);
    draw_result_strip(ui, {area.x, area.y, area.width, strip}, "Grid");
    const ParamInfo& info = *state.grid.param.info;
    const float head = std::max(param_height(ui, info) + ui.px(2), strip);
    const Area rest{area.x, area.y + strip + 1, area.width, std::max(area.height - strip - 1, 1.0F)};
    const std::vector<GridPane> panes = panes_in(ui, rest, head);
    const Area& last = panes.back().view;
    settle(state.view, state.spec, {last.width, last.height});
    const Minimap minimap = minimap_item(ui, last);
    int hovered = -1;
    for (const GridPane& pane : panes) {
        const PaneMouse mouse = pane_item(pane.label().c_str(), pane.view);
        if (mouse.hovered) hovered = pane.number;
        navigate(ui, pane.view, mouse, true);
    }
    report_hover(ui);
    for (const GridPane& pane : panes) {
        const std::string label = "view:" + pane.label();
        record(ui, label, pane.view.min(), pane.view.max(),
               state.show_original ? "original" : format("%.4g", state.view.zoom));
        draw_linked(ui, pane.view, picture_in(ui, pane), numbers_in(ui, pane),
                    hovered >= 0 && hovered != pane.number && !state.loupe);
        draw_loupe(ui, pane.view, picture_in(ui, pane), "loupe:" + pane.label());
    }
    draw_minimap(ui, minimap, last, Side::after);
    for (const GridPane& pane : panes) draw_head(ui, pane);
    state.view.grid = {state.grid.param.info, state.grid.param.of_variant, state.grid.values};
}

}  // namespace tonescope::ui
