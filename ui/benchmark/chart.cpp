// The comparison as horizontal bars, one a variant.
#include <algorithm>
#include <cmath>

#include "ui/benchmark/rows.h"

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

class WindowPainter : public ChartPainter {
  public:
    explicit WindowPainter(Frame& ui, const Font& font) : ui_(ui), font_(font) {}
    double px(double length) const override { return ui_.px(static_cast<float>(length)); }
    void fill(double x, double y, double width, double height, ChartInk ink, double rounding) override {
        tonescope::ui::fill(between(point(x, y), point(x + width, y + height)), color(ink),
                            static_cast<float>(rounding));
    }
    void line(std::span<const ChartPoint> points, double width, ChartInk ink) override {
        const std::vector<ImVec2> on_screen = on_screen_of(points);
        ImGui::GetWindowDrawList()->AddPolyline(on_screen.data(), static_cast<int>(on_screen.size()), color(ink), 0,
                                                static_cast<float>(width));
    }
    void polygon(std::span<const ChartPoint> outline, ChartInk ink) override {
        const std::vector<ImVec2> on_screen = on_screen_of(outline);
        ImGui::GetWindowDrawList()->AddConvexPolyFilled(on_screen.data(), static_cast<int>(on_screen.size()),
                                                        color(ink));
    }
    double name_width(const std::string& text) const override { return text_width(text); }
    double text_width(const std::string& text) const override { return tonescope::ui::text_width(font_, text); }
    void name(double right, double y, const std::string& text, ChartInk ink, double room) override {
        draw_cut(right - room, y, text, ink, room, Align::right);
    }
    void text(double x, double y, const std::string& text, ChartInk ink, double room) override {
        draw_cut(x, y, text, ink, room, Align::left);
    }

  private:
    static std::vector<ImVec2> on_screen_of(std::span<const ChartPoint> points) {
        std::vector<ImVec2> on_screen;
        for (const ChartPoint& p : points) on_screen.push_back(point(p.x, p.y));
        return on_screen;
    }
    static ImVec2 point(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }
    void draw_cut(double x, double y, const std::string& text, ChartInk ink, double room, Align align) {
        const float height = font_.size_px;
        draw_line_cut(ui_,
                      {static_cast<float>(x), static_cast<float>(y) - height / 2, static_cast<float>(room), height},
                      font_, color(ink), text, false, align);
    }
    ImU32 color(ChartInk ink) const {
        const Palette& c = ui_.colors;
        const ImU32 inks[] = {c.text,    c.text_quiet,   c.text_faint, c.line_soft, c.text_faint, c.bar_cpu,
                              c.bar_gpu, c.bar_interval, c.warning,    c.bar_host,  c.bar_copies};
        return ink < ChartInk::line ? inks[static_cast<size_t>(ink)]
                                    : c.lines[static_cast<size_t>(ink) - static_cast<size_t>(ChartInk::line)];
    }

    Frame& ui_;
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
