// Figures of the image before and of the result, in a table.
#include <algorithm>
#include <string>

#include "ui/panels/panels.h"
#include "ui/widgets/charts.h"

namespace tonescope::ui {
namespace {

/// Where it is not known or not defined, a dash.
std::string cell_text(const FigureInfo& figure, const std::optional<double>& value) {
    return value ? figure_text(figure, value, false) : std::string("\u2013");
}

const char* area_text(const Frame& ui, const View& view, const Selection& selection) {
    if (view.histogram_region.width <= 0) return "of the whole image";
    return selection.rect.width > 0                               ? "of the selection"
           : ui.settings.histogram.area == HistogramArea::visible ? "of the visible part"
                                                                  : "of the region";
}

}  // namespace

void draw_figures(Frame& ui, const ViewsModel& views, View& view, const Selection& selection) {
    if (!folding_section(ui, "Figures", ui.settings.figures_shown)) return;
    view.shows_figures = true;
    const FigureValues* known =
        views.figures && views.figures->figures.size() == views.figure_table.size() ? &*views.figures : nullptr;
    Table table{area_text(ui, view, selection), {std::string(kBasisIds[static_cast<size_t>(views.basis)]), "after"}};
    table.least_names = 92;
    table.gap = 7;
    for (size_t k = 0; k < views.figure_table.size(); ++k) {
        const FigureInfo& figure = views.figure_table[k];
        TableRow row{std::string(figure.label), {"", "\u2013"}};
        if (!figure.unit.empty()) row.name.append(", ").append(figure.unit);
        if (!figure.of_pair) row.cells[0] = known != nullptr ? cell_text(figure, known->before[k]) : "\u2013";
        if (known != nullptr) row.cells[1] = cell_text(figure, known->after[k]);
        table.rows.push_back(std::move(row));
    }
    const Area place = area_at_cursor(0);
    const Dimmed dimmed(ui, views.figures_are_old);
    draw_table(ui, table);
    for (size_t k = 0; k < table.rows.size(); ++k) {
        const FigureInfo& figure = views.figure_table[k];
        const Area area = table_row(ui, table, place.min(), place.width, k);
        tooltip_at(ui, area, figure_help(figure));
        const std::vector<std::string>& cells = table.rows[k].cells;
        std::string value = known == nullptr ? "" : figure.of_pair ? cells[1] : cells[0] + " to " + cells[1];
        record(ui, "figure:" + std::string(figure.id), area, std::move(value), false);
    }
}

}  // namespace tonescope::ui
