// Histogram equalization between the values of `range`, and of deep images, against arithmetic done by hand.
#include <gtest/gtest.h>

#include <vector>

#include "gpu/ops/he/he.h"
#include "gpu/ops/he/tests/by_hand.h"
#include "tests/deep_images.h"

namespace tonescope::he {
namespace {

using test::deep_image;

/// lo = 100, hi = 300, m = 2, d = 2. lut[200] = 100 + floor((2 * 200 * 1 + 2) / 4) = 100 + floor(100.5) = 200, lut[300]
/// = 100 + floor((2 * 200 * 2 + 2) / 4) = 100 + floor(200.5) = 300.
TEST(HeDeep, GrayBetweenUsedValues) {
    const HostImage image = deep_image({2, 2, PixelFormat::gray16, false, 4095}, {100, 300, 200, 100});
    expect_samples(image, {color_luma, range_auto}, {100, 300, 200, 100});
    expect_samples(image, {color_luma, range_used}, {100, 300, 200, 100});
}

/// lut[100] = floor(2 / 4) = 0, lut[200] = floor((2 * 4095 * 1 + 2) / 4) = 2048, lut[300] = floor((2 * 4095 * 2 + 2) /
/// 4) = floor(4095.5) = 4095.
TEST(HeDeep, GrayOverAllValues) {
    const HostImage image = deep_image({2, 2, PixelFormat::gray16, false, 4095}, {100, 300, 200, 100});
    expect_samples(image, {color_luma, range_full}, {0, 4095, 2048, 0});
}

/// lo and hi are samples, not lumas: 1000 and 3000. Y = 1000 and (77 * 3000 + 150 * 2000 + 29 * 1000 + 128) >> 8 =
/// 560128
/// >> 8 = 2188; m = 1, d = 1: lut[1000] = 1000, lut[2188] = 1000 + floor((2 * 2000 * 1 + 1) / 2) = 3000. Channels shift
/// by 812, and what passes the greatest sample stops there. Alpha stays.
TEST(HeDeep, LumaBetweenUsedSamples) {
    const std::vector<int> samples{1000, 1000, 1000, 7, 3000, 2000, 1000, 9};
    expect_samples(deep_image({2, 1, PixelFormat::rgba16, true, 65535}, samples), {color_luma, range_auto},
                   {1000, 1000, 1000, 7, 3812, 2812, 1812, 9});
    expect_samples(deep_image({2, 1, PixelFormat::rgba16, true, 3500}, samples), {color_luma, range_auto},
                   {1000, 1000, 1000, 7, 3500, 2812, 1812, 9});
}

/// One range for all three channels, 10 to 500. Red: 10, 20 with m = 1, d = 1: 10 and 10 + floor((2 * 490 + 1) / 2) =
/// 500. Green likewise; blue is constant and stays.
TEST(HeDeep, ChannelsShareTheRange) {
    expect_samples(deep_image({2, 1, PixelFormat::rgba16, false, 1023}, {10, 30, 500, 1023, 20, 40, 500, 1023}),
                   {color_channels, range_auto}, {10, 10, 500, 1023, 500, 500, 500, 1023});
}

/// Without alpha the luma alone, in 16 bits.
TEST(HeDeep, GrayOfColor) {
    expect_samples(
        deep_image({2, 1, PixelFormat::rgba16, false, 65535}, {1000, 1000, 1000, 65535, 3000, 2000, 1000, 65535}),
        {color_gray, range_auto}, {1000, 3000});
}

TEST(HeDeep, ConstantImageStays) {
    expect_samples(deep_image({2, 1, PixelFormat::gray16, false, 1000}, {777, 777}), {color_luma, range_auto},
                   {777, 777});
    expect_samples(deep_image({2, 1, PixelFormat::gray16, false, 1000}, {777, 777}), {color_luma, range_full},
                   {777, 777});
}

/// 8 bits: lo = 10, hi = 30, m = 2, d = 2. lut[20] = 10 + floor((2 * 20 * 1 + 2) / 4) = 10 + floor(10.5) = 20.
TEST(HeDeep, EightBitsBetweenUsedValues) {
    expect_samples(deep_image({2, 2, PixelFormat::gray8, false}, {10, 30, 20, 10}), {color_luma, range_used},
                   {10, 30, 20, 10});
    expect_samples(deep_image({2, 2, PixelFormat::gray8, false}, {10, 30, 20, 10}), {color_luma, range_auto},
                   {0, 255, 128, 0});
}

}  // namespace
}  // namespace tonescope::he
