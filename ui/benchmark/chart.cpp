// The comparison as horizontal bars, one a variant.
#include <algorithm>
#include <cmath>

#include "ui/benchmark/rows.h"
#include "ui/benchmark/window_painter.h"

namespace tonescope::ui {
namespace {

using State = BenchmarkRow::State;

/// Rows from this height on have larger texts.
constexpr float kLargeRow = 34;
constexpr float kMinRow = 20, kMaxRow = 120, kFooter = 46;

std::string unit(const Shown& shown) {
    switch (shown.choice.chart()) {
        case ChartFigure::time:
            return "ms";
        case ChartFigure::throughput:
            return "MPixel/s";
        case ChartFigure::basis:
            return "times as fast as " + shown.benchmark.basis_title;
        case ChartFigure::cpu:
            break;
    }
    return "times as fast as the reference on the CPU";
}

ChartBar shown_bar(const Shown& shown, const BenchmarkRow& variant) {
    if (variant.state == State::done)
        return bar_of(variant, shown.figures(variant), shown.choice.chart(), *shown.benchmark.op, shown.benchmark.size,
                      figure_text, "");
    ChartBar bar{.name = variant.name()};
    if (variant.state == State::running) bar.text = "measuring";
    if (variant.state != State::not_run) return bar;
    bar.kind = ChartBar::Kind::failed;
    bar.text = variant.reason;
    return bar;
}

/// Variants that can have a bar.
std::vector<const BenchmarkRow*> charted(const BenchmarkModel& benchmark) {
    std::vector<const BenchmarkRow*> variants;
    for (const BenchmarkRow& variant : benchmark.variants)
        if (variant.available) variants.push_back(&variant);
    return variants;
}

}  // namespace

float benchmark_chart_height(const Frame& ui, const Shown& shown) {
    return ui.px(kMinRow + 6) * static_cast<float>(charted(shown.benchmark).size()) + ui.px(kFooter);
}

void draw_benchmark_chart(Frame& ui, const Shown& shown, const Area& area) {
    const std::vector<const BenchmarkRow*> variants = charted(shown.benchmark);
    const bool ratio = is_ratio(shown.choice.chart());
    const float bottom = ui.px(kFooter);
    const Area rows{area.x, area.y, area.width, std::max(area.height - bottom, ui.px(kMinRow))};
    const auto count = static_cast<float>(std::max<size_t>(variants.size(), 1));
    const float row = std::floor(std::clamp(rows.height / count, ui.px(kMinRow), ui.px(kMaxRow)));
    const Font& font = row >= ui.px(kLargeRow) ? ui.theme.body : ui.theme.small;
    WindowPainter painter(ui, font);
    std::vector<ChartBar> bars;
    for (const BenchmarkRow* variant : variants) bars.push_back(shown_bar(shown, *variant));
    const auto [names, texts] = widths_of(painter, bars, area.width * 0.2);
    ChartScale scale{axis_around(bars, ratio, shown.choice.logarithmic)};
    const bool marks =
        std::ranges::any_of(bars, [&](const ChartBar& bar) { return bar.mark && scale.reaches(*bar.mark); });
    const bool parts = std::ranges::any_of(bars, [&](const ChartBar& bar) { return has_parts(bar, scale.axis); });
    scale.left = std::round(area.x + std::min(names + ui.px(16), area.width * 0.36));
    scale.right = std::max(scale.left + ui.px(20), area.right() - std::max<double>(texts, ui.px(60)) - ui.px(12));
    const float used = std::min(row * count, rows.height);
    ImGui::SetCursorScreenPos(rows.min());
    begin_child("##bars", {rows.width + ui.px(kScrollMargin), used}, 0, rows.width);
    Area place = area_at_cursor(row);
    place.width = rows.width;
    draw_grid(painter, scale, place.y, row * count, ratio);
    for (size_t k = 0; k < variants.size(); ++k, place.y += row) {
        variant_row(ui, shown, *variants[k], place, "bar:");
        draw_bar(painter, bars[k], scale, {place.x, place.y, place.width, row});
    }
    ImGui::SetCursorScreenPos(place.min());
    ImGui::Dummy({1, 0});
    end_child(ui);
    const float ticks = rows.y + used + ui.px(4) + font.size_px / 2, legend = ticks + font.size_px + ui.px(6);
    draw_ticks(painter, scale, ticks, area.right());
    const double free_from = draw_legend(painter, area.x, legend, "CPU", "GPU", marks, parts);
    painter.name(area.right(), legend, unit(shown), ChartInk::faint, area.right() - free_from);
    record(ui, "comparison chart", {rows.x, rows.y, rows.width, used + bottom}, unit(shown), false);
}

}  // namespace tonescope::ui
