// What operators say of how a pixel comes about, against the reference's pixels: for the cases of cpu_test.cpp, and for
// a kept pixel and a stop.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/ops/no_data_param.h"
#include "tests/cpu_time.h"
#include "tests/differential/walk.h"

namespace tonescope::test {
namespace {

Explanation explain(const Case& c, Pixel pixel, std::any* cache, std::optional<Pixel> kept = {}) {
    return c.op->explain(
        {.input = c.input->view(), .params = c.params, .pixel = pixel, .kept = kept, .cache = cache, .threads = 2});
}

void check_plot(const ExplainedPlot& plot, int64_t most_pixels, bool leaves_out) {
    const uint32_t highest = std::ranges::max(plot.counts);
    ASSERT_TRUE(leaves_out || highest > 0);
    ASSERT_LE(highest, most_pixels);
    ASSERT_LT(size_t(plot.bin), plot.counts.size());
    for (const ExplainedCurve* curve : {&plot.transfer, &plot.sums}) {
        if (curve->levels.empty()) continue;
        ASSERT_EQ(curve->levels.size(), plot.counts.size());
        ASSERT_TRUE(std::ranges::is_sorted(curve->levels));
        ASSERT_GE(curve->levels.front(), 0);
        ASSERT_LE(curve->levels.back(), 1);
    }
    if (plot.transfer.levels.empty() || (leaves_out && plot.counts[size_t(plot.bin)] == 0)) return;
    ASSERT_EQ(std::lround(plot.transfer.levels[size_t(plot.bin)] * float(plot.max_out)), plot.out);
}

void check_pixel(const Case& c, const Answer& expected, Pixel at, std::any* cache) {
    SCOPED_TRACE(c.name + " at " + std::to_string(at.x) + ", " + std::to_string(at.y));
    const Explanation e = explain(c, at, cache);
    ASSERT_EQ(e.pixel, at);
    ASSERT_TRUE(!e.plots.empty() || !e.areas.empty());
    if (c.op->makes_bins) {
        ASSERT_EQ(e.plots.size(), 1U);
        ASSERT_EQ(e.plots[0].counts, expected.bins.counts);
        const auto bin = size_t(e.plots[0].bin);
        ASSERT_EQ(e.table.rows[0].cells[1], std::to_string(expected.bins.bins[bin]));
        return;
    }
    const PixelFormat format = expected.image.spec().format;
    for (int k = 0; k < (is_gray(format) ? 1 : 4); ++k)
        ASSERT_EQ(e.result[size_t(k)], sample_at(expected.image.view().pixel(at.x, at.y), format, k)) << "sample " << k;
    // In grid mode a mirrored border is counted too.
    const ParamInfo* no_data = find_param(c.op->params, kNoDataId);
    const bool leaves_out = no_data != nullptr && c.params.get(*no_data) != no_data_off;
    for (const ExplainedPlot& plot : e.plots) check_plot(plot, 70 * 70 + 4 * c.input->spec().pixels(), leaves_out);
    for (const ExplainedRow& row : e.table.rows) ASSERT_EQ(row.cells.size(), e.table.columns.size());
}

}  // namespace

void check_explained(const Case& c, const Answer& expected) {
    Random random(base_seed());
    const int right = c.input->width() - 1, bottom = c.input->height() - 1;
    std::vector<Pixel> pixels{{0, 0}, {right, 0}, {0, bottom}, {right, bottom}};
    for (int k = 0; k < 12; ++k)
        pixels.push_back({random_between(random, 0, right), random_between(random, 0, bottom)});
    std::any cache;
    for (const Pixel at : pixels) {
        check_pixel(c, expected, at, &cache);
        if (testing::Test::HasFatalFailure()) return;
    }
    check_pixel(c, expected, pixels.back(), nullptr);
}

namespace {

class Explained : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        if (op().explain == nullptr) GTEST_SKIP() << "this operator explains nothing";
    }
    const OperatorInfo& op() const { return *find_operator(GetParam()); }
};

TEST_P(Explained, AKeptPixelStays) {
    const HostImage image = make_image(Content::photo, Channels::rgb, 300, 200, base_seed());
    const Case c{&op(), defaults_of(op()), &image, "kept"};
    const Pixel kept{10, 150};
    const Explanation alone = explain(c, kept, nullptr), e = explain(c, {250, 20}, nullptr, kept);
    // Operators that work in parts keep the part, others the pixel.
    const bool in_parts = e.cells.width > 0;
    EXPECT_EQ(e.pixel, in_parts ? (Pixel{250, 20}) : kept);
    EXPECT_EQ(std::ranges::count(e.areas, true, &ExplainedArea::is_kept), in_parts ? 1 : 0);
    ASSERT_EQ(e.plots.size(), alone.plots.size());
    for (size_t k = 0; k < e.plots.size(); ++k) EXPECT_EQ(e.plots[k].counts, alone.plots[k].counts);
}

TEST_P(Explained, StopsAndKeepsNothingHalfDone) {
    const HostImage image = make_image(Content::noise, Channels::rgb, 3000, 2000, base_seed());
    ParamBlock params = defaults_of(op());
    if (const ParamInfo* tile = find_param(op().params, "tile_size")) params.set(*tile, tile->max);
    const Case c{&op(), params, &image, "stopped"};
    std::stop_source source;
    std::any cache;
    source.request_stop();
    const double begin = cpu_seconds();
    op().explain({.input = image.view(), .params = params, .cache = &cache, .threads = 1, .stop = source.get_token()});
    EXPECT_LT(cpu_seconds() - begin, 0.5);
    const Explanation after = explain(c, {1500, 1000}, &cache), fresh = explain(c, {1500, 1000}, nullptr);
    EXPECT_EQ(after.result, fresh.result);
    for (size_t k = 0; k < fresh.plots.size(); ++k) EXPECT_EQ(after.plots[k].counts, fresh.plots[k].counts);
}

INSTANTIATE_TEST_SUITE_P(All, Explained, testing::ValuesIn(operator_ids()), operator_name);

}  // namespace
}  // namespace tonescope::test
