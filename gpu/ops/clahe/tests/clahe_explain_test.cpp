// What CLAHE says of its tiles: by hand, and against the tables of the multi-threaded version.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <random>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe_cpu.h"

namespace tonescope::clahe {
namespace {

Explanation explain(const HostImage& image, const Params& params, Pixel pixel, std::optional<Pixel> kept = {}) {
    return find_operator("clahe")->explain(
        {.input = image.view(), .params = ParamBlock(params), .pixel = pixel, .kept = kept});
}

Params tiles_of(int tile_size) {
    auto params = default_values(find_operator("clahe")->params).as<Params>();
    params.tile_size = tile_size;
    params.clip_limit = 0;
    return params;
}

/// 16 x 16: the first of 2 x 2 tiles of 8 is 100 all over, the others 200.
HostImage four_tiles() {
    HostImage image({16, 16, PixelFormat::gray8, false});
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) *image.mutable_view().pixel(x, y) = x < 8 && y < 8 ? 100 : 200;
    return image;
}

TEST(ClaheExplain, TheFourTablesAndTheirWeights) {
    // At (5, 4): 2 T = 16, u = 2 * 5 - 8 = 2 and 2 * 4 - 8 = 0, so wx = 2 and wy = 0. Of 256 parts the first tile has
    // 14 * 16 = 224, the one at its right 2 * 16 = 32, those below none. The first table has 255 at 100, the others 0.
    const Explanation e = explain(four_tiles(), tiles_of(8), {5, 4});
    ASSERT_EQ(e.table.rows.size(), 5U);
    EXPECT_EQ(e.table.columns, (std::vector<std::string>{"weight", "Value"}));
    EXPECT_EQ(e.table.rows[0].name, "top left 1, 1");
    EXPECT_EQ(e.table.rows[0].cells, (std::vector<std::string>{"87.5 %", "255"}));
    EXPECT_EQ(e.table.rows[1].name, "top right 2, 1");
    EXPECT_EQ(e.table.rows[1].cells, (std::vector<std::string>{"12.5 %", "0"}));
    EXPECT_EQ(e.table.rows[3].cells, (std::vector<std::string>{"0.0 %", "0"}));
    EXPECT_EQ(e.table.rows[4].cells, (std::vector<std::string>{"100 %", "223"}));  // (255 * 224 + 128) / 256
    EXPECT_EQ(e.values[0].before, 100);
    EXPECT_EQ(e.values[0].after, 223);
    EXPECT_EQ(e.plot_of, "tile 1, 1 of 2 \u00d7 2");
    EXPECT_EQ(e.plots[0].counts[100], 64U);
    EXPECT_EQ(e.plots[0].out, 255);
}

TEST(ClaheExplain, CornersOfTheImageBlendOneTile) {
    const Explanation e = explain(four_tiles(), tiles_of(8), {0, 15});
    ASSERT_EQ(e.areas.size(), 1U);
    EXPECT_EQ(e.areas[0].rect, (Rect{0, 8, 8, 8}));
    EXPECT_EQ(e.areas[0].label, "100.0 %");
    EXPECT_TRUE(e.areas[0].strong);
    EXPECT_FALSE(e.areas[0].is_kept);
}

TEST(ClaheExplain, AKeptTileIsShownBesideTheBlend) {
    const Explanation e = explain(four_tiles(), tiles_of(8), {0, 0}, Pixel{15, 15});
    ASSERT_EQ(e.areas.size(), 2U);
    EXPECT_EQ(e.areas[1].rect, (Rect{8, 8, 8, 8}));
    EXPECT_TRUE(e.areas[1].is_kept && e.areas[1].strong);
    EXPECT_EQ(e.areas[1].label, "");
    EXPECT_EQ(e.plot_of, "tile 2, 2 of 2 \u00d7 2, kept");
    EXPECT_EQ(e.plots[0].counts[200], 64U);
    EXPECT_EQ(e.plots[0].out, 0);  // of the pixel's value, 100, which that tile does not have
    EXPECT_EQ(e.values[0].after, 255);
}

TEST(ClaheExplain, WhatIsClipped) {
    // 4 times 50, 60 times 100; C = 10: 50 of 64 pixels are clipped, none for every bin and 50 left over.
    HostImage image({8, 8, PixelFormat::gray8, false});
    std::fill_n(image.data(), 64, uint8_t{100});
    for (const size_t k : {3, 17, 40, 63}) image.data()[k] = 50;
    Params params = tiles_of(8);
    params.clip_unit = clip_count;
    params.clip_count = 10;
    const ExplainedPlot plot = explain(image, params, {0, 0}).plots[0];
    EXPECT_EQ(plot.limit, 10);
    EXPECT_EQ(plot.cut_name, "Above the limit 78.1 %");
    EXPECT_EQ(plot.note, "50 pixels above the limit: 0 more for each bin, and 50 spread over the bins.");
    EXPECT_EQ(std::lround(plot.transfer.levels[50] * 255), 60);  // see ClaheByHand
    EXPECT_EQ(plot.out, 139);
    params.clip_count = 60;
    EXPECT_EQ(explain(image, params, {0, 0}).plots[0].note, "No bin passes the clip limit.");
    params.clip_count = 0;
    EXPECT_EQ(explain(image, params, {0, 0}).plots[0].limit, 0);
}

TEST(ClaheExplain, EveryTableIsTheOneThatIsUsed) {
    const uint32_t seed = std::random_device()();
    std::cout << "seed " << seed << '\n';
    std::mt19937 random(seed);
    const auto pick = [&](int low, int high) { return low + int(random() % uint32_t(high - low + 1)); };
    for (int round = 0; round < 40; ++round) {
        const bool gray = pick(0, 1) == 0;
        HostImage image({pick(1, 90), pick(1, 70), gray ? PixelFormat::gray8 : PixelFormat::rgba8, false});
        for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = uint8_t(pick(40, 90));
        Params params = tiles_of(pick(8, 40));
        params.tiles = pick(0, 1);
        params.grid_columns = pick(1, 9);
        params.grid_rows = pick(1, 9);
        params.clip_limit = pick(0, 600);
        params.excess = pick(0, 2);
        params.color = pick(0, 2);
        const ParamBlock block(params);
        const Geometry g = make_geometry(image.spec(), params);
        Tables tables(plane_count(image.spec(), params.color), g.rows, g.columns);
        make_tables({.input = image.view(), .params = block}, g, tables);
        const Pixel at{pick(0, image.width() - 1), pick(0, image.height() - 1)};
        const Explanation e = explain(image, params, at);
        ASSERT_EQ(e.plots.size(), size_t(plane_count(image.spec(), params.color)));
        for (size_t plane = 0; plane < e.plots.size(); ++plane)
            for (size_t v = 0; v < 256; ++v)
                ASSERT_EQ(std::lround(e.plots[plane].transfer.levels[v] * 255),
                          tables.at(int(plane), at.y / g.tile_height, at.x / g.tile_width)[v])
                    << "round " << round << ", plane " << plane << ", value " << v;
    }
}

}  // namespace
}  // namespace tonescope::clahe
