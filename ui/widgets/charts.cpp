#include "ui/widgets/charts.h"

#include <algorithm>

namespace tonescope::ui {
namespace {

constexpr float kTableLine = 20;

bool is_total(const Table& table, size_t row) {
    return table.last_is_total && row + 1 == table.rows.size();
}

}  // namespace

void fill_to_level(std::span<const ImVec2> curve, float level_y, ImU32 color) {
    if (curve.size() < 2) return;
    // One strip of triangles without smoothed sides, which would show as seams.
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
    const auto steps = static_cast<unsigned>(curve.size()) - 1;
    list.PrimReserve(static_cast<int>(steps) * 6, static_cast<int>(curve.size()) * 2);
    const unsigned first = list._VtxCurrentIdx;
    for (const ImVec2& p : curve) {
        list.PrimWriteVtx(p, uv, color);
        list.PrimWriteVtx({p.x, level_y}, uv, color);
    }
    for (unsigned k = 0; k < steps; ++k)
        for (const unsigned corner : {0U, 2U, 3U, 0U, 3U, 1U})
            list.PrimWriteIdx(static_cast<ImDrawIdx>(first + 2 * k + corner));
}

Area table_row(const Frame& ui, const Table& table, ImVec2 start, float width, size_t row) {
    const float top = start.y + ui.px(kTableLine) * static_cast<float>(row + 1) + (is_total(table, row) ? ui.px(6) : 0);
    return {start.x, top, width, ui.px(kTableLine) - ui.px(4)};
}

void draw_table(Frame& ui, const Table& table, float width) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    if (width <= 0) width = ImGui::GetContentRegionAvail().x;
    const Font& font = ui.theme.small;
    const size_t count = table.rows.size();
    // As many columns as leave room for the names, the rest of the width spread between them.
    const float gap = ui.px(table.gap);
    std::vector<float> widths;
    float needed = 0;
    for (size_t k = 0; k < table.columns.size(); ++k) {
        float own = text_width(font, table.columns[k]);
        for (const TableRow& row : table.rows) own = std::max(own, text_width(font, row.cells[k]));
        if (needed + own + gap > width - ui.px(table.least_names)) break;
        widths.push_back(own);
        needed += own + gap;
    }
    const auto shown = static_cast<float>(std::max<size_t>(widths.size(), 1));
    const float spare = std::clamp((width - ui.px(table.least_names + 14) - needed) / shown, 0.0F, ui.px(16));
    const float names = width - needed - spare * static_cast<float>(widths.size());
    draw_text(start, font, ui.colors.text_faint, table.heading);
    for (size_t row = 0; row < count; ++row) {
        const float top = table_row(ui, table, start, width, row).y;
        if (is_total(table, row)) fill({start.x, top - ui.px(6), width, 1}, ui.colors.line_soft);
        draw_line_cut(ui, {start.x + table.indent, top, names - table.indent, font.size_px}, font,
                      is_total(table, row) ? ui.colors.text : ui.colors.text_quiet, table.rows[row].name);
    }
    float right = start.x + names;
    for (size_t k = 0; k < widths.size(); ++k) {
        right += widths[k] + gap + spare;
        draw_text_right({right, start.y}, font, ui.colors.text_faint, table.columns[k]);
        for (size_t row = 0; row < count; ++row) {
            const Dimmed dimmed(ui, table.rows[row].is_old || table.old_column == k);
            draw_text_right({right, table_row(ui, table, start, width, row).y}, font,
                            k == 0 || is_total(table, row) ? ui.colors.text : ui.colors.text_quiet,
                            table.rows[row].cells[k]);
        }
    }
    const float total_gap = table.last_is_total && count > 0 ? ui.px(8) : 0;
    ImGui::Dummy({width, ui.px(kTableLine) * static_cast<float>(count + 1) + total_gap});
}

}  // namespace tonescope::ui
