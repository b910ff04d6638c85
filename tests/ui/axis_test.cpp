// Axes of the charts, and lines over them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ui/benchmark/line_chart.h"

namespace tonescope::ui {
namespace {

TEST(ChartAxis, LinearStartsAtZero) {
    const std::vector<double> values = {3, 7, 42};
    const ChartAxis axis = make_axis(values, false, false);
    EXPECT_EQ(axis.part(0), 0);
    EXPECT_EQ(axis.part(42), 1);
    EXPECT_DOUBLE_EQ(axis.part(21), 0.5);
    EXPECT_EQ(axis.ticks(), (std::vector<double>{0, 5, 10, 15, 20, 25, 30, 35, 40}));
}

TEST(ChartAxis, LogarithmicSpansTheValues) {
    const std::vector<double> values = {0.03, 90};
    const ChartAxis axis = make_axis(values, false, true);
    EXPECT_NEAR(axis.min, 0.02, 1e-9);
    EXPECT_EQ(axis.part(0.001), 0) << "below the axis";
    EXPECT_EQ(axis.part(90), 1);
    const std::vector<double> ticks = axis.ticks();
    ASSERT_EQ(ticks.size(), 3U);
    EXPECT_NEAR(ticks[0], 0.1, 1e-9);
    EXPECT_NEAR(ticks[2], 10, 1e-9);
}

TEST(ChartAxis, RatiosBeginAtOne) {
    const std::vector<double> values = {1.4, 3};
    const ChartAxis axis = make_axis(values, true, true);
    EXPECT_EQ(axis.base, 1);
    EXPECT_EQ(axis.part(1), 0);
    const std::vector<double> slower = {0.6, 0.9};
    const ChartAxis below = make_axis(slower, true, true);
    EXPECT_NEAR(below.min, 0.5, 1e-9);
    EXPECT_EQ(below.part(1), 1);
}

TEST(ChartAxis, OfNothing) {
    const ChartAxis axis = make_axis({}, true, true);
    EXPECT_FALSE(axis.ticks().empty());
    EXPECT_EQ(axis.part(0), 0);
}

TEST(ChartAxis, TickTexts) {
    EXPECT_EQ(tick_text(0.05), "0.05");
    EXPECT_EQ(tick_text(20), "20");
    EXPECT_EQ(tick_text(5000), "5,000");
}

/// Notes what is drawn; texts have 10 pixels a letter.
class NotingPainter : public ChartPainter {
  public:
    double px(double length) const override { return length; }
    void fill(double, double, double, double, ChartInk, double) override {}
    void line(std::span<const ChartPoint> points, double, ChartInk) override { lines += points.empty() ? 0 : 1; }
    void polygon(std::span<const ChartPoint> outline, ChartInk ink) override {
        marks.insert({ink, outline.size()});
        for (const ChartPoint& corner : outline) {
            EXPECT_TRUE(std::isfinite(corner.x) && std::isfinite(corner.y));
        }
    }
    double name_width(const std::string& text) const override { return 10 * double(text.size()); }
    double text_width(const std::string& text) const override { return 10 * double(text.size()); }
    void name(double, double, const std::string&, ChartInk, double) override {}
    void text(double, double y, const std::string& text, ChartInk, double) override { texts.emplace_back(text, y); }

    std::set<std::pair<ChartInk, size_t>> marks;
    int lines = 0;
    std::vector<std::pair<std::string, double>> texts;
};

constexpr ChartSubject kTotal{ChartFigure::time, &BenchmarkRow::total};

std::string whole(double value) {
    return std::to_string(int(value));
}

/// `variants` rows, of which row k takes (k + 1) ms times the case's number, in cases on two axes.
std::vector<CaseRows> made_up_cases(size_t variants) {
    static std::vector<VariantInfo> infos(40);
    std::vector<CaseRows> cases;
    for (size_t image = 0; image < 2; ++image) {
        for (size_t size = 0; size < 3; ++size) {
            CaseRows& one = cases.emplace_back(CaseRows{{image, size}, {100, 100, PixelFormat::gray8, false}, {}});
            for (size_t k = 0; k < variants; ++k) {
                infos[k].name = "variant";
                BenchmarkRow& row = one.rows.emplace_back();
                row.variant = &infos[k];
                const double ms = double(k + 1) * double(size + 1);
                row.total = {{ms, ms, ms}, Interval{ms * 0.9, ms * 1.1}, {}};
            }
        }
    }
    return cases;
}

const std::vector<CaseAxis> kAxes = {
    {.id = "image", .title = "Image", .labels = {"noise", "ramp"}},
    {.id = "size", .title = "Size", .labels = {"a", "b", "c"}, .positions = {1, 4, 9}}};

TEST(LineChart, OneForEachOfTheOtherAxes) {
    std::vector<CaseRows> cases = made_up_cases(4);
    cases[5].rows[3].fail("out of memory");
    const auto charts = line_charts(OperatorInfo{}, kAxes, cases, 1, kTotal, whole, "");
    ASSERT_EQ(charts.size(), 2U);
    EXPECT_EQ(charts[1].title, "ramp");
    ASSERT_EQ(charts[1].lines.size(), 4U);
    EXPECT_EQ(charts[1].lines[0].points.size(), 3U);
    EXPECT_EQ(charts[1].lines[3].points.size(), 2U) << "one was not measured";
    const LinePoint& point = charts[1].lines[2].points[1];
    EXPECT_EQ(point.point, 4U);
    EXPECT_EQ(point.position, 4);
    EXPECT_EQ(point.bar.text, "6 ms");
    EXPECT_DOUBLE_EQ(point.bar.low, 5.4);
    const auto by_image = line_charts(OperatorInfo{}, kAxes, cases, 0, kTotal, whole, "");
    ASSERT_EQ(by_image.size(), 3U);
    EXPECT_FALSE(by_image[0].has_numbers);
    EXPECT_EQ(by_image[0].positions, (std::vector<double>{1, 2}));
}

TEST(LineChart, FindsThePointUnderTheMouse) {
    const auto charts = line_charts(OperatorInfo{}, kAxes, made_up_cases(3), 1, kTotal, whole, "");
    NotingPainter painter;
    const LinePlot plot = plot_of(painter, charts[0], {0, 0, 800, 400}, AxisKind::linear);
    const ChartPoint& at = plot.points[1][2];
    EXPECT_EQ(plot.nearest(at.x + 3, at.y - 2, 10), std::pair(size_t{1}, size_t{2}));
    EXPECT_EQ(plot.nearest(at.x, at.y - 60, 10), std::nullopt);
    EXPECT_LT(plot.points[2][0].y, plot.points[0][0].y) << "what takes longer stands higher";
    EXPECT_LT(plot.points[0][0].x, plot.points[0][1].x);
    const LinePlot logarithmic = plot_of(painter, charts[0], {0, 0, 800, 400}, AxisKind::logarithmic);
    EXPECT_TRUE(logarithmic.x.axis.logarithmic && logarithmic.y.axis.logarithmic);
    EXPECT_TRUE(plot_of(painter, charts[0], {0, 0, 800, 400}, AxisKind::automatic).x.axis.logarithmic) << "1 to 9";
}

TEST(LineChart, NamesDoNotLieOnEachOther) {
    for (const size_t variants : {3U, 12U, 25U, 40U}) {
        const auto charts = line_charts(OperatorInfo{}, kAxes, made_up_cases(variants), 1, kTotal, whole, "");
        NotingPainter painter;
        const ChartRow area{0, 0, 800, 400};
        const LinePlot plot = plot_of(painter, charts[0], area, AxisKind::automatic);
        std::vector<double> places;
        for (const double y : plot.label_y)
            if (!std::isnan(y)) places.push_back(y);
        EXPECT_EQ(places.size(), std::min<size_t>(variants, 25)) << "what has room";
        std::ranges::sort(places);
        for (size_t i = 0; i < places.size(); ++i) {
            EXPECT_TRUE(places[i] >= 0 && places[i] <= 400);
            EXPECT_TRUE(i == 0 || places[i] - places[i - 1] > 14.9) << places[i];
        }
        draw_line_chart(painter, charts[0], plot, area, variants - 1);
        EXPECT_GE(painter.lines, int(variants));
        EXPECT_EQ(std::ranges::count(painter.texts, "variant", &std::pair<std::string, double>::first),
                  std::ptrdiff_t(places.size() + (std::isnan(plot.label_y.back()) ? 1 : 0)))
            << "the highlighted one has a name in any case";
    }
}

TEST(LineChart, LinesOfOneInkHaveMarksOfTheirOwn) {
    const auto charts = line_charts(OperatorInfo{}, kAxes, made_up_cases(40), 1, kTotal, whole, "");
    NotingPainter painter;
    const ChartRow area{0, 0, 800, 900};
    draw_line_chart(painter, charts[0], plot_of(painter, charts[0], area, AxisKind::automatic), area);
    // 7 inks; discs have 16 corners, triangles 3, all other marks 4.
    EXPECT_EQ(painter.marks.size(), 7U * 3U);
}

}  // namespace
}  // namespace tonescope::ui
