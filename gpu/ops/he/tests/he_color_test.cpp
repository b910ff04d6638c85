// What becomes of colors, and of the share of the result, against arithmetic done by hand, for every variant on the CPU
// that takes them.
#include <gtest/gtest.h>

#include <vector>

#include "gpu/core/registry.h"
#include "gpu/ops/he/he.h"
#include "gpu/ops/he/tests/by_hand.h"
#include "tests/deep_images.h"

namespace tonescope::he {
namespace {

using test::deep_image;

ImageSpec colors(int width, bool has_alpha = true) {
    return {width, 1, PixelFormat::rgba8, has_alpha};
}

/// Y = 18 and 124 become 0 and 255, V = 30 and 200 likewise.
HostImage two_colors(bool has_alpha = true) {
    return deep_image(colors(2, has_alpha), {10, 20, 30, 7, 200, 100, 50, 9});
}

/// (255 c + 62) / 124: 411, 206.1 and 103.3.
TEST(HeColor, RatioOfLuma) {
    expect_samples(two_colors(), {.color = color_ratio}, {0, 0, 0, 7, 255, 206, 103, 9});
}

/// (255 c + 100) / 200: 255.5, 128 and 64.25.
TEST(HeColor, ValueOfHsv) {
    expect_samples(two_colors(), {.color = color_value}, {0, 0, 0, 7, 255, 128, 64, 9});
}

/// Y = 1000 and 2188 become 1000 and 3000: (3000 c + 1094) / 2188 = 4113.8, 2742.7 and 1371.6.
TEST(HeColor, RatioOfDeepSamples) {
    const HostImage image =
        deep_image({2, 1, PixelFormat::rgba16, true, 65535}, {1000, 1000, 1000, 7, 3000, 2000, 1000, 9});
    expect_samples(image, {.color = color_ratio}, {1000, 1000, 1000, 7, 4113, 2742, 1371, 9});
}

/// Gray colors stay gray, and lightness takes all values though `range` is `used`.
TEST(HeColor, LightnessOfGrayColors) {
    const HostImage bytes = deep_image(colors(3), {10, 10, 10, 1, 60, 60, 60, 2, 90, 90, 90, 3});
    const HostImage deep =
        deep_image({3, 1, PixelFormat::rgba16, true, 4095}, {100, 100, 100, 1, 500, 500, 500, 2, 4000, 4000, 4000, 3});
    // The lightnesses 6.99, 64.56 and 97.52 of 255 move by 0 - 7, 128 - 65 and 255 - 98 steps. What becomes of the last
    // two has lightnesses of 127.56 and 254.52, which are grays of 118.97 and 254.45.
    for (const int32_t range : {range_auto, range_used}) {
        const Params params{.color = color_lab, .range = range};
        expect_samples(bytes, params, {0, 0, 0, 1, 119, 119, 119, 2, 254, 254, 254, 3});
        expect_samples(deep, params, {0, 0, 0, 1, 1910, 1910, 1910, 2, 4095, 4095, 4095, 3});
    }
}

/// 40 % of 255, 206 and 103, and 60 % of 200, 100 and 50: 222.5, 142.9 and 71.7; of 0, and 60 % of 10, 20 and 30: 6.5,
/// 12.5 and 18.5.
TEST(HeColor, AmountOfColors) {
    expect_samples(two_colors(), {.color = color_ratio, .amount = 40}, {6, 12, 18, 7, 222, 142, 71, 9});
    expect_samples(two_colors(), {.color = color_ratio, .amount = 0}, {10, 20, 30, 7, 200, 100, 50, 9});
}

/// Half of 0 and of 255, and of Y = 18 and 124.
TEST(HeColor, AmountOfGrayResults) {
    expect_samples(two_colors(), {.color = color_gray, .amount = 50}, {9, 9, 9, 7, 190, 190, 190, 9});
    expect_samples(two_colors(false), {.color = color_gray, .amount = 50}, {9, 190});
}

/// 25 % of 0, 255, 128 and 0, and 75 % of 10, 30, 20 and 10: 8, 86.75, 47.5 and 8.
TEST(HeColor, AmountOfGrayImages) {
    expect_samples(deep_image({4, 1, PixelFormat::gray8, false}, {10, 30, 20, 10}), {.color = color_luma, .amount = 25},
                   {8, 86, 47, 8});
}

TEST(HeColor, VariantsOfReportsKeepTheirColors) {
    const OperatorInfo& op = *find_operator("he");
    const VariantInfo& report = *find_variant("he", "no-optimization");
    const auto reason = [&](const Params& params, const ImageSpec& image) {
        return refusal(op, report, ParamBlock(params), image);
    };
    EXPECT_EQ(reason({.color = color_gray}, colors(2)), "");
    EXPECT_EQ(reason({.color = color_ratio}, colors(2)), "has no color=ratio");
    EXPECT_EQ(reason({.color = color_ratio}, {2, 1, PixelFormat::gray8, false}), "");
    EXPECT_EQ(reason({.color = color_luma, .amount = 99}, {2, 1, PixelFormat::gray8, false}),
              "has no amount below 100 %");
}

TEST(HeColor, ExplanationsGiveTheResult) {
    const HostImage image = two_colors();
    for (const int32_t color : {color_luma, color_channels, color_ratio, color_value, color_lab}) {
        for (const int32_t amount : {100, 30}) {
            const ParamBlock params(Params{.color = color, .amount = amount});
            HostImage output(image.spec());
            reference_of("he").run_cpu({.input = image.view(), .params = params, .output = output.mutable_view()});
            const Explanation e =
                find_operator("he")->explain({.input = image.view(), .params = params, .pixel = {1, 0}});
            for (int c = 0; c < 4; ++c) EXPECT_EQ(e.result[size_t(c)], output.view().sample(1, 0, c)) << color;
            EXPECT_EQ(e.note.find("30 % of this and 70 % of the pixel") != std::string::npos, amount == 30);
        }
    }
    const ParamBlock ratio(Params{.color = color_ratio});
    const Explanation e = find_operator("he")->explain({.input = image.view(), .params = ratio, .pixel = {1, 0}});
    EXPECT_NE(e.note.find("Red, green and blue become \u00d7 255 / 124."), std::string::npos) << e.note;
}

}  // namespace
}  // namespace tonescope::he
