// CLAHE worked out by hand, on every CPU variant.
#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "gpu/core/luma.h"
#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"

namespace tonescope::clahe {
namespace {

Params default_params() {
    return default_values(find_operator("clahe")->params).as<Params>();
}

/// Tiles of 8 pixels, no clipping.
Params plain(int tile_size = 8) {
    Params params = default_params();
    params.tile_size = tile_size;
    params.clip_limit = 0;
    return params;
}

HostImage make_gray(int width, int height, const std::vector<uint8_t>& values) {
    HostImage image({width, height, PixelFormat::gray8, false});
    std::copy(values.begin(), values.end(), image.data());
    return image;
}

std::vector<uint8_t> bytes_of(const HostImage& image) {
    return {image.data(), image.data() + image.size_bytes()};
}

HostImage run(const VariantInfo& variant, const HostImage& input, const Params& params) {
    const ParamBlock block(params);
    HostImage output(find_operator("clahe")->output_spec(input.spec(), block));
    variant.run_cpu(
        {.input = input.view(), .params = block, .variant_params = {}, .output = output.mutable_view(), .threads = 2});
    return output;
}

class ClaheByHand : public testing::TestWithParam<const char*> {
  protected:
    std::vector<uint8_t> run_gray(int width, int height, const std::vector<uint8_t>& values,
                                  const Params& params) const {
        return bytes_of(run(variant(), make_gray(width, height, values), params));
    }
    const VariantInfo& variant() const { return *find_variant("clahe", GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Cpu, ClaheByHand, testing::Values("cpu", "parallel"),
                         [](const auto& param) { return std::string(param.param); });

TEST_P(ClaheByHand, OneTileCutByTheBorderIsEqualizedByItsOwnPixels) {
    // A = 4, 2 A = 8. cdf(10) = 1: (510 + 4) / 8 = 64.25. cdf(20) = 3: (1530 + 4) / 8 = 191.75. cdf(200) = 4: (2040 +
    // 4) / 8 = 255.5.
    EXPECT_EQ(run_gray(4, 1, {10, 20, 20, 200}, plain()), (std::vector<uint8_t>{64, 191, 191, 255}));
}

TEST_P(ClaheByHand, ClippedTileSpreadsOrDropsTheRest) {
    // 8x8: 4 times 50, 60 times 100; C = 10: excess 50, nothing for every bin, 50 left over.
    std::vector<uint8_t> values(64, 100);
    values[3] = values[17] = values[40] = values[63] = 50;
    Params params = plain();
    params.clip_unit = clip_count;
    params.clip_count = 10;

    // drop: cdf(50) = 4: (2040 + 64) / 128 = 16.4. cdf(100) = 14: (7140 + 64) / 128 = 56.3.
    params.excess = excess_drop;
    std::vector<uint8_t> result = run_gray(8, 8, values, params);
    EXPECT_EQ(result[3], 16);
    EXPECT_EQ(result[0], 56);

    // spread: stride floor(256 / 50) = 5, bins 0, 5, ..., 245. Up to 50 these are 11: cdf = 15: (7650 + 64) / 128
    // = 60.3. Up to 100 they are 21: cdf = 4 + 10 + 21 = 35: (17850 + 64) / 128 = 139.95.
    params.excess = excess_spread;
    result = run_gray(8, 8, values, params);
    EXPECT_EQ(result[3], 60);
    EXPECT_EQ(result[0], 139);

    // spread evenly: up to 50 floor(51 * 50 / 256) = 9 bins gain: cdf = 13: (6630 + 64) / 128 = 52.3. Up to 100 they
    // are floor(101 * 50 / 256) = 19: cdf = 4 + 10 + 19 = 33: (16830 + 64) / 128 = 131.98.
    params.excess = excess_evenly;
    result = run_gray(8, 8, values, params);
    EXPECT_EQ(result[3], 52);
    EXPECT_EQ(result[0], 131);
}

TEST_P(ClaheByHand, ExcessAbove256RaisesEveryBin) {
    // 32x32: 24 times 0, 1000 times 8; C = 100: excess 900 = 3 * 256 + 132.
    std::vector<uint8_t> values(1024, 8);
    std::fill_n(values.begin(), 24, uint8_t{0});
    Params params = plain(32);
    params.clip_unit = clip_count;
    params.clip_count = 100;

    // drop: cdf(0) = 27: (13770 + 1024) / 2048 = 7.2. cdf(8) = 27 + 7 * 3 + 103 = 151: (77010 + 1024) / 2048 = 38.1.
    params.excess = excess_drop;
    std::vector<uint8_t> result = run_gray(32, 32, values, params);
    EXPECT_EQ(result[0], 7);
    EXPECT_EQ(result[1023], 38);

    // spread: 132 left over, stride floor(256 / 132) = 1: bins 0 to 131 gain 1. cdf(8) = 151 + 9 = 160: (81600 + 1024)
    // / 2048 = 40.3.
    params.excess = excess_spread;
    result = run_gray(32, 32, values, params);
    EXPECT_EQ(result[0], 7);
    EXPECT_EQ(result[1023], 40);

    // spread evenly: up to 8 floor(9 * 132 / 256) = 4 bins gain: cdf(8) = 155: (79050 + 1024) / 2048 = 39.1.
    params.excess = excess_evenly;
    result = run_gray(32, 32, values, params);
    EXPECT_EQ(result[0], 7);
    EXPECT_EQ(result[1023], 39);
}

TEST_P(ClaheByHand, SlopeLimitIsAtLeastOnePixel) {
    // Slope 3 of 8x8: C = floor(300 * 64 / 25600) = 0, so 1. Two values, 32 times each: h = 1 and 1, excess 62, stride
    // floor(256 / 62) = 4. Bins 0, 4, ..., 244 gain 1. cdf(10) = 1 + 3 (0, 4, 8) = 4: (2040 + 64) / 128 = 16.4.
    // cdf(250) = 1 + 1 + 62 = 64: (32640 + 64) / 128 = 255.5.
    std::vector<uint8_t> values(64, 10);
    std::fill_n(values.begin(), 32, uint8_t{250});
    Params params = plain();
    params.clip_limit = 300;
    const std::vector<uint8_t> result = run_gray(8, 8, values, params);
    EXPECT_EQ(result[63], 16);
    EXPECT_EQ(result[0], 255);
}

TEST_P(ClaheByHand, WeightsFromCornerToTileCenterToTileBorder) {
    // 2x2 tiles of 8: the first is 100 all over, the others 200. For the value 100 the first table has 255, the others
    // 0; for 200 all have 255. 2 T = 16, and the result at 100 is floor((255 * (16 - wx) * (16 - wy) + 128) / 256).
    std::vector<uint8_t> values(256, 200);
    for (int y = 0; y < 8; ++y) std::fill_n(values.begin() + 16 * y, 8, uint8_t{100});
    const std::vector<uint8_t> result = run_gray(16, 16, values, plain());
    const auto at = [&](int x, int y) { return int(result[size_t(16 * y + x)]); };
    EXPECT_EQ(at(0, 0), 255);  // outside the tiles' centers: the corner's table alone
    EXPECT_EQ(at(4, 4), 255);  // u = 0: the center, wx = wy = 0
    EXPECT_EQ(at(5, 4), 223);  // wx = 2: (255 * 14 * 16 + 128) / 256 = 223.6
    EXPECT_EQ(at(7, 0), 159);  // wx = 6, above the centers: (255 * 10 * 16 + 128) / 256 = 159.9
    EXPECT_EQ(at(7, 7), 100);  // wx = wy = 6: (255 * 10 * 10 + 128) / 256 = 100.1
    EXPECT_EQ(at(8, 8), 255);
    EXPECT_EQ(at(15, 15), 255);
}

TEST_P(ClaheByHand, GridThatDoesNotDivideIsPaddedByMirroring) {
    // 5x1, grid 2x1: width 5 + (2 - 1) = 6, height 1 + (1 - 0) = 2, tiles of 3x2, A = 6. Column 5 reads 8 - 5 = 3; row
    // 1 reads row 0. Tile 0 {10 20 30} twice: lut[10] = (510 * 2 + 6) / 12 = 85.5, lut[20] = 170.5, lut[30] = lut[40] =
    // 255.5. Tile 1 {40 10 40} twice: lut[10] = lut[20] = lut[30] = 85.5, lut[40] = 255.5. Weights in sixths: x = 0, 1:
    // tile 0 alone. x = 2: wx = 1: (5 * 255 + 85) / 6 = 226.7, rounded 227. x = 3: 255. x = 4: 85.
    Params params = plain();
    params.tiles = tiles_grid;
    params.grid_columns = 2;
    params.grid_rows = 1;
    EXPECT_EQ(run_gray(5, 1, {10, 20, 30, 40, 10}, params), (std::vector<uint8_t>{85, 170, 227, 255, 85}));
}

TEST_P(ClaheByHand, OnePixel) {
    // A = 1: (510 + 1) / 2 = 255, whatever the limit.
    for (const int tiles : {tiles_size, tiles_grid}) {
        Params params = default_params();
        params.tiles = tiles;
        // With the default grid of 8x8 the padded image has 8x8 pixels, each tile one.
        EXPECT_EQ(run_gray(1, 1, {77}, params), std::vector<uint8_t>{255});
    }
}

TEST_P(ClaheByHand, ColorModesOfOnePixel) {
    // Y = (77 * 10 + 150 * 20 + 29 * 30 + 128) >> 8 = 18, Y' = 255, difference 237.
    HostImage image({1, 1, PixelFormat::rgba8, true});
    const uint8_t pixel[4] = {10, 20, 30, 99};
    std::copy(pixel, pixel + 4, image.data());
    Params params = default_params();
    params.color = color_luma;
    EXPECT_EQ(bytes_of(run(variant(), image, params)), (std::vector<uint8_t>{247, 255, 255, 99}));
    params.color = color_channels;
    EXPECT_EQ(bytes_of(run(variant(), image, params)), (std::vector<uint8_t>{255, 255, 255, 99}));
    params.color = color_gray;
    EXPECT_EQ(bytes_of(run(variant(), image, params)), (std::vector<uint8_t>{255, 255, 255, 99}));
    image.set_has_alpha(false);
    EXPECT_EQ(bytes_of(run(variant(), image, params)), std::vector<uint8_t>{255});
}

TEST_P(ClaheByHand, ChannelsAreEqualizedApart) {
    // 2x1 in one tile, A = 2: the lesser value of a channel becomes (510 + 2) / 4 = 128, the greater 255, equal ones
    // 255.
    HostImage image({2, 1, PixelFormat::rgba8, true});
    const uint8_t pixels[8] = {10, 90, 5, 1, 20, 80, 5, 2};
    std::copy(pixels, pixels + 8, image.data());
    Params params = plain();
    params.color = color_channels;
    EXPECT_EQ(bytes_of(run(variant(), image, params)), (std::vector<uint8_t>{128, 255, 255, 1, 255, 128, 255, 2}));
}

TEST_P(ClaheByHand, SumsAbove32Bits) {
    // N = 9,000,000 in one tile, half 10 and half 200: lut[10] = (510 * 4.5e6 + 9e6) / 18e6 = 128, lut[200] = 255.
    // 510 N and 255 * 4 N are above 2^32.
    HostImage image({3000, 3000, PixelFormat::gray8, false});
    std::fill_n(image.data(), 4500000, uint8_t{10});
    std::fill_n(image.data() + 4500000, 4500000, uint8_t{200});
    Params params = plain();
    params.tiles = tiles_grid;
    params.grid_columns = params.grid_rows = 1;
    const HostImage result = run(variant(), image, params);
    EXPECT_EQ(result.data()[0], 128);
    EXPECT_EQ(result.data()[4499999], 128);
    EXPECT_EQ(result.data()[4500000], 255);
    EXPECT_EQ(result.data()[8999999], 255);
}

TEST(ClaheGeometryTest, TilesOfASize) {
    Params params = default_params();
    const Geometry g = make_geometry({100, 50, PixelFormat::gray8, false}, params);
    EXPECT_EQ(g.columns, 2);
    EXPECT_EQ(g.rows, 1);
    EXPECT_EQ(g.tile_width, 64);
    EXPECT_EQ(g.tile_height, 64);
    EXPECT_EQ(g.padded_width, 100);
    EXPECT_EQ(g.padded_height, 50);
    EXPECT_TRUE(g.clips);
    EXPECT_EQ(g.clip, 48);  // 300 * 64 * 64 / 25600, although the tile is cut off
}

TEST(ClaheGeometryTest, GridGrowsBothSidesUnlessBothDivide) {
    Params params = default_params();
    params.tiles = tiles_grid;
    params.grid_columns = 4;
    params.grid_rows = 3;
    const auto padded = [&](int width, int height) {
        const Geometry g = make_geometry({width, height, PixelFormat::gray8, false}, params);
        EXPECT_EQ(g.columns, 4);
        EXPECT_EQ(g.rows, 3);
        EXPECT_EQ(g.tile_width * 4, g.padded_width);
        EXPECT_EQ(g.tile_height * 3, g.padded_height);
        return std::pair(g.padded_width, g.padded_height);
    };
    EXPECT_EQ(padded(12, 9), std::pair(12, 9));
    EXPECT_EQ(padded(10, 7), std::pair(12, 9));
    EXPECT_EQ(padded(12, 7), std::pair(16, 9));  // the width divides and grows by a whole 4
    EXPECT_EQ(padded(1, 1), std::pair(4, 3));
}

TEST(ClaheGeometryTest, MirroredIndexDoesNotRepeatTheEdge) {
    const int expected[] = {0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2};
    for (int p = 0; p < 11; ++p) EXPECT_EQ(mirror_index(p, 4), expected[p]) << p;
    for (int p = 0; p < 5; ++p) {
        EXPECT_EQ(mirror_index(p, 2), p % 2);
        EXPECT_EQ(mirror_index(p, 1), 0);
    }
    EXPECT_EQ(mirror_index(127, 65), 1);  // 2 * 65 - 2 - 127
    const int before[] = {0, 1, 2, 3, 2, 1, 0, 1};
    for (int p = 0; p < 8; ++p) EXPECT_EQ(mirror_around(-p, 4), before[p]) << -p;
}

}  // namespace
}  // namespace tonescope::clahe
