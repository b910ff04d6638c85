// Values that show what a parameter does.
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/core/registry.h"

namespace tonescope {
namespace {

using Values = std::vector<int32_t>;

const ParamInfo& param(const char* op, const char* id) {
    return *find_param(find_operator(op)->params, id);
}

TEST(GridValues, EachValueIsTwiceTheOneBefore) {
    const ParamInfo& limit = param("clahe", "clip_limit");
    EXPECT_EQ(grid_values(limit, 200, 4), (Values{100, 200, 400, 800}));
    EXPECT_EQ(grid_values(limit, 300, 3), (Values{150, 300, 600}));
    EXPECT_EQ(grid_values(limit, 300, 2), (Values{300, 600}));
    EXPECT_EQ(grid_values(limit, 300, 1), (Values{300}));
    EXPECT_EQ(grid_values(param("kuwahara", "radius"), 4, 4), (Values{2, 4, 8, 16}));
}

TEST(GridValues, ManyStandCloser) {
    const ParamInfo& limit = param("clahe", "clip_limit");
    EXPECT_EQ(grid_values(limit, 300, 12), (Values{53, 75, 106, 150, 212, 300, 424, 600, 849, 1200, 1697, 2400}));
    EXPECT_EQ(grid_values(param("clahe", "tile_size"), 64, 6), (Values{32, 45, 64, 91, 128, 181}));
    EXPECT_EQ(grid_values(param("kuwahara", "radius"), 4, 12), (Values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST(GridValues, StaysWithinTheTable) {
    EXPECT_EQ(grid_values(param("clahe", "tile_size"), 1024, 4), (Values{128, 256, 512, 1024}));
    EXPECT_EQ(grid_values(param("clahe", "tile_size"), 8, 4), (Values{8, 16, 32, 64}));
    EXPECT_EQ(grid_values(param("kuwahara", "radius"), 1, 4), (Values{1, 2, 4, 8}));
    EXPECT_EQ(grid_values(param("kuwahara", "radius"), 64, 4), (Values{8, 16, 32, 64}));
    EXPECT_EQ(grid_values(param("clahe", "clip_count"), 1 << 30, 4), (Values{1 << 27, 1 << 28, 1 << 29, 1 << 30}));
}

TEST(GridValues, NothingIsTwiceNought) {
    EXPECT_EQ(grid_values(param("clahe", "clip_limit"), 0, 4), (Values{0, 150, 300, 600}));
}

TEST(GridValues, ChoicesAreTheValues) {
    EXPECT_EQ(grid_values(param("he", "color"), 2, 4), (Values{1, 2, 3, 4}));
    EXPECT_EQ(grid_values(param("clahe", "excess"), 1, 4), (Values{0, 1, 2}));
    EXPECT_EQ(grid_values(param("he", "color"), 2, 2), (Values{2, 3}));
    EXPECT_EQ(grid_values(param("clahe", "excess"), 2, 2), (Values{1, 2}));
}

TEST(GridValues, NarrowRangesGiveNeighbors) {
    constexpr ParamInfo narrow{.id = "n", .label = "", .help = "", .min = 2, .max = 5, .default_value = 3};
    EXPECT_EQ(grid_values(narrow, 4, 4), (Values{2, 3, 4, 5}));
    EXPECT_EQ(grid_values(narrow, 5, 3), (Values{2, 3, 5}));
    constexpr ParamInfo steps{.id = "s", .label = "", .help = "", .min = -8, .max = 8, .step = 8};
    EXPECT_EQ(grid_values(steps, 0, 4), (Values{-8, 0, 8}));
}

TEST(GridValues, HoldsForEveryParameterAndValue) {
    for (const OperatorInfo* op : operators())
        for (const ParamInfo& info : op->params)
            for (int count = 1; count <= 12; ++count)
                for (const int64_t raw : {int64_t{info.min}, int64_t{info.max}, int64_t{info.default_value},
                                          int64_t{info.min} + 1, (int64_t{info.min} + info.max) / 2}) {
                    const int32_t around = clamp_value(info, raw);
                    const Values values = grid_values(info, around, count);
                    EXPECT_LE(values.size(), size_t(count)) << info.id;
                    EXPECT_EQ(std::ranges::count(values, around), 1) << info.id << " " << around;
                    EXPECT_TRUE(std::ranges::is_sorted(values)) << info.id << " " << around;
                    EXPECT_EQ(std::ranges::adjacent_find(values), values.end()) << info.id << " " << around;
                    for (const int32_t value : values) EXPECT_EQ(clamp_value(info, value), value) << info.id;
                }
}

}  // namespace
}  // namespace tonescope
