// The comparison as horizontal bars, one a variant.
#include <algorithm>
#include <cmath>

#include "ui/benchmark/bar_chart.h"
#include "ui/benchmark/parts.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

using State = BenchmarkRow::State;

constexpr float kMinRow = 20, kMaxRow = 34, kFooter = 46;

bool is_ratio(BenchmarkTab tab) {
    return tab == BenchmarkTab::previous || tab == BenchmarkTab::best_previous || tab == BenchmarkTab::cpu;
}

const char* unit(BenchmarkTab tab) {
    if (tab == BenchmarkTab::time) return "ms";
    if (tab == BenchmarkTab::throughput) return "MPixel/s";
    if (tab == BenchmarkTab::previous) return "times as fast as the variant before it";
    if (tab == BenchmarkTab::best_previous) return "times as fast as the best variant before it";
    return "times as fast as plain loops on the CPU";
}

ChartBar bar_of(const Shown& shown, const BenchmarkRow& variant) {
    const BenchmarkTab tab = shown.choice.chart;
    ChartBar bar{.name = std::string(variant.variant->name)};
    if (variant.state == State::not_run) {
        bar.kind = ChartBar::Kind::failed;
        bar.text = variant.reason;
        return bar;
    }
    if (variant.state != State::done) {
        bar.text = variant.state == State::running ? "measuring" : "";
        return bar;
    }
    if (!variant.identical()) bar.warning = variant.result_text(shown.benchmark.op->makes_bins);
    const ChartBar::Kind kind =
        variant.variant->backend == BackendKind::cpu ? ChartBar::Kind::cpu : ChartBar::Kind::gpu;
    const BenchmarkTime& own = figures(shown, variant);
    if (tab == BenchmarkTab::time) {
        bar.kind = kind;
        bar.value = own.time.median_ms;
        bar.low = own.time.p10_ms;
        bar.high = own.time.p90_ms;
        bar.text = figure_text(own.time.median_ms) + " ms";
    } else if (tab == BenchmarkTab::throughput) {
        const auto rate = [&](double ms) { return mpixel_s(shown.benchmark.size, ms); };
        bar.kind = kind;
        bar.value = rate(own.time.median_ms);
        bar.low = rate(own.time.p90_ms);
        bar.high = rate(own.time.p10_ms);
        bar.text = figure_text(bar.value);
    } else {
        const SpeedUps& all = own.speed_up;
        const std::optional<double>& ratio = tab == BenchmarkTab::previous        ? all.previous
                                             : tab == BenchmarkTab::best_previous ? all.best_previous
                                                                                  : all.reference;
        if (ratio) {
            bar.kind = kind;
            bar.value = bar.low = bar.high = *ratio;
            bar.text = figure_text(*ratio) + "\u00d7";
        } else {
            bar.text = tab == BenchmarkTab::cpu ? "no reference to compare with" : "nothing before it on this backend";
        }
        if (tab == BenchmarkTab::cpu) bar.mark = variant.amdahl;
    }
    return bar;
}

class WindowPainter : public ChartPainter {
  public:
    explicit WindowPainter(const Frame& ui) : ui_(ui), font_(ui.theme.small) {}
    double px(double length) const override { return ui_.px(static_cast<float>(length)); }
    void fill(double x, double y, double width, double height, ChartInk ink, double rounding) override {
        ImGui::GetWindowDrawList()->AddRectFilled(point(x, y), point(x + width, y + height), color(ink),
                                                  static_cast<float>(rounding));
    }
    double name_width(const std::string& text) const override { return tonescope::ui::text_width(font_, text); }
    double text_width(const std::string& text) const override { return tonescope::ui::text_width(font_, text); }
    void name(double right, double y, const std::string& text, ChartInk ink, double room) override {
        draw_text_right(point(right, line(y)), font_, color(ink), shorten(font_, text, static_cast<float>(room)));
    }
    void text(double x, double y, const std::string& text, ChartInk ink, double room) override {
        draw_text(point(x, line(y)), font_, color(ink), shorten(font_, text, static_cast<float>(room)));
    }

  private:
    static ImVec2 point(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }
    float line(double y) const { return middle(font_, static_cast<float>(y), 0); }
    ImU32 color(ChartInk ink) const {
        const Palette& colors = ui_.colors;
        switch (ink) {
            case ChartInk::text:
                return colors.text;
            case ChartInk::quiet:
                return colors.text_quiet;
            case ChartInk::faint:
            case ChartInk::emphasized_grid:
                return colors.text_faint;
            case ChartInk::grid:
                return colors.line_soft;
            case ChartInk::cpu:
                return colors.bar_cpu;
            case ChartInk::gpu:
                return colors.bar_gpu;
            case ChartInk::percentiles:
                return colors.bar_spread;
            case ChartInk::warning:
                return colors.warning;
        }
        return colors.text;
    }

    const Frame& ui_;
    const Font& font_;
};

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
    const bool ratio = is_ratio(shown.choice.chart);
    WindowPainter painter(ui);
    std::vector<ChartBar> bars;
    double names = 0, texts = ui.px(60);
    for (const BenchmarkRow* variant : variants) {
        const ChartBar& bar = bars.emplace_back(bar_of(shown, *variant));
        names = std::max(names, painter.name_width(bar.name));
        if (!bar.has_value()) continue;
        double text = painter.text_width(bar.text);
        if (!bar.warning.empty()) text += ui.px(8) + std::min(painter.text_width(bar.warning), area.width * 0.2);
        texts = std::max(texts, text);
    }
    ChartScale scale{axis_around(bars, ratio, shown.choice.logarithmic)};
    const bool marks =
        std::ranges::any_of(bars, [&](const ChartBar& bar) { return bar.mark && scale.reaches(*bar.mark); });
    scale.left = std::round(area.x + std::min(names + ui.px(16), area.width * 0.36));
    scale.right = std::max(scale.left + ui.px(20), area.right() - texts - ui.px(12));

    const float bottom = ui.px(kFooter);
    const Area rows{area.x, area.y, area.width, std::max(area.height - bottom, ui.px(kMinRow))};
    const auto count = static_cast<float>(std::max<size_t>(variants.size(), 1));
    const float row = std::floor(std::clamp(rows.height / count, ui.px(kMinRow), ui.px(kMaxRow)));
    const float used = std::min(row * count, rows.height);
    ImGui::SetCursorScreenPos(rows.min());
    begin_child("##bars", {rows.width + ui.px(kScrollMargin), used}, 0, rows.width);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    draw_grid(painter, scale, start.y, row * count, ratio);
    float y = start.y;
    for (size_t k = 0; k < variants.size(); ++k) {
        variant_row(ui, shown, *variants[k], {start.x, y, rows.width, row}, "bar:");
        draw_bar(painter, bars[k], scale, {start.x, y, rows.width, row});
        y += row;
    }
    ImGui::SetCursorScreenPos({start.x, y});
    ImGui::Dummy({1, 0});
    ImGui::EndChild();
    const Font& font = ui.theme.small;
    const float ticks = rows.y + used + ui.px(4) + font.size_px / 2, legend = ticks + font.size_px + ui.px(5);
    draw_ticks(painter, scale, ticks, area.right());
    const double free_from = draw_legend(painter, area.x, legend, "CPU", "GPU", marks);
    painter.name(area.right(), legend, unit(shown.choice.chart), ChartInk::faint, area.right() - free_from);
    record(ui, "comparison chart", rows.min(), {rows.right(), rows.y + used + bottom}, unit(shown.choice.chart), false);
}

}  // namespace tonescope::ui
