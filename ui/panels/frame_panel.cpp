// What a frame's time goes to, and what the kernels take.
#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"
#include "ui/widgets/charts.h"

namespace tonescope::ui {
namespace {

constexpr float kFrameRow = 34, kBar = 8;

std::string ms_text(double ms) {
    return format("%.*f ms", ms < 10 ? 2 : ms < 100 ? 1 : 0, ms);
}

/// Who, how long without the wait, and the parts side by side.
void draw_row(Frame& ui, const FrameRow& row) {
    const Font& font = ui.theme.small;
    const float above = font.size_px + ui.px(6);
    Area area = area_at_cursor(above + ui.px(kBar));
    const Area bar{area.x, area.y + above, area.width, ui.px(kBar)};
    const double total = row.total_ms();
    draw_text(area.min(), font, ui.colors.text_quiet, row.name);
    const double work = total - row.ms[static_cast<size_t>(FramePart::wait)];
    draw_text_right({area.right(), area.y}, font, ui.colors.text, work > 0 ? ms_text(work) : "\u2013");
    tooltip_at(ui, {area.x, area.y, area.width, font.size_px + ui.px(2)}, row.help);
    fill(bar, ui.colors.frame, ui.px(2));
    double before = 0;
    for (size_t part = 0; total > 0 && part < row.ms.size(); ++part) {
        const float left = std::round(bar.x + bar.width * static_cast<float>(before / total));
        before += row.ms[part];
        const float right = std::round(bar.x + bar.width * static_cast<float>(before / total));
        if (right <= left) continue;
        const Area piece{left, bar.y, right - left, bar.height};
        fill(piece, ui.colors.parts[part]);
        tooltip_at(ui, piece,
                   format("%s: %s, %.0f %%", kFramePartNames[part], ms_text(row.ms[part]).c_str(),
                          100 * row.ms[part] / total));
    }
    record(ui, "frame:" + row.name, area, {}, false);
    area.height = std::max(ui.px(kFrameRow), area.height + ui.px(8));
    end_area(area);
}

/// Values of the parts that anyone has, with the colors of the bars.
void draw_legend(Frame& ui, const std::vector<FrameRow>& rows) {
    double longest = 0;
    for (const FrameRow& row : rows) longest = std::max(longest, std::ranges::max(row.ms));
    const int decimals = std::min(decimals_for(longest), 2);
    Table table{"ms", {}};
    table.indent = ui.px(16);
    for (const FrameRow& row : rows) table.columns.push_back(row.name);
    std::vector<size_t> shown;
    for (size_t part = 0; part < kFramePartNames.size(); ++part) {
        if (std::ranges::all_of(rows, [&](const FrameRow& row) { return row.ms[part] <= 0; })) continue;
        shown.push_back(part);
        TableRow& line = table.rows.emplace_back(TableRow{kFramePartNames[part], {}});
        for (const FrameRow& row : rows)
            line.cells.push_back(row.ms[part] > 0 ? format("%.*f", decimals, row.ms[part]) : "\u2013");
    }
    const Area place = area_at_cursor(0);
    draw_table(ui, table);
    const float side = ui.px(8);
    for (size_t k = 0; k < shown.size(); ++k) {
        const Area row = table_row(ui, table, place.min(), place.width, k);
        const float top = std::floor(row.y + (ui.theme.small.size_px - side) / 2) + 1;
        fill({row.x, top, side, side}, ui.colors.parts[shown[k]], ui.px(2));
        record(ui, std::string("part:") + kFramePartNames[shown[k]], row, {}, false);
    }
}

std::string description(const KernelResources& kernel) {
    std::string text = kernel.kernel + "\n" + with_separators(static_cast<uint64_t>(kernel.grid_blocks)) +
                       (kernel.grid_blocks == 1 ? " block of " : " blocks of ") + std::to_string(kernel.block_threads) +
                       (kernel.block_threads == 1 ? " thread" : " threads");
    if (kernel.launches > 1)
        text += " at most, in " + with_separators(static_cast<uint64_t>(kernel.launches)) + " launches";
    return text + "\n" + std::to_string(kernel.registers) + " registers a thread\n" +
           with_separators(kernel.shared_bytes) + " bytes of shared memory a block\n" +
           with_separators(kernel.spilled_bytes) + " bytes spilled to local memory a thread\n" +
           std::to_string(kernel.blocks_per_multiprocessor) +
           " blocks fit on a multiprocessor at a time: " + format("%.0f", kernel.occupancy_percent) +
           " % of the threads that it can hold (occupancy" + kernel.occupancy.limit_text() + ")";
}

}  // namespace

void draw_frame_times(Frame& ui, const std::vector<FrameRow>& rows) {
    if (rows.empty()) return;
    const bool open = folding_section(ui, "Frame times", ui.settings.frame_shown);
    for (const FrameRow& row : rows) draw_row(ui, row);
    if (open) draw_legend(ui, rows);
}

void draw_kernels(Frame& ui, const std::vector<KernelResources>& kernels) {
    if (kernels.empty() || !folding_section(ui, "Kernels", ui.settings.kernels_shown)) return;
    Table table{"stage", {"occup.", "regs", "shared", "threads", "blocks"}};
    for (const KernelResources& kernel : kernels)
        table.rows.push_back({std::string(kernel.stage),
                              {format("%.0f %%", kernel.occupancy_percent), std::to_string(kernel.registers),
                               with_separators(kernel.shared_bytes), std::to_string(kernel.block_threads),
                               std::to_string(kernel.blocks_per_multiprocessor)}});
    const Area place = area_at_cursor(0);
    draw_table(ui, table);
    for (size_t row = 0; row < kernels.size(); ++row) {
        const Area area = table_row(ui, table, place.min(), place.width, row);
        tooltip_at(ui, area, description(kernels[row]));
        record(ui, "kernel:" + kernels[row].kernel, area, table.rows[row].cells[0], false);
    }
}

}  // namespace tonescope::ui
