// CLAHE with a value left out: by hand, and by what must not matter.
#include <gtest/gtest.h>

#include <vector>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "tests/deep_images.h"
#include "tests/random_images.h"

namespace tonescope::clahe {
namespace {

Params without(int32_t no_data, int tile_size, int32_t clip_limit) {
    Params params = default_values(find_operator("clahe")->params).as<Params>();
    params.tile_size = tile_size;
    params.clip_limit = clip_limit;
    params.no_data = {no_data, 0};
    return params;
}

class ClaheNoData : public testing::TestWithParam<const char*> {
  protected:
    static std::vector<int> run(const HostImage& input, const Params& params) {
        const ParamBlock block(params);
        HostImage output(find_operator("clahe")->output_spec(input.spec(), block));
        find_variant("clahe", GetParam())
            ->run_cpu({.input = input.view(), .params = block, .output = output.mutable_view(), .threads = 2});
        return test::samples_of_image(output.view());
    }
    /// A tile of 8 x 8 pixels: the upper half 0, then 24 pixels of 10 and 8 of 200.
    static std::vector<int> half_a_tile() {
        std::vector<int> samples(64, 0);
        std::fill(samples.begin() + 32, samples.begin() + 56, 10);
        std::fill(samples.begin() + 56, samples.end(), 200);
        return samples;
    }
};
INSTANTIATE_TEST_SUITE_P(Cpu, ClaheNoData, testing::Values("cpu", "parallel"),
                         [](const auto& param) { return std::string(param.param); });

/// A = 32, without a limit: cdf(10) = 24, cdf(200) = 32: floor((510 * 24 + 32) / 64) = 191, floor((510 * 32 + 32) / 64)
/// = 255.
TEST_P(ClaheNoData, TablesAreOfWhatCounts) {
    std::vector<int> expected(64, 0);
    std::fill(expected.begin() + 32, expected.begin() + 56, 191);
    std::fill(expected.begin() + 56, expected.end(), 255);
    EXPECT_EQ(run(test::deep_image({8, 8, PixelFormat::gray8, false}, half_a_tile()), without(no_data_zero, 8, 0)),
              expected);
}

/// A limit of 8 pixels is one of 4 where half of the tile counts: 4 and 4 are kept, x = 24 goes to the bins 0, 10, ...,
/// 230. cdf(10) = 4 + 2 = 6, cdf(200) = 8 + 21 = 29: floor((510 * 6 + 32) / 64) = 48, floor((510 * 29 + 32) / 64) =
/// 231.
TEST_P(ClaheNoData, TheLimitGoesWithTheShareThatCounts) {
    std::vector<int> expected(64, 0);
    std::fill(expected.begin() + 32, expected.begin() + 56, 48);
    std::fill(expected.begin() + 56, expected.end(), 231);
    Params params = without(no_data_zero, 8, 0);
    params.clip_unit = clip_count;
    params.clip_count = 8;
    EXPECT_EQ(run(test::deep_image({8, 8, PixelFormat::gray8, false}, half_a_tile()), params), expected);
}

/// A tile with tiles around it that count nothing is equalized as if it were the image; they take its table.
TEST_P(ClaheNoData, TilesWithoutDataDoNotMatter) {
    Random random(new_seed());
    for (const int max_sample : {255, 4095}) {
        const PixelFormat format = max_sample > 255 ? PixelFormat::gray16 : PixelFormat::gray8;
        std::vector<int> tile(256), whole(48 * 48, max_sample);
        for (size_t i = 0; i < 256; ++i) {
            tile[i] = random(0, max_sample - 1);
            whole[(16 + i / 16) * 48 + 16 + i % 16] = tile[i];
        }
        Params params = without(no_data_greatest, 16, 300);
        Params alone = params;
        alone.no_data = {};
        const std::vector<int> expected =
            run(test::deep_image({16, 16, format, false, uint16_t(max_sample)}, tile), alone);
        const std::vector<int> result =
            run(test::deep_image({48, 48, format, false, uint16_t(max_sample)}, whole), params);
        for (size_t i = 0; i < result.size(); ++i) {
            const size_t x = i % 48, y = i / 48;
            const bool inside = x >= 16 && x < 32 && y >= 16 && y < 32;
            ASSERT_EQ(result[i], inside ? expected[(y - 16) * 16 + x - 16] : max_sample) << x << ", " << y;
        }
    }
}

/// Of the neighbors that count, the one with most pixels lends its table.
TEST(ClaheNoDataTiles, TheNeighborThatCountsMostStandsIn) {
    Geometry g;
    g.columns = 4;
    g.rows = 3;
    const uint32_t counted[12] = {0, 0, 5, 9,  //
                                  0, 0, 6, 0,  //
                                  0, 6, 0, 0};
    const auto stands_for = [&](int tile) { return tile_for(g, tile, [&](int t) { return counted[t]; }); };
    EXPECT_EQ(stands_for(2), 2);
    EXPECT_EQ(stands_for(0), 0);  // nothing around it counts either
    EXPECT_EQ(stands_for(5), 6);  // 6 pixels, before the 6 of tile 9
    EXPECT_EQ(stands_for(7), 3);
    EXPECT_EQ(stands_for(8), 9);
}

TEST_P(ClaheNoData, WithoutAnyDataAnImageStays) {
    for (const auto tables : {tables_blended, tables_exact}) {
        Params params = without(no_data_zero, 8, 300);
        params.tables = tables;
        EXPECT_EQ(run(test::deep_image({9, 3, PixelFormat::gray8, false}, std::vector<int>(27, 0)), params),
                  std::vector<int>(27, 0));
    }
}

/// A value that no pixel has changes nothing.
TEST_P(ClaheNoData, AValueThatIsNotThereChangesNothing) {
    Random random(new_seed());
    for (int round = 0; round < 20; ++round) {
        const bool deep = round % 2 == 1;
        const int max_sample = deep ? 65535 : 255;
        std::vector<int> samples(size_t(50 * 40));
        for (int& sample : samples) sample = random(1, max_sample);
        const HostImage image = test::deep_image(
            {50, 40, deep ? PixelFormat::gray16 : PixelFormat::gray8, false, uint16_t(max_sample)}, samples);
        Params params = without(no_data_zero, random(8, 30), random(0, 600));
        params.excess = random(0, 2);
        params.tables = round % 4 == 0 ? tables_exact : tables_blended;
        Params plain = params;
        plain.no_data = {};
        EXPECT_EQ(run(image, params), run(image, plain));
    }
}

}  // namespace
}  // namespace tonescope::clahe
