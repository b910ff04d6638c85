#include "ui/views/modes/grid_parts.h"

#include <algorithm>
#include <cmath>

namespace tonescope::ui {
namespace {

constexpr float kMinPane = 150;  // at 96 dpi

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
    ImGui::SetCursorScreenPos({at.x, at.y - std::floor(ui.px(kControlHeight - kSegmentHeight) / 2)});
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

std::string fit_values(Frame& ui, const Area& area, const GridAxes& axes, size_t cell) {
    const std::string text = axes.text_of(cell);
    if (text_width(ui.theme.small, text) <= area.width) return text;
    tooltip_at(ui, area, text);
    std::string values;
    for (const auto& [param, value] : axes.values_of(cell))
        values.append(values.empty() ? "" : ", ").append(format_value(*param.info, value));
    return cut_text(ui, area, ui.theme.small, values);
}

}  // namespace tonescope::ui
