// Window and level: the levels that samples are shown as, ranges taken from counts, and what --window is given.
#include "gpu/core/window/sample_window.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tonescope {
namespace {

/// Shares of a range in exact arithmetic of halves: floor(255 t + 1/2) for t = (sample - low) / (high - low).
int level_by_definition(double low, double high, double sample) {
    const double t = std::clamp((sample - low) / (high - low), 0.0, 1.0);
    return int(std::floor(255 * t + 0.5 + 1e-9));
}

TEST(SampleWindowTest, TheFullRangeOf8BitsChangesNothing) {
    for (int sample = 0; sample < 256; ++sample) {
        EXPECT_EQ(shown_level(full_range(255), false, sample), sample);
        EXPECT_EQ(shown_level(full_range(255), true, sample), 255 - sample);
    }
}

TEST(SampleWindowTest, LevelsFollowTheDefinition) {
    for (const auto& [center, width] :
         {std::pair(100.0, 50.0), {127.5, 255.0}, {12.5, 1.0}, {0.0, 10.0}, {255.0, 510.0}})
        for (int sample = 0; sample < 256; ++sample) {
            const SampleRange range = range_around(std::llround(center * 100), std::llround(width * 100));
            EXPECT_EQ(shown_level(range, false, sample),
                      level_by_definition(center - width / 2, center + width / 2, sample))
                << center << " " << width << " " << sample;
        }
    EXPECT_EQ(shown_level({1000, 1200}, false, 11), 128) << "halves go up";
    EXPECT_EQ(shown_level({1000, 1200}, true, 11), 127);
    EXPECT_EQ(shown_level(full_range(65535), false, 32768), 128);
    EXPECT_EQ(shown_level({0, SampleRange::kMaxWidth}, false, 65535), 255);
}

TEST(SampleWindowTest, RangesStayAllowed) {
    EXPECT_EQ(range_around(10000, 5000), (SampleRange{7500, 12500}));
    EXPECT_EQ(range_around(10000, 0), (SampleRange{9950, 10050})) << "at least a sample wide";
    EXPECT_EQ(range_around(-500, 200), (SampleRange{-100, 100}));
    EXPECT_EQ(range_around(INT32_MAX, INT32_MAX).width(), SampleRange::kMaxWidth);
}

TEST(SampleWindowTest, RangesComeFromCounts) {
    std::vector<uint64_t> counts(256);
    EXPECT_EQ(used_range(counts), full_range(255));
    EXPECT_EQ(auto_range(counts), full_range(255));
    counts[20] = 5;
    counts[30] = 490;
    counts[90] = 500;
    counts[200] = 5;
    EXPECT_EQ(used_range(counts), (SampleRange{2000, 20000}));
    EXPECT_EQ(auto_range(counts), (SampleRange{3000, 9000})) << "five of 1000 samples are 0.5 %";
    ++counts[20];
    --counts[30];
    EXPECT_EQ(auto_range(counts), (SampleRange{2000, 9000}));
    std::vector<uint64_t> one(4096);
    one[7] = 3;
    EXPECT_EQ(used_range(one), (SampleRange{650, 750}));
}

TEST(SampleWindowTest, ColorsAreCountedWithoutAlphaAndLuma) {
    DisplayHistogram histogram;
    histogram.has_color = true;
    histogram.rgb[0][3] = 1;
    histogram.rgb[2][3] = 2;
    histogram.luma[9] = 7;
    EXPECT_EQ(sample_counts(histogram)[3], 3U);
    EXPECT_EQ(sample_counts(histogram)[9], 0U);
    HostImage image({1, 1, PixelFormat::rgba8, true});
    const uint8_t pixel[] = {3, 4, 3, 9};
    std::copy_n(pixel, 4, image.data());
    EXPECT_EQ(sample_counts(image.view())[3], 2U);
    EXPECT_EQ(sample_counts(image.view())[9], 0U);
}

TEST(SampleWindowTest, ImagesGoThroughAWindow) {
    HostImage image({2, 1, PixelFormat::rgba8, true});
    const uint8_t pixels[] = {50, 100, 150, 77, 75, 125, 0, 0};
    std::copy_n(pixels, 8, image.data());
    const HostImage shown = through_window(image.view(), {range_around(10000, 10000), false});
    const uint8_t expected[] = {0, 128, 255, 77, 64, 191, 0, 0};
    for (int k = 0; k < 8; ++k) EXPECT_EQ(shown.data()[k], expected[k]) << k;

    HostImage deep({2, 1, PixelFormat::gray16, false, 4095});
    auto* const samples = reinterpret_cast<uint16_t*>(deep.data());
    samples[0] = 1000;
    samples[1] = 1064;
    const HostImage reduced = through_window(deep.view(), {range_around(106400, 12800), true});
    EXPECT_EQ(reduced.spec(), (ImageSpec{2, 1, PixelFormat::gray8, false}));
    EXPECT_EQ(reduced.data()[0], 255);
    EXPECT_EQ(reduced.data()[1], 127);
    EXPECT_EQ(sample_counts(deep.view()).size(), 4096U);
}

TEST(SampleWindowTest, ThresholdsOfClippingFollowTheWindow) {
    for (const ClipThresholds levels : {ClipThresholds{}, {5, 250}, {127, 128}})
        EXPECT_EQ(clipped_by(full_range(255), levels), levels);
    EXPECT_EQ(clipped_by(range_around(10000, 5000), {}), (ClipThresholds{75, 125}));
    EXPECT_EQ(clipped_by({7550, 12450}, {}), (ClipThresholds{75, 125}));
    EXPECT_EQ(clipped_by(full_range(4095), {}), (ClipThresholds{0, 4095}));
}

TEST(SampleWindowTest, ChoicesAreRead) {
    EXPECT_EQ(parse_window("127.5,255")->range, full_range(255));
    EXPECT_EQ(parse_window("40,400")->range, (SampleRange{-16000, 24000}));
    EXPECT_FALSE(parse_window("auto")->range);
    for (const char* wrong :
         {"", "5", "5,", ",5", "5,0", "5,0.5", "-1,5", "65536,1", "1,65536", "nan,5", "5,6,7", "1 ,5"})
        EXPECT_FALSE(parse_window(wrong)) << wrong;
}

TEST(SampleWindowTest, WindowsAreNamed) {
    EXPECT_EQ(sample_text(12750), "127.5");
    EXPECT_EQ(sample_text(-1625), "-16.25");
    EXPECT_EQ(sample_text(100), "1");
    SampleWindow window;
    EXPECT_EQ(window_text(window, 255), "center 127.5, width 255");
    window.set(full_range(255), 255);
    EXPECT_TRUE(window.is_full());
    window.set(range_around(10000, 5000), 255);
    window.inverse = true;
    EXPECT_EQ(window_text(window, 255), "center 100, width 50, inverse");
}

TEST(SampleWindowTest, LinkedWindowsAreAlike) {
    SampleWindows windows;
    windows.set(true, {full_range(100), false});
    EXPECT_EQ(windows.before, windows.after);
    windows.linked = false;
    windows.set(false, {});
    EXPECT_TRUE(windows.before.is_full());
    EXPECT_FALSE(windows.after.is_full());
}

}  // namespace
}  // namespace tonescope
