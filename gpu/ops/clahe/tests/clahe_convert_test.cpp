// Tiles and limit given in the other way: by hand, and over many sizes by the reference's bytes.
#include <gtest/gtest.h>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "tests/image_tools.h"
#include "tests/images.h"
#include "tests/random_images.h"

namespace tonescope::clahe {
namespace {

const OperatorInfo& clahe_op() {
    return *find_operator("clahe");
}

Params unchanged() {
    return default_values(clahe_op().params).as<Params>();
}

/// The parameters as the window has them after a choice is set to `value`.
Params switched(const Params& params, const char* id, int32_t value, const ImageSpec& image, std::string* note = {}) {
    const Conversion result =
        with_value(clahe_op(), ParamBlock(params), *find_param(clahe_op().params, id), value, image);
    if (note != nullptr) *note = result.note;
    return result.params.as<Params>();
}

constexpr ImageSpec kImage{1024, 768, PixelFormat::gray8, false};

TEST(ClaheConvert, SlopeToCountAndBack) {
    Params params = unchanged();
    params.clip_limit = 600;
    std::string note;
    const Params count = switched(params, "clip_unit", clip_count, kImage, &note);
    EXPECT_EQ(count.clip_count, 96) << "6 * 64 * 64 / 256";
    EXPECT_EQ(note, "");
    EXPECT_EQ(switched(count, "clip_unit", clip_slope, kImage).clip_limit, 600);
    Params other = count;
    other.clip_count = 40;
    EXPECT_EQ(switched(other, "clip_unit", clip_slope, kImage, &note).clip_limit, 250) << "another value in between";
    EXPECT_EQ(note, "");
}

TEST(ClaheConvert, OtherChoicesChangeAlone) {
    for (const char* id : {"color", "excess"}) {
        ParamBlock expected(unchanged());
        expected.set(*find_param(clahe_op().params, id), 1);
        EXPECT_EQ(ParamBlock(switched(unchanged(), id, 1, kImage)), expected) << id;
    }
}

TEST(ClaheConvert, NoLimitStaysNone) {
    Params params = unchanged();
    params.clip_limit = 0;
    EXPECT_EQ(switched(params, "clip_unit", clip_count, kImage).clip_count, 0);
    params = unchanged();
    params.clip_unit = clip_count;
    params.clip_count = 0;
    EXPECT_EQ(switched(params, "clip_unit", clip_slope, kImage).clip_limit, 0);
    params.clip_count = 1 << 30;  // more than a tile has
    std::string note;
    EXPECT_EQ(switched(params, "clip_unit", clip_slope, kImage, &note).clip_limit, 25600);
    EXPECT_EQ(note, "");
}

TEST(ClaheConvert, TheNearestLimitIsNamed) {
    Params params = unchanged();
    params.tile_size = 1024;
    params.clip_unit = clip_count;
    params.clip_count = 100;  // a step of the slope is 40.96 pixels a bin: 81 or 122
    std::string note;
    const Params slope = switched(params, "clip_unit", clip_slope, kImage, &note);
    EXPECT_EQ(slope.clip_limit, 2);
    EXPECT_EQ(note, "The nearest limit is 81 pixels a bin; it was 100");
}

TEST(ClaheConvert, SizeToGridAndBack) {
    std::string note;
    const Params grid = switched(unchanged(), "tiles", tiles_grid, kImage, &note);
    EXPECT_EQ(grid.grid_columns, 16);
    EXPECT_EQ(grid.grid_rows, 12);
    EXPECT_EQ(note, "");
    EXPECT_EQ(switched(grid, "tiles", tiles_size, kImage).tile_size, 64);
    // 1000 / 16 is no whole number: 16 columns are padded to 1008.
    constexpr ImageSpec odd{1000, 704, PixelFormat::gray8, false};
    const Params near = switched(unchanged(), "tiles", tiles_grid, odd, &note);
    EXPECT_EQ(near.grid_columns, 16);
    EXPECT_TRUE(note.starts_with("The nearest tiles are of 63 \u00d7 ")) << note;
    EXPECT_EQ(with_value(clahe_op(), ParamBlock(unchanged()), *find_param(clahe_op().params, "tiles"), tiles_grid, {})
                  .params.as<Params>()
                  .grid_columns,
              8)
        << "without an image";
}

TEST(ClaheConvert, WhatTheNewSettingDoesAtTheBorderIsNamed) {
    Params grid = unchanged();
    grid.tiles = tiles_grid;
    grid.grid_columns = 16;
    constexpr ImageSpec square{1023, 1023, PixelFormat::gray8, false};
    grid.grid_rows = 16;
    std::string note;
    const Params size = switched(grid, "tiles", tiles_size, square, &note);
    EXPECT_EQ(size.tile_size, 64);
    EXPECT_EQ(note, "The tiles stay 64 \u00d7 64 px, but end at the image's border, which the grid mirrored");
    switched(size, "tiles", tiles_grid, square, &note);
    EXPECT_EQ(note, "The tiles stay 64 \u00d7 64 px, but a grid mirrors the image beyond its border");
}

HostImage run(const HostImage& input, const Params& params) {
    HostImage output(clahe_op().output_spec(input.spec(), ParamBlock(params)));
    reference_of("clahe").run_cpu(
        {.input = input.view(), .params = ParamBlock(params), .variant_params = {}, .output = output.mutable_view()});
    return output;
}

/// Every setting of the other way is tried: none gives the bytes where convert() says that it does not.
TEST(ClaheConvert, TheBytesStayWhereASettingGivesThem) {
    Random random(new_seed());
    int kept = 0, nearest = 0;
    for (int round = 0; round < 240; ++round) {
        const bool divides = round % 3 != 0;
        const int tile = random(8, 20);
        const int width = divides ? tile * random(1, 5) : random(1, 70);
        const int height = divides ? tile * random(1, 5) : random(1, 70);
        const HostImage input = noise(width, height, PixelFormat::gray8, uint32_t(round));
        Params params = unchanged();
        params.tile_size = tile;
        params.grid_columns = random(1, 9);
        params.grid_rows = random(1, 9);
        params.clip_limit = random(0, 3) == 0 ? 0 : random(1, 3000);
        params.clip_count = random(0, 60);
        params.tiles = random(0, 1);
        params.clip_unit = random(0, 1);
        const char* id = round % 2 == 0 ? "clip_unit" : "tiles";
        const int32_t value = 1 - (round % 2 == 0 ? params.clip_unit : params.tiles);
        std::string note;
        const Params to = switched(params, id, value, input.spec(), &note);
        const std::string at = std::to_string(width) + " x " + std::to_string(height) + " " + id + " " + note;
        const HostImage was = run(input, params);
        if (note.empty()) {
            ++kept;
            ASSERT_EQ(count_different_pixels(was.view(), run(input, to).view()), 0) << at;
        } else {
            ++nearest;
            Params other = to;
            const Geometry g = make_geometry(input.spec(), params);
            const auto same_geometry = [&] {
                const Geometry h = make_geometry(input.spec(), other);
                return g.tile_width == h.tile_width && g.tile_height == h.tile_height && g.columns == h.columns &&
                       g.rows == h.rows && g.padded_width == h.padded_width && g.padded_height == h.padded_height &&
                       g.clips == h.clips && (!g.clips || g.clip == h.clip);
            };
            if (std::string_view(id) == "clip_unit") {
                ASSERT_EQ(value, int32_t{clip_slope}) << at;
                for (other.clip_limit = 0; other.clip_limit <= 25600; ++other.clip_limit)
                    ASSERT_FALSE(same_geometry()) << at;
            } else if (value == tiles_size) {
                for (other.tile_size = 8; other.tile_size <= 1024; ++other.tile_size)
                    ASSERT_FALSE(same_geometry()) << at;
            } else {
                for (other.grid_columns = 1; other.grid_columns <= 64; ++other.grid_columns)
                    for (other.grid_rows = 1; other.grid_rows <= 64; ++other.grid_rows)
                        ASSERT_FALSE(same_geometry()) << at;
            }
        }
    }
    EXPECT_GT(kept, 50);
    EXPECT_GT(nearest, 20);
}

}  // namespace
}  // namespace tonescope::clahe
