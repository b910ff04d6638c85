// Right, below the stages: what a frame's time goes to, for everyone who works on it.
#include <algorithm>
#include <cmath>

#include "ui/panels/timings/timings_text.h"
#include "ui/widgets/charts/table.h"

namespace tonescope::ui {
namespace {

constexpr float kFrameRow = 34, kBar = 8;

std::string ms_text(double ms) {
    return format("%.*f ms", ms < 10 ? 2 : ms < 100 ? 1 : 0, ms);
}

/// Who, how long without the wait, and the parts side by side.
void draw_row(Frame& ui, const FrameRow& row) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const Font& font = ui.theme.small;
    const double total = row.total_ms();
    draw_text(start, font, ui.colors.text_quiet, row.name);
    const double work = total - row.ms[static_cast<size_t>(FramePart::wait)];
    draw_text_right({start.x + width, start.y}, font, ui.colors.text, work > 0 ? ms_text(work) : "\xe2\x80\x93");
    tooltip_at(ui, start, {start.x + width, start.y + font.size_px + ui.px(2)}, row.help);
    const Area bar{start.x, start.y + font.size_px + ui.px(5), width, ui.px(kBar)};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(bar.min(), bar.max(), ui.colors.frame, ui.px(2));
    double before = 0;
    for (size_t part = 0; total > 0 && part < row.ms.size(); ++part) {
        const float left = std::round(bar.x + width * static_cast<float>(before / total));
        before += row.ms[part];
        const float right = std::round(bar.x + width * static_cast<float>(before / total));
        if (right <= left) continue;
        list.AddRectFilled({left, bar.y}, {right, bar.bottom()}, ui.colors.parts[part]);
        tooltip_at(ui, {left, bar.y}, {right, bar.bottom()},
                   format("%s: %s, %.0f %%", kFramePartNames[part], ms_text(row.ms[part]).c_str(),
                          100 * row.ms[part] / total));
    }
    record(ui, "frame:" + row.name, start, {start.x + width, bar.bottom()}, {}, false);
    ImGui::Dummy({width, std::max(ui.px(kFrameRow), bar.bottom() - start.y + ui.px(7))});
}

/// Values of the parts that anyone has, with the colours of the bars.
void draw_legend(Frame& ui, const std::vector<FrameRow>& rows) {
    double longest = 0;
    for (const FrameRow& row : rows) longest = std::max(longest, std::ranges::max(row.ms));
    const int decimals = std::min(decimals_for(longest), 2);
    Table table{"ms", {}, {}, false, ui.px(16)};
    for (const FrameRow& row : rows) table.columns.push_back({row.name.c_str(), {}});
    std::vector<size_t> shown;
    for (size_t part = 0; part < kFramePartNames.size(); ++part) {
        if (std::ranges::all_of(rows, [&](const FrameRow& row) { return row.ms[part] <= 0; })) continue;
        shown.push_back(part);
        table.names.emplace_back(kFramePartNames[part]);
        for (size_t k = 0; k < rows.size(); ++k)
            table.columns[k].cells.push_back(rows[k].ms[part] > 0 ? format("%.*f", decimals, rows[k].ms[part])
                                                                  : std::string("\xe2\x80\x93"));
    }
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    draw_table(ui, table);
    const float side = ui.px(9);
    for (size_t k = 0; k < shown.size(); ++k) {
        const Area row = table_row(ui, table, start, width, k);
        const float top = std::floor(row.y + (ui.theme.small.size_px - side) / 2) + 1;
        ImGui::GetWindowDrawList()->AddRectFilled({row.x, top}, {row.x + side, top + side}, ui.colors.parts[shown[k]],
                                                  ui.px(2));
        record(ui, std::string("part:") + kFramePartNames[shown[k]], row.min(), row.max(), {}, false);
    }
}

}  // namespace

void draw_frame_times(Frame& ui, const std::vector<FrameRow>& rows) {
    if (rows.empty()) return;
    const bool open = folding_section(ui, "Frame", ui.settings.frame_shown);
    for (const FrameRow& row : rows) draw_row(ui, row);
    if (open) draw_legend(ui, rows);
}

}  // namespace tonescope::ui
