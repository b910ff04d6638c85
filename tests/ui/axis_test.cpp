// Axes of the charts.
#include <gtest/gtest.h>

#include "ui/benchmark/bar_chart.h"

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

}  // namespace
}  // namespace tonescope::ui
