// Kuwahara filter: cases worked out by hand on every CPU variant; the multi-threaded variant and the preview against
// the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "gpu/core/registry.h"
#include "gpu/ops/kuwahara/kuwahara.h"
#include "gpu/ops/kuwahara/quadrant.h"
#include "tests/deep_images.h"
#include "tests/previews.h"

namespace tonescope::kuwahara {
namespace {

HostImage make_image(int width, int height, PixelFormat format, const std::vector<uint8_t>& bytes) {
    HostImage image({width, height, format, format == PixelFormat::rgba8});
    std::copy(bytes.begin(), bytes.end(), image.data());
    return image;
}

HostImage run(const VariantInfo& variant, const HostImage& input, int radius, int threads = 2) {
    HostImage output(input.spec());
    variant.run_cpu({.input = input.view(),
                     .params = ParamBlock(Params{radius}),
                     .variant_params = {},
                     .output = output.mutable_view(),
                     .threads = threads});
    return output;
}

class KuwaharaByHand : public testing::TestWithParam<const char*> {
  protected:
    std::vector<uint8_t> result(const HostImage& input, int radius) const {
        const HostImage output = run(*find_variant("kuwahara", GetParam()), input, radius);
        return {output.data(), output.data() + output.size_bytes()};
    }
    std::vector<uint8_t> gray(int width, int height, int radius, const std::vector<uint8_t>& values) const {
        return result(make_image(width, height, PixelFormat::gray8, values), radius);
    }
};
INSTANTIATE_TEST_SUITE_P(Cpu, KuwaharaByHand, testing::Values("cpu", "parallel"),
                         [](const auto& param) { return std::string(param.param); });

/// As the ramp below with 700 times its values: the quadrants, and their means, are the same.
TEST_P(KuwaharaByHand, DeepRamp) {
    std::vector<int> samples{10, 20, 30, 40, 50, 60, 70, 80, 90};
    for (int& sample : samples) sample *= 700;
    const HostImage image = test::deep_image({3, 3, PixelFormat::gray16, false, 65535}, samples);
    const HostImage output = run(*find_variant("kuwahara", GetParam()), image, 1);
    EXPECT_EQ(test::samples_of_image(output.view()),
              (std::vector<int>{7000, 10500, 21000, 17500, 21000, 31500, 49000, 52500, 63000}));
}

/// V = max(R, G, B) = 400, 300, 300. The last two do not vary: their means are (175, 160, 45.5), and alpha stays.
TEST_P(KuwaharaByHand, DeepColor) {
    const HostImage image =
        test::deep_image({3, 1, PixelFormat::rgba16, true, 1000}, {100, 400, 0, 1, 300, 20, 51, 2, 50, 300, 40, 3});
    const HostImage output = run(*find_variant("kuwahara", GetParam()), image, 1);
    EXPECT_EQ(test::samples_of_image(output.view()),
              (std::vector<int>{100, 400, 0, 1, 175, 160, 46, 2, 175, 160, 46, 3}));
}

/// With values 0 and 65,535, 2,112 of them high: n^2 times the variance is k (n - k) M^2. Of n = 4,224 pixels that is
/// n^2 M^2 / 4, and of n = 4,225 it is less by a part in 18 million. The products have 79 bits.
TEST(KuwaharaQuadrant, ComparesIn128Bits) {
    const int64_t high = 2112, m = 65535;
    const Quadrant even{.rect = {}, .n = 4224, .s = high * m, .q = high * m * m},
        odd{.rect = {}, .n = 4225, .s = high * m, .q = high * m * m};
    EXPECT_TRUE(odd.has_lower_variance_than(even));
    EXPECT_FALSE(even.has_lower_variance_than(odd));
    EXPECT_FALSE(even.has_lower_variance_than(even));
}

TEST_P(KuwaharaByHand, RampTakesTheFirstOfEqualQuadrants) {
    // Radius 1. Variances (n Q - S^2) / n^2: two neighbors in a row 25, in a column 225, four 250, one 0.
    //   10 20 30   (0,0) alone 10          (1,0) {10 20} before {20 30}: 15       (2,0) top right alone: 30
    //   40 50 60   (0,1) {10 40} first: 25 (1,1) all 250, top left {10 20 40 50}: 30  (2,1) {30 60} vary less than
    //   four: 45 70 80 90   (0,2) bottom left alone: 70 (1,2) {70 80} before {80 90}: 75   (2,2) bottom right alone: 90
    EXPECT_EQ(gray(3, 3, 1, {10, 20, 30, 40, 50, 60, 70, 80, 90}),
              (std::vector<uint8_t>{10, 15, 30, 25, 30, 45, 70, 75, 90}));
}

TEST_P(KuwaharaByHand, MeanRoundsHalvesUp) {
    // Top left of the center: {10 10 10 12}: 4 * 444 - 42^2 = 12, the least. floor((2 * 42 + 4) / 8) = 11 for a mean
    // of 10.5.
    EXPECT_EQ(gray(3, 3, 1, {10, 10, 90, 10, 12, 0, 99, 0, 255})[4], 11);
    // {10 10 10 11}: mean 10.25: floor((2 * 41 + 4) / 8) = 10.
    EXPECT_EQ(gray(3, 3, 1, {10, 10, 90, 10, 11, 0, 99, 0, 255})[4], 10);
}

TEST_P(KuwaharaByHand, QuadrantsOfDifferentSizesAreComparedByVariance) {
    // (1, 0), radius 1: top left {0 30}: 2 * 900 - 30^2 = 900, variance 225; top right {30 60}: 225.
    // Bottom left {0 30 20 20}: 4 * 1700 - 70^2 = 1900 is more than 900, but the variance 1900 / 16 = 118.75 is less.
    // Bottom right {30 60 20 100} has a higher one. floor((2 * 70 + 4) / 8) = 18.
    EXPECT_EQ(gray(3, 2, 1, {0, 30, 60, 20, 20, 100})[1], 18);
}

TEST_P(KuwaharaByHand, EdgeStaysSharp) {
    // Radius 2 on 5x5 with an edge between columns 2 and 3: left of it the top-left quadrant is constant, right of it
    // the top-right one.
    std::vector<uint8_t> values(25);
    for (size_t i = 0; i < values.size(); ++i) values[i] = i % 5 < 3 ? 10 : 200;
    EXPECT_EQ(gray(5, 5, 2, values), values);
}

TEST_P(KuwaharaByHand, SingleOutlierVanishes) {
    // Radius 2 on 5x5, 10 all over, 250 in the center: every quadrant of the center holds it once: n = 9, S = 330,
    // mean 36.67, rounded 37. (1, 1): top left {10 10 10 10} has variance 0: 10.
    std::vector<uint8_t> values(25, 10);
    values[12] = 250;
    std::vector<uint8_t> expected(25, 10);
    expected[12] = 37;
    EXPECT_EQ(gray(5, 5, 2, values), expected);
}

TEST_P(KuwaharaByHand, VarianceIsThatOfTheGreatestChannel) {
    // Top left of the center: red, green, blue of 200, and gray 200: V is 200 everywhere, so it wins; each channel's
    // mean is 400 / 4.
    const std::vector<uint8_t> pixels = {200, 0, 0,   1, 0,   200, 0,   2, 9,  9,  9,  3,  //
                                         0,   0, 200, 4, 200, 200, 200, 5, 90, 90, 90, 6,  //
                                         9,   9, 9,   7, 90,  90,  90,  8, 9,  9,  9,  9};
    const std::vector<uint8_t> out = result(make_image(3, 3, PixelFormat::rgba8, pixels), 1);
    EXPECT_EQ((std::vector<uint8_t>{out.begin() + 16, out.begin() + 20}), (std::vector<uint8_t>{100, 100, 100, 5}));
    for (size_t i = 3; i < out.size(); i += 4) EXPECT_EQ(out[i], pixels[i]) << "alpha";
}

TEST_P(KuwaharaByHand, ConstantAndTinyImagesStay) {
    for (const int radius : {1, 4, 64}) {
        EXPECT_EQ(gray(1, 1, radius, {123}), std::vector<uint8_t>{123});
        EXPECT_EQ(gray(7, 3, radius, std::vector<uint8_t>(21, 255)), std::vector<uint8_t>(21, 255));
        // 2x1: each pixel alone is one of its own quadrants.
        EXPECT_EQ(gray(2, 1, radius, {3, 250}), (std::vector<uint8_t>{3, 250}));
    }
}

TEST_P(KuwaharaByHand, GreatestVarianceAtTheGreatestRadius) {
    // A chessboard of 0 and 255, radius 64: the center's quadrants hold 65 * 65 pixels, 2112 of them 255. All tie.
    // floor((2 * 255 * 2112 + 4225) / 8450) = floor(127.97) = 127.
    HostImage board({129, 129, PixelFormat::gray8, false});
    for (int i = 0; i < 129 * 129; ++i) board.data()[i] = i % 2 == 1 ? 255 : 0;
    EXPECT_EQ(result(board, 64)[64 * 129 + 64], 127);
}

TEST(KuwaharaBounds, CrossProductsFitIn64Bits) {
    // n Q - S^2 with k of n values at 255 and the others at 0 is 255^2 k (n - k): the greatest there is, at k = n / 2.
    const int64_t n = 65 * 65;
    int64_t greatest = 0;
    for (int64_t k = 0; k <= n; ++k) greatest = std::max(greatest, n * (k * 65025) - (k * 255) * (k * 255));
    EXPECT_EQ(greatest, int64_t{65025} * 2112 * 2113);
    EXPECT_LE(greatest, n * n * 65025 / 4);
    EXPECT_LT(greatest, std::numeric_limits<int64_t>::max() / (n * n));  // what the comparison multiplies
    EXPECT_LT(greatest, std::numeric_limits<int64_t>::max() >> 24);  // what a word of the multi-threaded variant holds
    EXPECT_LT(n * 65025, int64_t{1} << 32);                          // sum of V^2
    EXPECT_LT(n * 255, int64_t{1} << 21);                            // sum of V
}

TEST(KuwaharaParallel, GivesTheReferencesBytes) {
    Random random(new_seed());
    for (int round = 0; round < 80; ++round) {
        const HostImage input = random_image(random, round % 4 == 0 ? 6 : 90);
        const int radius = round % 2 == 0 ? random(1, 64) : random(1, 9);
        const HostImage expected = run(reference_of("kuwahara"), input, radius);
        HostImage output(input.spec(), input.spec().row_bytes() + size_t(random(0, 40)));
        std::memset(output.data(), 0xA5, output.size_bytes());
        StageTimes stages;
        find_variant("kuwahara", "parallel")
            ->run_cpu({.input = input.view(),
                       .params = ParamBlock(Params{radius}),
                       .variant_params = {},
                       .output = output.mutable_view(),
                       .threads = random(1, 5),
                       .stages = &stages});
        ASSERT_EQ(count_different_pixels(expected.view(), output.view()), 0)
            << input.width() << "x" << input.height() << " radius " << radius;
        ASSERT_EQ(stages.size(), 1U);
        for (int y = 0; y < output.height(); ++y)
            for (size_t i = output.spec().row_bytes(); i < output.pitch_bytes(); ++i)
                ASSERT_EQ(output.data()[size_t(y) * output.pitch_bytes() + i], 0xA5) << "padding";
    }
}

TEST(KuwaharaParallel, SeveralBandsAndChunks) {
    // Wider than a chunk of columns, higher than several bands.
    Random random(new_seed());
    HostImage input({700, 500, PixelFormat::rgba8, true});
    for (size_t i = 0; i < input.size_bytes(); ++i) input.data()[i] = uint8_t(int(i / 40 % 200) + random(0, 30));
    for (const int radius : {1, 3}) {
        const HostImage expected = run(reference_of("kuwahara"), input, radius);
        for (const int threads : {1, 2, 3})
            EXPECT_EQ(count_different_pixels(expected.view(),
                                             run(*find_variant("kuwahara", "parallel"), input, radius, threads).view()),
                      0)
                << "radius " << radius << ", " << threads << " threads";
    }
}

TEST(KuwaharaParallel, StopsWhenAsked) {
    const HostImage input = make_image(9, 9, PixelFormat::gray8, std::vector<uint8_t>(81, 1));
    std::stop_source source;
    source.request_stop();
    for (const char* id : {"cpu", "parallel"}) {
        HostImage output(input.spec());
        std::memset(output.data(), 0xA5, output.size_bytes());
        find_variant("kuwahara", id)
            ->run_cpu({.input = input.view(),
                       .params = ParamBlock(Params{4}),
                       .variant_params = {},
                       .output = output.mutable_view(),
                       .stop = source.get_token()});
        for (size_t i = 0; i < output.size_bytes(); ++i) ASSERT_EQ(output.data()[i], 0xA5) << id;
    }
}

HostImage preview_at(const HostImage& input, int radius, const Rect& region, int step) {
    return run_preview(*find_operator("kuwahara"), input, ParamBlock(Params{radius}), region, step);
}

TEST(KuwaharaPreview, OfASmallRegionIsExact) {
    Random random(new_seed());
    for (int round = 0; round < 30; ++round) {
        const HostImage input = random_image(random, 80);
        const int radius = random(1, 20), step = random(1, 4);
        const HostImage expected = run(*find_variant("kuwahara", "parallel"), input, radius);
        const Rect region = random_region(random, input);
        const HostImage preview = preview_at(input, radius, region, step);
        for (int j = 0; j < preview.height(); ++j)
            for (int i = 0; i < preview.width(); ++i)
                ASSERT_EQ(std::memcmp(preview.view().pixel(i, j),
                                      expected.view().pixel(region.x + i * step, region.y + j * step),
                                      size_t(bytes_per_pixel(preview.spec().format))),
                          0)
                    << "radius " << radius << " step " << step << " at " << i << ", " << j;
    }
}

TEST(KuwaharaPreview, OfALargeRegionFiltersAReducedCopy) {
    // Stripes of 96 columns: each pixel has a constant quadrant in the image as in the copy, so both keep the stripes.
    HostImage input({2003, 1501, PixelFormat::gray8, false});
    for (int y = 0; y < input.height(); ++y)
        for (int x = 0; x < input.width(); ++x)
            input.data()[size_t(y) * input.pitch_bytes() + size_t(x)] = x / 96 % 2 == 0 ? 40 : 220;
    const Rect region{7, 3, 1990, 1490};
    const HostImage preview = preview_at(input, 12, region, 5);
    ASSERT_EQ(preview.width(), 398);
    ASSERT_EQ(preview.height(), 298);
    for (int j = 0; j < preview.height(); ++j)
        for (int i = 0; i < preview.width(); ++i)
            ASSERT_EQ(*preview.view().pixel(i, j), *input.view().pixel(region.x + 5 * i, region.y + 5 * j))
                << i << ", " << j;
}

TEST(KuwaharaExplain, WindowAndQuadrants) {
    const OperatorInfo& op = *find_operator("kuwahara");
    // Radius 4: 9 pixels from end to end, of which a quadrant has 5 with the middle.
    EXPECT_EQ(
        op.conversions(op.params[0], ParamBlock(Params{4}), {}),
        (std::vector<std::string>{"Neighborhood of 9 \u00d7 9 px",
                                  "Four quadrants of 5 \u00d7 5 px, 25 pixels each, fewer at the image's edges"}));
}

}  // namespace
}  // namespace tonescope::kuwahara
