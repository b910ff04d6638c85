#include "ui/views/modes/grid_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gpu/present/shader_views.h"

namespace tonescope::ui {
namespace {

constexpr float kMinPane = 150, kMinPicture = 40;  // at 96 dpi

}  // namespace

float share_of(float length, float gap, int parts) {
    return std::max(std::floor((length - gap * static_cast<float>(parts - 1)) / static_cast<float>(parts)), 1.0F);
}

GridLayout arrange_grid(const Frame& ui, const ImageSpec& spec, const Area& area, int panes, float head, float gap) {
    GridLayout best;
    double best_zoom = 0;
    for (int columns = 1; columns <= panes; ++columns) {
        const int rows = (panes + columns - 1) / columns;
        const GridLayout layout{columns, share_of(area.width, gap, columns), share_of(area.height, gap, rows)};
        if (columns > 1 && layout.width < ui.px(kMinPane)) break;
        const double zoom = fit_zoom(spec, {layout.width, std::max(layout.height - head, 1.0F)});
        if (zoom <= best_zoom * 1.0001) continue;
        best = layout;
        best_zoom = zoom;
    }
    return best;
}

int panes_with_room(const Frame& ui, const Area& area, float head, float gap) {
    const auto columns = static_cast<int>((area.width + gap) / (ui.px(kMinPane) + gap));
    const auto rows = static_cast<int>((area.height + gap) / (head + ui.px(kMinPicture) + gap));
    return std::max(columns * rows, kFewPanes);
}

int rows_with_room(const Area& area, float value, float gap) {
    return std::max(static_cast<int>((area.height + gap) / (value + gap)), kFewPanes);
}

void draw_time(Frame& ui, const WorkModel& work, const GridCell& cell, const Area& place) {
    if (cell.busy && work.is_long()) {
        spinner(ui, {place.right() - ui.px(8), std::floor(place.center().y)}, ui.px(6), ui.colors.accent);
        record(ui, "time", place, "busy", false);
        return;
    }
    const bool failed = !cell.error.empty();
    const double ms = cell.subject.ms;
    const bool stopped = !failed && !cell.busy && (cell.is_stale || ms < 0);
    const std::string text = failed ? "failed" : stopped ? "stopped" : ms < 0 ? "" : time_text(ms);
    const ImU32 ink = failed ? ui.colors.error : stopped ? ui.colors.warning : ui.colors.text_quiet;
    draw_line(place, ui.theme.small, ink, text, Align::right);
    tooltip_at(ui, place,
               failed    ? cell.error
               : stopped ? "The run was stopped: change the value, or another one, to start it again"
                         : "Time of this run, without copies between CPU and GPU memory");
    record(ui, "time", place, text, false);
}

std::optional<ParamPlace> choose_param(Frame& ui, const char* label, const RunModel& run, const ParamPlace& current,
                                       const char* none, ImVec2 at, float width, const char* help) {
    std::optional<ParamPlace> chosen;
    const bool is_set = current.info != nullptr;
    ImGui::SetCursorScreenPos({at.x, at.y - segment_margin(ui)});
    if (begin_choice(ui, label, is_set ? place_name(current) : none, width, is_set ? current.info->id : "")) {
        if (none != nullptr && choice_item(ui, label, none, {}, {}, !is_set)) chosen = ParamPlace{};
        for (const ParamPlace& param : active_params(run))
            if (choice_item(ui, label, place_name(param), {}, {}, param == current)) chosen = param;
        end_choice(ui);
    } else {
        tooltip(ui, help);
    }
    return chosen;
}

std::optional<int> choose_count(Frame& ui, const char* label, int current, ImVec2 at, float width, const char* help) {
    std::optional<int> chosen;
    ImGui::SetCursorScreenPos({at.x, at.y - segment_margin(ui)});
    if (begin_choice(ui, label, format("%d", current), width, format("%d", current))) {
        for (int count = 2; count <= kMaxPanes; ++count)
            if (choice_item(ui, label, format("%d", count), {}, {}, count == current)) chosen = count;
        end_choice(ui);
    } else {
        tooltip(ui, help);
    }
    return chosen;
}

std::optional<const FigureInfo*> choose_figure(Frame& ui, std::span<const FigureInfo> table, const FigureInfo* current,
                                               ImVec2 at, float width) {
    std::optional<const FigureInfo*> chosen;
    ImGui::SetCursorScreenPos({at.x, at.y - segment_margin(ui)});
    const std::string_view shown = current != nullptr ? current->label : "No figure";
    if (begin_choice(ui, "Pane figure", shown, width, current != nullptr ? current->id : "")) {
        if (choice_item(ui, "Pane figure", "No figure", {}, {}, current == nullptr)) chosen = nullptr;
        for (const FigureInfo& figure : table)
            if (choice_item(ui, "Pane figure", figure.label, figure.unit, {}, current == &figure)) chosen = &figure;
        end_choice(ui);
    } else {
        tooltip(ui, current != nullptr ? figure_help(*current) : "A figure of each result");
    }
    return chosen;
}

FigureRange figure_range(std::span<const GridCell> cells) {
    FigureRange range;
    for (const GridCell& cell : cells) {
        if (!cell.is_measured || !cell.figure || !std::isfinite(*cell.figure)) continue;
        range.least = range.known == 0 ? *cell.figure : std::min(range.least, *cell.figure);
        range.greatest = range.known == 0 ? *cell.figure : std::max(range.greatest, *cell.figure);
        ++range.known;
    }
    return range;
}

void draw_cell_figure(Frame& ui, const FigureInfo& figure, const GridCell& cell, const FigureRange& range, bool map,
                      const Area& area) {
    constexpr LabelLook look{6, 20, 3, 170};
    constexpr int kGround_alpha = 178;
    if (!cell.is_measured) return;
    if (map && cell.figure && std::isfinite(*cell.figure)) {
        const auto c = difference_color(false, range.place_of(*cell.figure));
        fill(area, IM_COL32(c[0], c[1], c[2], kGround_alpha));
    }
    const std::string text = figure_text(figure, cell.figure, false);
    const ImVec2 size = label_size(ui, text, look);
    const bool fits = size.x + ui.px(4) <= area.width && size.y + ui.px(4) <= area.height;
    const Area place{area.x + ui.px(4), area.bottom() - ui.px(4) - size.y, size.x, size.y};
    if (fits) draw_label(ui, place.min(), text, look);
    record(ui, "figure", fits ? place : area, text, false);
}

void draw_figure_curve(Frame& ui, const FigureInfo& figure, const GridAxes& axes, std::span<const GridCell> cells,
                       int in_use, const Area& area) {
    fill(area, ui.colors.panel);
    const Font& font = ui.theme.small;
    const FigureRange range = figure_range(cells);
    const float pad = ui.px(12);
    std::string title(figure.label);
    if (!figure.unit.empty()) title.append(", ").append(figure.unit);
    draw_line_cut(ui, {area.x + pad, area.y + ui.px(4), area.width - 2 * pad, font.size_px + ui.px(2)}, font,
                  ui.colors.text, title);
    record(ui, "grid:curve", area, format("%d of %d", int(range.known), int(cells.size())), false);
    tooltip_at(ui, {area.x, area.y, area.width, font.size_px + ui.px(8)}, figure_help(figure));
    if (range.known == 0) return;
    const std::string least = figure_text(figure, range.least, false);
    const std::string greatest = figure_text(figure, range.greatest, false);
    const float left = area.x + pad + std::max(text_width(font, least), text_width(font, greatest)) + ui.px(10);
    const Area plot = between({left, area.y + font.size_px + ui.px(14)},
                              {area.right() - pad - ui.px(10), area.bottom() - font.size_px - ui.px(12)});
    for (const auto& [text, y] : {std::pair(greatest, plot.y), std::pair(least, plot.bottom())}) {
        fill({plot.x, std::round(y), plot.width, 1}, ui.colors.line_soft);
        draw_text_right({left - ui.px(6), y - font.size_px / 2}, font, ui.colors.text_quiet, text);
    }
    const GridAxis& axis = axes.view().columns;
    const auto count = static_cast<float>(std::max<size_t>(axis.values.size(), 2) - 1);
    const auto x_of = [&](size_t k) { return plot.x + plot.width * static_cast<float>(k) / count; };
    std::vector<ImVec2> line;
    for (size_t k = 0; k < std::min(cells.size(), axis.values.size()); ++k) {
        const bool is_current = in_use == static_cast<int>(k);
        draw_line({x_of(k), plot.bottom() + ui.px(4), 0, font.size_px}, font,
                  is_current ? ui.colors.accent : ui.colors.text_quiet, format_value(*axis.param.info, axis.values[k]),
                  Align::center);
        const std::optional<double>& value = cells[k].figure;
        if (!cells[k].is_measured || !value || !std::isfinite(*value)) continue;
        line.emplace_back(x_of(k), plot.bottom() - plot.height * static_cast<float>(range.place_of(*value)));
        const float radius = is_current ? ui.px(4) : ui.px(3);
        ImGui::GetWindowDrawList()->AddCircleFilled(line.back(), radius,
                                                    is_current ? ui.colors.accent : ui.colors.text);
        const float reach = ui.px(8);
        tooltip_at(ui, {line.back().x - reach, line.back().y - reach, 2 * reach, 2 * reach},
                   axes.text_of(k) + "\n" + std::string(figure.label) + " " + figure_text(figure, value, true));
    }
    ImGui::GetWindowDrawList()->AddPolyline(line.data(), static_cast<int>(line.size()), ui.colors.text_quiet, 0,
                                            ui.line(kStroke));
}

void draw_values(Frame& ui, const Area& area, ImU32 color, const GridAxes& axes, size_t cell) {
    const std::string text = axes.text_of(cell);
    std::string values;
    for (const auto& [param, value] : axes.values_of(cell))
        values.append(values.empty() ? "" : ", ").append(format_value(*param.info, value));
    const Font& font = ui.theme.small;
    record(ui, "values", area, draw_fitting(ui, area, color, text, {{font, text}, {font, values}}), false);
}

}  // namespace tonescope::ui
