#include "ui/benchmark/occupancy_chart.h"

#include <algorithm>
#include <cmath>

namespace tonescope::ui {

void draw_occupancy(ChartPainter& painter, const KernelResources& kernel, const ChartRow& area) {
    const Occupancy& occupancy = kernel.occupancy;
    const double line = painter.px(15), hair = std::max(1.0, std::round(painter.px(0.7)));
    ChartScale x, y;
    x.axis.max = double(occupancy.warps.size()) * 32;
    y.axis.max = 100;
    x.left = area.x + painter.text_width("100 %") + painter.px(8);
    x.right = area.right() - painter.px(8);
    y.left = area.y + area.height - 1.6 * line;
    y.right = area.y + painter.px(6);
    for (const double percent : {0.0, 50.0, 100.0}) {
        const double at = std::round(y.at(percent));
        painter.fill(x.left, at, x.right - x.left, hair, ChartInk::grid);
        painter.name(x.left - painter.px(6), at, tick_text(percent) + " %", ChartInk::faint, x.left - area.x);
    }
    draw_ticks(painter, x, y.left + 0.8 * line, area.right());
    // Blocks that do not run leave the curve out.
    std::vector<ChartPoint> curve;
    for (size_t k = 0; k < occupancy.warps.size(); ++k)
        if (occupancy.warps[k] > 0)
            curve.push_back({x.at(32 * double(k + 1)), y.at(occupancy.percent(occupancy.warps[k]))});
    painter.line(curve, painter.px(1.8), ChartInk::gpu);
    const ChartPoint at{x.at(32.0 * occupancy.block_warps), y.at(occupancy.percent(occupancy.resident_warps()))};
    const double r = painter.px(5);
    const ChartPoint mark[] = {{at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y}};
    painter.polygon(mark, ChartInk::text);
}

}  // namespace tonescope::ui
