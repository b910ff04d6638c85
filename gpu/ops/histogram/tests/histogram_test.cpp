// The histogram lab against arithmetic done by hand, for every variant on the CPU, and its plot.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gpu/core/canvas/canvas.h"
#include "gpu/core/registry.h"
#include "gpu/ops/histogram/histogram.h"
#include "tests/deep_images.h"
#include "tests/image_tools.h"

namespace tonescope::histogram {
namespace {

/// Checks the bins named; all others hold nothing.
void expect_counts(const HostImage& input, const std::vector<std::pair<size_t, uint32_t>>& expected,
                   const Params& params = {}) {
    std::vector<uint32_t> counts(kFineBins, 0);
    std::vector<uint8_t> bins(kFineBins, 0);
    for (const auto& [bin, count] : expected) {
        counts[bin] = count;
        bins[bin] = uint8_t(std::min(count, 255u));
    }
    int checked = 0;
    for (const VariantInfo* variant : variants_of("histogram")) {
        if (variant->backend != BackendKind::cpu) continue;
        BinsResult result;
        variant->run_cpu({.input = input.view(), .params = ParamBlock(params), .bins = &result, .threads = 2});
        EXPECT_EQ(result.counts, counts) << variant->id;
        EXPECT_EQ(result.bins, bins) << variant->id;
        ++checked;
    }
    EXPECT_GE(checked, 2);
}

/// Words of gray pixels are 4 v: 0, 4 * 1 = 4, 4 * 255 = 1020.
TEST(HistogramLab, Gray) {
    HostImage image({4, 1, PixelFormat::gray8, false});
    const uint8_t values[] = {0, 1, 255, 1};
    std::copy_n(values, 4, image.data());
    expect_counts(image, {{0, 1}, {4, 2}, {1020, 1}});
}

/// (255, 255, 255): 256 * 255 >> 6 = 65280 >> 6 = 1020. (1, 0, 0): 77 >> 6 = 1. (0, 1, 0): 150 >> 6 = 2. (0, 0, 1): 29
/// >> 6 = 0. (10, 20, 30): (770 + 3000 + 870) >> 6 = 4640 >> 6 = 72 (72.5). Alpha plays no part.
TEST(HistogramLab, Color) {
    HostImage image({5, 1, PixelFormat::rgba8, true});
    const uint8_t values[] = {255, 255, 255, 0, 1, 0, 0, 255, 0, 1, 0, 7, 0, 0, 1, 8, 10, 20, 30, 200};
    std::copy_n(values, 20, image.data());
    expect_counts(image, {{0, 1}, {1, 1}, {2, 1}, {72, 1}, {1020, 1}});
}

/// Words of deep gray pixels are floor(1024 v / (M + 1)). M = 4095: 0, 0 (0.75), 1, 1023. M = 1000: 511 (511.5).
TEST(HistogramLab, DeepGray) {
    expect_counts(test::deep_image({4, 1, PixelFormat::gray16, false, 4095}, {0, 3, 4, 4095}),
                  {{0, 2}, {1, 1}, {1023, 1}});
    expect_counts(test::deep_image({1, 1, PixelFormat::gray16, false, 1000}, {500}), {{511, 1}});
}

/// floor(4 (77 R + 150 G + 29 B) / (M + 1)) with M = 65,535: white 4 * 256 * 65535 / 65536 = 1023; (1000, 2000, 3000):
/// 4 * 464000 / 65536 = 28 (28.3).
TEST(HistogramLab, DeepColor) {
    expect_counts(
        test::deep_image({2, 1, PixelFormat::rgba16, true, 65535}, {65535, 65535, 65535, 0, 1000, 2000, 3000, 65535}),
        {{28, 1}, {1023, 1}});
}

/// Of colors the luma counts: that of (1, 0, 0) is (77 + 128) >> 8 = 0, that of (0, 0, 5) (145 + 128) >> 8 = 1.
TEST(HistogramLab, NoData) {
    const Params zero{{no_data_zero, 0}};
    expect_counts(test::deep_image({4, 1, PixelFormat::gray8, false}, {0, 1, 255, 0}), {{4, 1}, {1020, 1}}, zero);
    expect_counts(test::deep_image({4, 1, PixelFormat::gray16, false, 4095}, {0, 3, 4, 4095}), {{0, 2}, {1, 1}},
                  {{no_data_greatest, 0}});
    expect_counts(test::deep_image({3, 1, PixelFormat::rgba8, true}, {0, 0, 0, 9, 1, 0, 0, 9, 0, 0, 5, 9}), {{2, 1}},
                  zero);
}

/// 254, 255, 256 and 700 pixels: the counters show 254, 255, 255 and 255.
TEST(HistogramLab, CountersStopAt255) {
    HostImage image({254 + 255 + 256 + 700, 1, PixelFormat::gray8, false});
    uint8_t* at = image.data();
    for (auto [value, count] : {std::pair{10, 254}, {20, 255}, {30, 256}, {40, 700}})
        at = std::fill_n(at, count, uint8_t(value));
    expect_counts(image, {{40, 254}, {80, 255}, {120, 256}, {160, 700}});
}

BinsResult bins_of(const std::vector<std::pair<size_t, uint32_t>>& counts) {
    BinsResult bins{std::vector<uint8_t>(kFineBins), std::vector<uint32_t>(kFineBins)};
    for (const auto& [bin, count] : counts) {
        bins.counts[bin] = count;
        bins.bins[bin] = uint8_t(std::min(count, 255u));
    }
    return bins;
}

/// Pixels of exactly this color inside the axes.
int64_t pixels_of(const HostImage& plot, Color color) {
    int64_t count = 0;
    for (int y = 84; y < 628; ++y) {
        for (int x = 128; x < 1152; ++x) {
            const uint8_t* p = plot.view().pixel(x, y);
            count += p[0] == color.r && p[1] == color.g && p[2] == color.b;
        }
    }
    return count;
}

constexpr Color kCounters{230, 159, 0};
constexpr Color kTrueCounts{58, 122, 168};

TEST(HistogramPlot, HasTheSizeThatTheOperatorSays) {
    const HostImage plot = draw_plot(bins_of({{3, 9}}));
    const OperatorInfo* op = find_operator("histogram");
    EXPECT_EQ(plot.spec(), op->output_spec({1, 1, PixelFormat::gray8, false}, {}));
    for (size_t i = 3; i < plot.size_bytes(); i += 4) ASSERT_EQ(plot.data()[i], 255);
}

TEST(HistogramPlot, IsTheSameEachTime) {
    const BinsResult bins = bins_of({{0, 1}, {100, 255}, {101, 70000}, {1023, 3}});
    EXPECT_TRUE(same_pixels(draw_plot(bins).view(), draw_plot(bins).view()));
}

/// Below 256 the counters cover the true counts; above, the true counts rise over them; extreme counts stay inside.
TEST(HistogramPlot, ShowsTrueCountsOnlyWhereCountersStop) {
    const HostImage empty = draw_plot(bins_of({}));
    EXPECT_EQ(pixels_of(empty, kCounters), 0);
    EXPECT_EQ(pixels_of(empty, kTrueCounts), 0);
    const HostImage small = draw_plot(bins_of({{500, 200}}));
    EXPECT_GT(pixels_of(small, kCounters), 100);
    EXPECT_EQ(pixels_of(small, kTrueCounts), 0);
    const HostImage large = draw_plot(bins_of({{500, 500000000}}));
    EXPECT_GT(pixels_of(large, kCounters), 100);
    EXPECT_GT(pixels_of(large, kTrueCounts), pixels_of(large, kCounters));
    EXPECT_GT(pixels_of(draw_plot(bins_of({{1, UINT32_MAX}})), kTrueCounts), 0);
}

TEST(HistogramPlot, DrawsOneColumnABin) {
    BinsResult bins = bins_of({});
    for (size_t bin = 0; bin < kFineBins; ++bin) bins.counts[bin] = bins.bins[bin] = 50;
    const HostImage plot = draw_plot(bins);
    for (int x = 128; x < 1152; ++x) EXPECT_EQ(plot.view().pixel(x, 600)[0], kCounters.r) << x;
    EXPECT_NE(plot.view().pixel(1152, 600)[0], kCounters.r);
}

TEST(HistogramPlot, CarriesText) {
    if (!Canvas::has_font()) GTEST_SKIP() << "this build has no font";
    const HostImage plot = draw_plot(bins_of({}));
    int bright = 0;  // pixels of the labels below the axis
    for (int y = 640; y < plot.height(); ++y)
        for (int x = 0; x < plot.width(); ++x) bright += plot.view().pixel(x, y)[0] > 140;
    EXPECT_GT(bright, 500);
}

}  // namespace
}  // namespace tonescope::histogram
