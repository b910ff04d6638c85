#include "ui/benchmark/bar_chart.h"

#include <algorithm>
#include <cmath>

namespace tonescope::ui {

ChartAxis axis_around(std::span<const ChartBar> bars, bool ratio, bool logarithmic) {
    std::vector<double> values;
    for (const ChartBar& bar : bars) {
        if (!bar.has_value()) continue;
        values.insert(values.end(), {bar.value, bar.low, bar.high});
        if (logarithmic && bar.mark) values.push_back(*bar.mark);
    }
    return make_axis(values, ratio, logarithmic);
}

void draw_grid(ChartPainter& painter, const ChartScale& scale, double y, double height, bool ratio) {
    for (const double tick : scale.axis.ticks())
        painter.fill(std::round(scale.at(tick)), y, 1, height,
                     ratio && tick == 1 ? ChartInk::emphasized_grid : ChartInk::grid);
}

void draw_ticks(ChartPainter& painter, const ChartScale& scale, double y, double right) {
    double free_from = -1e9;
    for (const double tick : scale.axis.ticks()) {
        const std::string text = tick_text(tick);
        const double width = painter.text_width(text);
        const double x = std::min(scale.at(tick) - width / 2, right - width);
        if (x < free_from) continue;
        painter.text(x, y, text, ChartInk::faint, width + 1);
        free_from = x + width + painter.px(8);
    }
}

void draw_bar(ChartPainter& painter, const ChartBar& bar, const ChartScale& scale, const ChartRow& row) {
    const double gap = painter.px(8), middle = row.y + row.height / 2;
    const double name_right = scale.left - painter.px(10);
    painter.name(name_right, middle, bar.name, bar.has_value() ? ChartInk::text : ChartInk::quiet, name_right - row.x);
    if (!bar.has_value()) {
        painter.text(scale.left + gap, middle, bar.text,
                     bar.kind == ChartBar::Kind::failed ? ChartInk::warning : ChartInk::faint,
                     row.right() - scale.left - gap);
        return;
    }
    const double base = scale.at(scale.axis.base), end = scale.at(bar.value);
    const double thick = std::floor(std::min(row.height * 0.62, painter.px(18)));
    const double top = std::floor(row.y + (row.height - thick) / 2);
    const double left = std::min(base, end), right = std::max({base, end, left + painter.px(1)});
    painter.fill(left, top, right - left, thick, bar.kind == ChartBar::Kind::cpu ? ChartInk::cpu : ChartInk::gpu,
                 painter.px(2));
    double reach = right;
    if (bar.high > bar.low) {
        const double low = scale.at(bar.low), high = scale.at(bar.high);
        const double y = std::floor(top + thick / 2), line = std::max(1.0, painter.px(1));
        painter.fill(low, y, std::max(high - low, line), line, ChartInk::percentiles);
        for (const double x : {low, high})
            painter.fill(x, y - painter.px(3), line, 2 * painter.px(3) + line, ChartInk::percentiles);
        reach = std::max(reach, high);
    }
    if (bar.mark && scale.reaches(*bar.mark)) {
        const double x = std::round(scale.at(*bar.mark));
        painter.fill(x - painter.px(1), top - painter.px(2), painter.px(1) + std::max(1.0, painter.px(1)),
                     thick + 2 * painter.px(2), ChartInk::text);
        if (x >= right && x < reach + gap + painter.text_width(bar.text)) reach = std::max(reach, x);
    }
    painter.text(reach + gap, middle, bar.text, ChartInk::text, 1e9);
    if (bar.warning.empty()) return;
    const double x = reach + 2 * gap + painter.text_width(bar.text);
    painter.text(x, middle, bar.warning, ChartInk::warning, row.right() - x);
}

double draw_legend(ChartPainter& painter, double x, double y, const std::string& cpu, const std::string& gpu,
                   bool marks) {
    const double side = painter.px(10);
    const auto entry = [&](ChartInk ink, double width, const std::string& text) {
        if (text.empty()) return;
        painter.fill(x + (side - width) / 2, std::floor(y - side / 2), width, side, ink,
                     width < side ? 0 : painter.px(2));
        painter.text(x + side + painter.px(6), y, text, ChartInk::quiet, 1e9);
        x += side + painter.px(6) + painter.text_width(text) + painter.px(16);
    };
    entry(ChartInk::cpu, side, cpu);
    entry(ChartInk::gpu, side, gpu);
    if (marks) entry(ChartInk::text, std::max(2.0, painter.px(2)), "Amdahl's bound");
    return x;
}

}  // namespace tonescope::ui
