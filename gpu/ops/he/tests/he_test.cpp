// Histogram equalization against arithmetic done by hand, for every variant on the CPU.
#include "gpu/ops/he/he.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gpu/core/luma.h"
#include "gpu/core/registry.h"
#include "tests/previews.h"

namespace tonescope::he {
namespace {

using Bytes = std::vector<uint8_t>;

HostImage image_of(const ImageSpec& spec, const Bytes& bytes) {
    HostImage image(spec);
    std::copy_n(bytes.begin(), image.size_bytes(), image.data());
    return image;
}

ImageSpec gray(int width, int height) {
    return {width, height, PixelFormat::gray8, false};
}
ImageSpec rgb(int width, int height) {
    return {width, height, PixelFormat::rgba8, false};
}
ImageSpec rgba(int width, int height) {
    return {width, height, PixelFormat::rgba8, true};
}

HostImage equalized(const VariantInfo& variant, const HostImage& input, ColorMode color) {
    const ParamBlock params(Params{color});
    HostImage output(find_operator("he")->output_spec(input.spec(), params));
    std::fill_n(output.data(), output.size_bytes(), uint8_t{0xA5});
    variant.run_cpu({.input = input.view(), .params = params, .output = output.mutable_view(), .threads = 2});
    return output;
}

void expect_all(const HostImage& input, ColorMode color, const Bytes& expected) {
    int checked = 0;
    for (const VariantInfo* variant : variants_of("he")) {
        if (variant->backend != BackendKind::cpu) continue;
        const HostImage output = equalized(*variant, input, color);
        EXPECT_EQ(Bytes(output.data(), output.data() + output.size_bytes()), expected) << variant->id;
        ++checked;
    }
    EXPECT_GE(checked, 2);
}

/// N = 4; the first bin i0 = 10 holds m = 2; d = 2. lut[10] = floor((510 * 0 + 2) / 4) = 0,
/// lut[20] = floor((510 * 1 + 2) / 4) = floor(128.0) = 128, lut[30] = floor((510 * 2 + 2) / 4) = floor(255.5) = 255.
TEST(He, FourPixels) {
    expect_all(image_of(gray(2, 2), {10, 30, 20, 10}), color_luma, {0, 255, 128, 0});
}

/// Values 0 to 6 once each: m = 1, d = 6, cdf - m = v. lut[v] = floor((510 v + 6) / 12):
/// 6 / 12 = 0, 516 / 12 = 43 (exactly 42.5 before rounding: halves go up), 1026 / 12 = 85.5 -> 85, 1536 / 12 = 128
/// (127.5), 2046 / 12 = 170.5 -> 170, 2556 / 12 = 213 (212.5), 3066 / 12 = 255.5 -> 255.
TEST(He, HalvesGoUp) {
    expect_all(image_of(gray(7, 1), {0, 1, 2, 3, 4, 5, 6}), color_luma, {0, 43, 85, 128, 170, 213, 255});
}

/// d = 0: nothing can be spread.
TEST(He, ConstantImageStays) {
    expect_all(image_of(gray(3, 1), {77, 77, 77}), color_luma, {77, 77, 77});
    expect_all(image_of(gray(1, 1), {255}), color_luma, {255});
    expect_all(image_of(rgb(2, 1), {9, 8, 7, 255, 9, 8, 7, 255}), color_luma, {9, 8, 7, 255, 9, 8, 7, 255});
    // Y = (77 * 9 + 150 * 8 + 29 * 7 + 128) >> 8 = (693 + 1200 + 203 + 128) >> 8 = 2224 >> 8 = 8.
    expect_all(image_of(rgb(1, 1), {9, 8, 7, 255}), color_gray, {8});
}

/// One channel is constant and stays, the others are spread: two values become 0 and 255.
TEST(He, ConstantChannelStays) {
    expect_all(image_of(rgb(2, 1), {10, 50, 30, 255, 200, 50, 20, 255}), color_channels,
               {0, 50, 255, 255, 255, 50, 0, 255});
}

/// (10, 20, 30): Y = (770 + 3000 + 870 + 128) >> 8 = 4768 >> 8 = 18. (200, 100, 50): Y = (15400 + 15000 + 1450 + 128)
/// >> 8 = 31978 >> 8 = 124. Two values become 0 and 255: the first pixel moves by -18 to (0 clamped, 2, 12), the second
/// by +131 to (255 clamped, 231, 181). Alpha stays.
TEST(He, LumaMovesAllChannelsAndClamps) {
    const HostImage input = image_of(rgba(2, 1), {10, 20, 30, 7, 200, 100, 50, 0});
    expect_all(input, color_luma, {0, 2, 12, 7, 255, 231, 181, 0});
    expect_all(input, color_channels, {0, 0, 0, 7, 255, 255, 255, 0});
    expect_all(input, color_gray, {0, 0, 0, 7, 255, 255, 255, 0});
}

TEST(He, GrayOfColorHasOneChannel) {
    expect_all(image_of(rgb(2, 1), {10, 20, 30, 255, 200, 100, 50, 255}), color_gray, {0, 255});
}

/// 4096 x 2100 pixels: row 0 holds 5, rows 1 to 1049 hold 100, the others 200. m = 4096, d = 2099 * 4096 = 8597504.
/// lut[100] = floor((510 * 1049 * 4096 + d) / (2 d)) = floor(510 * 1049 / 4198 + 1 / 2) = floor(127.939...) = 127.
/// lut[200] = floor((510 d + d) / (2 d)) = 255, where 510 d = 4384727040 is above 2^32 = 4294967296.
TEST(He, ProductsAbove32Bits) {
    HostImage input(gray(4096, 2100));
    for (int y = 0; y < 2100; ++y)
        std::fill_n(input.mutable_view().row(y), 4096, uint8_t(y == 0 ? 5 : y < 1050 ? 100 : 200));
    for (const VariantInfo* variant : variants_of("he")) {
        if (variant->backend != BackendKind::cpu) continue;
        const HostImage output = equalized(*variant, input, color_luma);
        EXPECT_EQ(output.view().row(0)[4095], 0) << variant->id;
        EXPECT_EQ(output.view().row(1)[0], 127) << variant->id;
        EXPECT_EQ(output.view().row(1049)[0], 127) << variant->id;
        EXPECT_EQ(output.view().row(2099)[4095], 255) << variant->id;
    }
}

/// Deterministic values that fill all bins unevenly.
HostImage textured(const ImageSpec& spec) {
    HostImage image(spec);
    for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = uint8_t(i * i % 251 / 3 + i / 977 % 60);
    return image;
}

HostImage preview_of(const HostImage& input, ColorMode color, const Rect& region, int step) {
    return run_preview(*find_operator("he"), input, ParamBlock(Params{color}), region, step);
}

/// Up to about a million pixels the sample is the whole image, so that the preview shows the result's own pixels.
TEST(HePreview, OfSmallImagesIsExact) {
    for (const ImageSpec& spec : {gray(1200, 700), rgb(640, 480), rgba(333, 201)}) {
        const HostImage input = textured(spec);
        for (ColorMode color : {color_luma, color_channels, color_gray}) {
            const HostImage full = equalized(reference_of("he"), input, color);
            for (int step : {1, 3}) {
                const Rect region{5, 7, spec.width - 5, spec.height - 20};
                const HostImage preview = preview_of(input, color, region, step);
                ASSERT_EQ(preview.spec().format, full.spec().format);
                const int bytes = bytes_per_pixel(full.spec().format);
                int different = 0;
                for (int j = 0; j < preview.height(); ++j)
                    for (int i = 0; i < preview.width(); ++i)
                        different += !std::equal(preview.view().pixel(i, j), preview.view().pixel(i, j) + bytes,
                                                 full.view().pixel(region.x + i * step, region.y + j * step));
                EXPECT_EQ(different, 0) << "color " << color << ", step " << step;
            }
        }
    }
}

TEST(HePreview, OfLargeImagesIsClose) {
    const HostImage input = textured(gray(4000, 3000));
    const HostImage full = equalized(reference_of("he"), input, color_luma);
    const HostImage preview = preview_of(input, color_luma, {0, 0, 4000, 3000}, 5);
    int worst = 0;
    for (int j = 0; j < preview.height(); ++j)
        for (int i = 0; i < preview.width(); ++i)
            worst = std::max(worst, std::abs(*preview.view().pixel(i, j) - *full.view().pixel(5 * i, 5 * j)));
    EXPECT_LE(worst, 8);
}

}  // namespace
}  // namespace tonescope::he
