#include "ui/widgets/charts/table.h"

#include <algorithm>

namespace tonescope::ui {
namespace {

constexpr float kTableLine = 20;

float column_width(const Frame& ui, const TableColumn& column) {
    float width = text_width(ui.theme.small, column.title);
    for (const std::string& cell : column.cells) width = std::max(width, text_width(ui.theme.small, cell));
    return width;
}

}  // namespace

Area table_row(const Frame& ui, const Table& table, ImVec2 start, float width, size_t row) {
    const bool total = table.last_is_total && row + 1 == table.names.size();
    const float top = start.y + ui.px(kTableLine) * static_cast<float>(row + 1) + (total ? ui.px(6) : 0);
    return {start.x, top, width, ui.px(kTableLine) - ui.px(4)};
}

void draw_table(Frame& ui, const Table& table, float width) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    if (width <= 0) width = ImGui::GetContentRegionAvail().x;
    const Font& font = ui.theme.small;
    const size_t count = table.names.size();
    // As many columns as leave room for the names, the rest of the width spread between them.
    const float gap = ui.px(table.gap);
    std::vector<float> widths;
    float needed = 0;
    for (const TableColumn& column : table.columns) {
        const float own = column_width(ui, column);
        if (needed + own + gap > width - ui.px(table.least_names)) break;
        widths.push_back(own);
        needed += own + gap;
    }
    const auto shown = static_cast<float>(std::max<size_t>(widths.size(), 1));
    const float spare = std::clamp((width - ui.px(table.least_names + 14) - needed) / shown, 0.0F, ui.px(16));
    const float names = width - needed - spare * static_cast<float>(widths.size());
    draw_text(start, font, ui.colors.text_faint, table.heading);
    for (size_t row = 0; row < count; ++row) {
        const bool total = table.last_is_total && row + 1 == count;
        const float top = table_row(ui, table, start, width, row).y;
        if (total)
            ImGui::GetWindowDrawList()->AddRectFilled({start.x, top - ui.px(5)}, {start.x + width, top - ui.px(5) + 1},
                                                      ui.colors.line_soft);
        draw_text({start.x + table.indent, top}, font, total ? ui.colors.text : ui.colors.text_quiet,
                  shorten(font, table.names[row], names - table.indent));
    }
    float right = start.x + names;
    for (size_t k = 0; k < widths.size(); ++k) {
        right += widths[k] + gap + spare;
        draw_text_right({right, start.y}, font, ui.colors.text_faint, table.columns[k].title);
        for (size_t row = 0; row < count; ++row) {
            const bool strong = k == 0 || (table.last_is_total && row + 1 == count);
            draw_text_right({right, table_row(ui, table, start, width, row).y}, font,
                            strong ? ui.colors.text : ui.colors.text_quiet, table.columns[k].cells[row]);
        }
    }
    const float total_gap = table.last_is_total && count > 0 ? ui.px(8) : 0;
    ImGui::Dummy({width, ui.px(kTableLine) * static_cast<float>(count + 1) + total_gap});
}

}  // namespace tonescope::ui
