// What CLAHE's tooltips say, worked out by hand.
#include <gtest/gtest.h>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"

namespace tonescope::clahe {
namespace {

using Lines = std::vector<std::string>;

Lines conversions(const char* id, const Params& params, const ImageSpec& image = {1000, 700, PixelFormat::gray8}) {
    const OperatorInfo& op = *find_operator("clahe");
    return op.conversions(*find_param(op.params, id), ParamBlock(params), image);
}

Params defaults() {
    return default_values(find_operator("clahe")->params).as<Params>();
}

TEST(ClaheExplain, TheSlopeAsCountAndElsewhere) {
    // 64 x 64 = 4096 pixels in 256 bins: 16 a bin on average, three times that is 48; 3 / 256 = 0.01171875.
    EXPECT_EQ(conversions("clip_limit", defaults()),
              (Lines{"As count: at most 48 of a tile's 4096 pixels in a bin",
                     "OpenCV: clipLimit 3, the same slope on a grid of tiles",
                     "scikit-image: clip_limit 0.01172, the share of a tile's pixels"}));
}

TEST(ClaheExplain, OnAGridOpenCvTakesTheSameNumbers) {
    Params params = defaults();
    params.tiles = tiles_grid;
    params.grid_columns = 10;
    params.grid_rows = 7;
    params.clip_limit = 256;
    // Tiles of 100 x 100; 2.56 * 10000 / 256 = 100; 2.56 / 256 = 0.01.
    EXPECT_EQ(conversions("clip_limit", params),
              (Lines{"As count: at most 100 of a tile's 10000 pixels in a bin",
                     "OpenCV: clipLimit 2.56, tileGridSize 10 \u00d7 7",
                     "scikit-image: clip_limit 0.01, the share of a tile's pixels"}));
    EXPECT_EQ(conversions("grid_rows", params),
              Lines{"10 \u00d7 7 tiles (across, down) of 100 \u00d7 100 px, 10000 pixels each"});
}

TEST(ClaheExplain, TheCountAsSlope) {
    Params params = defaults();
    params.clip_unit = clip_count;
    params.clip_count = 40;
    // 40 / 16 = 2.5; 40 / 4096 = 0.009765625.
    EXPECT_EQ(conversions("clip_count", params),
              (Lines{"As slope: 2.5 \u00d7 the mean bin of a tile",
                     "OpenCV: clipLimit 2.5, the same slope on a grid of tiles",
                     "scikit-image: clip_limit 0.009766, the share of a tile's pixels"}));
}

TEST(ClaheExplain, NoughtIsNoLimit) {
    Params params = defaults();
    params.clip_limit = 0;
    const Lines lines = {"No limit: contrast grows freely", "OpenCV: clipLimit 0", "scikit-image: clip_limit 0"};
    EXPECT_EQ(conversions("clip_limit", params), lines);
    params.clip_unit = clip_count;
    params.clip_count = 0;
    EXPECT_EQ(conversions("clip_count", params), lines);
}

TEST(ClaheExplain, TilesAcrossAndDown) {
    // 1000 / 64 = 15.6 and 700 / 64 = 10.9.
    EXPECT_EQ(conversions("tile_size", defaults()),
              Lines{"16 \u00d7 11 tiles (across, down) of 64 \u00d7 64 px, 4096 pixels each"});
    EXPECT_TRUE(conversions("excess", defaults()).empty());
    EXPECT_TRUE(conversions("tile_size", defaults(), {}).empty()) << "nothing to count tiles on";
}

}  // namespace
}  // namespace tonescope::clahe
