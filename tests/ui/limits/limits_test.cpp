// The page "Limits": rooflines, sentences and occupancy.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/ui/scenes/compare_scenes.h"
#include "tests/ui/scenes/scene_test.h"
#include "ui/benchmark/occupancy_chart.h"
#include "ui/benchmark/roofline.h"

namespace tonescope::ui {
namespace {

std::string plain(double value) {
    return std::to_string(int64_t(value));
}

/// Texts 6 pixels a letter; notes what is drawn.
class Notes final : public ChartPainter {
  public:
    double px(double length) const override { return length; }
    void fill(double, double, double, double, ChartInk, double) override {}
    void line(std::span<const ChartPoint> points, double, ChartInk) override {
        lines.emplace_back(points.begin(), points.end());
    }
    void polygon(std::span<const ChartPoint> outline, ChartInk) override {
        polygons.emplace_back(outline.begin(), outline.end());
    }
    double name_width(const std::string& text) const override { return text_width(text); }
    double text_width(const std::string& text) const override { return 6.0 * double(text.size()); }
    void name(double, double, const std::string& text, ChartInk, double) override { texts.push_back(text); }
    void text(double, double, const std::string& text, ChartInk, double) override { texts.push_back(text); }

    std::vector<std::vector<ChartPoint>> lines, polygons;
    std::vector<std::string> texts;
};

/// A roofline at 100 GB/s and 1000 billion instructions a second.
Roofline made_up(std::vector<RooflinePoint> points) {
    return {.title = "GPU memory",
            .byte = "byte of memory",
            .roofs = {{"memory", 100}},
            .operations_g_s = 1000,
            .points = std::move(points)};
}

TEST(Roofline, HoldsARowForWhatItUses) {
    const BenchmarkModel benchmark = made_up_limits("he");
    const auto charts = rooflines_of(benchmark.variants, benchmark.cpu_roofs, benchmark.cuda_roofs);
    ASSERT_EQ(charts.size(), 3);
    EXPECT_EQ(charts[0].title, "GPU memory");
    EXPECT_EQ(charts[1].title, "Shared memory");
    EXPECT_EQ(charts[2].title, "CPU memory");
    for (const Roofline& chart : charts) {
        for (const RooflinePoint& point : chart.points) {
            const BenchmarkRow& row = benchmark.variants[point.row];
            EXPECT_EQ(row.variant->backend, chart.backend);
            const Amounts work = total_of(row.work);
            EXPECT_NEAR(point.rate, work.operations / row.kernels.time.median_ms * 1e-6, 1e-6 * point.rate);
            const double bytes = chart.title == "Shared memory" ? work.shared_bytes : work.bytes;
            // Managed pages move once, whatever kernels read.
            if (row.memory == MemoryMode::managed) continue;
            EXPECT_NEAR(point.intensity, work.operations / bytes, 1e-6 * point.intensity) << row.name();
        }
    }
    EXPECT_TRUE(rooflines_of(benchmark.variants, {}, {}).empty());
}

TEST(Roofline, RoofsMeetWhereTheyAllowTheSame) {
    Notes painter;
    const Roofline chart = made_up({{0, "a", 1, 50}, {1, "b", 40, 500}});
    const RooflinePlot plot = plot_of(painter, chart, {0, 0, 800, 400}, plain);
    draw_roofline(painter, chart, plot, {});
    ASSERT_EQ(painter.lines.size(), 4) << "two in the legend";
    const auto &slope = painter.lines[2], &level = painter.lines[3];
    EXPECT_NEAR(slope[1].x, plot.x.at(10), 1e-9);
    EXPECT_NEAR(slope[1].y, plot.y.at(1000), 1e-9);
    EXPECT_NEAR(slope[1].x, level[0].x, 1e-9);
    EXPECT_EQ(slope[1].y, level[0].y);
    EXPECT_EQ(level[0].y, level[1].y);
    // Halfway on logarithmic axes is a tenth of both; a point on the roof lies on the line.
    const double middle = plot.x.at(1), along = (middle - slope[0].x) / (slope[1].x - slope[0].x);
    EXPECT_NEAR(slope[0].y + along * (slope[1].y - slope[0].y), plot.y.at(100), 1e-6);
    EXPECT_GT(plot.points[0].y, plot.y.at(100)) << "below the roof";
}

TEST(Roofline, PointsLieInsideThePlot) {
    Notes painter;
    const Roofline chart = made_up({{0, "slow", 0.01, 0.02}, {1, "past every roof", 300, 5000}});
    const RooflinePlot plot = plot_of(painter, chart, {10, 20, 600, 300}, plain);
    for (const ChartPoint& at : plot.points) {
        EXPECT_GT(at.x, plot.x.left);
        EXPECT_LT(at.x, plot.x.right);
        EXPECT_LT(at.y, plot.y.left);
        EXPECT_GT(at.y, plot.y.right);
    }
    EXPECT_LE(plot.x.right, 610);
    EXPECT_EQ(plot.nearest(plot.points[1].x + 3, plot.points[1].y, 10), 1);
    EXPECT_EQ(plot.nearest(plot.points[1].x + 30, plot.points[1].y, 10), std::nullopt);
}

TEST(Roofline, LegendTakesAsManyRowsAsItNeeds) {
    Notes painter;
    const Roofline chart = made_up({{0, "a", 1, 50}});
    const RooflinePlot wide = plot_of(painter, chart, {0, 0, 800, 400}, plain),
                       narrow = plot_of(painter, chart, {0, 0, 250, 400}, plain);
    ASSERT_EQ(wide.legend.size(), 2);
    EXPECT_EQ(wide.legend[0].text, "memory: 100 GB/s");
    EXPECT_EQ(wide.legend[0].y, wide.legend[1].y);
    EXPECT_GT(wide.legend[1].x, wide.legend[0].x + painter.text_width(wide.legend[0].text));
    EXPECT_EQ(narrow.legend[0].x, narrow.legend[1].x);
    EXPECT_GT(narrow.legend[1].y, narrow.legend[0].y);
    EXPECT_GT(narrow.y.right, narrow.legend[1].y) << "the plot begins below";
    EXPECT_TRUE(plot_of(painter, chart, {0, 0, 800, 90}, plain).points.empty()) << "no room";
}

TEST(Roofline, NamesDoNotLieOnOneAnother) {
    Notes painter;
    std::vector<RooflinePoint> points;
    for (size_t i = 0; i < 12; ++i) points.push_back({i, "Variant " + std::to_string(i), 10 + 0.1 * double(i), 100});
    const Roofline chart = made_up(points);
    const RooflinePlot plot = plot_of(painter, chart, {0, 0, 800, 400}, plain);
    size_t shown = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        if (!plot.labels[i]) continue;
        ++shown;
        for (size_t k = 0; k < i; ++k) {
            if (!plot.labels[k]) continue;
            const bool apart = std::abs(plot.labels[i]->y - plot.labels[k]->y) >= 15 ||
                               plot.labels[i]->x + painter.text_width(points[i].name) <= plot.labels[k]->x ||
                               plot.labels[k]->x + painter.text_width(points[k].name) <= plot.labels[i]->x;
            EXPECT_TRUE(apart) << i << " " << k;
        }
    }
    EXPECT_GE(shown, 5) << "lines lead to names that have no room beside their points";
}

TEST(OccupancyChart, MarksTheBlockOnTheCurve) {
    KernelResources kernel;
    kernel.occupancy = {.max_warps = 64, .warps = {32, 64, 48, 0}, .block_warps = 2, .limiters = {}};
    Notes painter;
    draw_occupancy(painter, kernel, {0, 0, 300, 150});
    ASSERT_EQ(painter.lines.size(), 1);
    ASSERT_EQ(painter.lines[0].size(), 3) << "blocks of 128 threads do not run";
    ASSERT_EQ(painter.polygons.size(), 1);
    const ChartPoint middle{(painter.polygons[0][1].x + painter.polygons[0][3].x) / 2, painter.polygons[0][1].y};
    EXPECT_NEAR(middle.x, painter.lines[0][1].x, 1e-9);
    EXPECT_NEAR(middle.y, painter.lines[0][1].y, 1e-9);
    EXPECT_LT(painter.lines[0][1].y, painter.lines[0][2].y) << "full above three quarters";
}

TEST(LimitsPage, SaysWhatLimitsEachVariant) {
    const Model model = scene("limits").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    ASSERT_NE(driver.find("roofline"), nullptr);
    EXPECT_EQ(driver.find("roofline")->value, "GPU memory");
    EXPECT_NE(driver.find("roofline point:simple"), nullptr);
    EXPECT_NE(driver.find("limit:cpu"), nullptr);
    driver.actions().clear();
    ASSERT_TRUE(driver.click(model, "limit:cpu"));
    ASSERT_NE(driver.last<SetVariant>(), nullptr);
    EXPECT_EQ(driver.last<SetVariant>()->variant->id, "cpu");
}

TEST(LimitsPage, ShowsTheOccupancyOfTheChosenVariant) {
    const Model model = scene("occupancy").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "Limits of:Occupancy"));
    driver.frames(model, 3);
    const Widget* cell = driver.find("occupancy:he_kernel");
    ASSERT_NE(cell, nullptr);
    EXPECT_EQ(cell->value, "75 %, limited by registers");
}

TEST(LimitsPage, WithoutGpuSaysThatOccupancyNeedsOne) {
    const Model model = scene("limits without gpu").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("roofline")->value, "CPU memory");
    ASSERT_TRUE(driver.click(model, "Limits of:Occupancy"));
    driver.frames(model, 3);
    ASSERT_NE(driver.find("occupancy"), nullptr);
    EXPECT_EQ(driver.find("roofline"), nullptr);
}

}  // namespace
}  // namespace tonescope::ui
