// CLAHE between the values of `range` and of deep images, worked out by hand, on every CPU variant.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/clahe/clahe_cpu_deep.h"
#include "tests/deep_images.h"

namespace tonescope::clahe {
namespace {

using test::deep_image, test::samples_of_image;

/// One tile over everything, no clipping, all values.
Params one_tile() {
    Params params = default_values(find_operator("clahe")->params).as<Params>();
    params.tile_size = 8;
    params.clip_limit = 0;
    params.range = range_full;
    return params;
}

class ClaheDeep : public testing::TestWithParam<const char*> {
  protected:
    static std::vector<int> run(const HostImage& input, const Params& params) {
        const ParamBlock block(params);
        HostImage output(find_operator("clahe")->output_spec(input.spec(), block));
        const VariantInfo& variant = *find_variant("clahe", GetParam());
        EXPECT_EQ(refusal(*find_operator("clahe"), variant, block, input.spec()), "");
        variant.run_cpu({.input = input.view(), .params = block, .output = output.mutable_view(), .threads = 2});
        return samples_of_image(output.view());
    }
    static HostImage four_values() { return deep_image({4, 1, PixelFormat::gray16, false, 1023}, {0, 3, 4, 1023}); }
};
INSTANTIATE_TEST_SUITE_P(Cpu, ClaheDeep, testing::Values("cpu", "parallel"),
                         [](const auto& param) { return std::string(param.param); });

/// R = 1024, B = 256, A = 4: values 4 b ... 4 b + 3 share bin b, and g = 256, 512, 768, 1024 within it. With
/// S = c0 R + (c1 - c0) g an entry is floor((2046 S + 4096) / 8192).
///   0: c0 = 0, c1 = 2, g = 256: S = 512, 1051648 / 8192 = 128.4        3: g = 1024: S = 2048, 4194304 / 8192 = 512
///   4: c0 = 2, c1 = 3, g = 256: S = 2304, 4718080 / 8192 = 575.9    1023: c0 = 3, c1 = 4: S = 4096, 8384512 / 8192 =
///   1023.5
TEST_P(ClaheDeep, TablesAreInterpolatedWithinBins) {
    EXPECT_EQ(run(four_values(), one_tile()), (std::vector<int>{128, 512, 575, 1023}));
}

/// B = R: floor((2046 cdf + 4) / 8) with cdf = 1, 2, 3, 4: 256.25, 512, 767.75, 1023.5.
TEST_P(ClaheDeep, ABinForEachValue) {
    Params params = one_tile();
    params.bins = 8;  // 65,536, of which there are no more than values
    EXPECT_EQ(run(four_values(), params), (std::vector<int>{256, 512, 767, 1023}));
    params.bins = 2;  // 1,024
    EXPECT_EQ(run(four_values(), params), (std::vector<int>{256, 512, 767, 1023}));
}

/// C = 1 takes one of bin 0's two pixels: x = 1, which spread gives back to bin 0. With drop the counts are 1, 1, 1:
///   0: S = 256, 527872 / 8192 = 64.4      3: S = 1024, 2099200 / 8192 = 256.25
///   4: c0 = 1, c1 = 2, g = 256: S = 1280, 2622976 / 8192 = 320.2    1023: S = 3072, 6289408 / 8192 = 767.75
/// Spread evenly, the last bin gains it: 1023 becomes min(1023, 1023.5).
TEST_P(ClaheDeep, ClippingCountsBins) {
    Params params = one_tile();
    params.clip_unit = clip_count;
    params.clip_count = 1;
    EXPECT_EQ(run(four_values(), params), (std::vector<int>{128, 512, 575, 1023}));
    params.excess = excess_drop;
    EXPECT_EQ(run(four_values(), params), (std::vector<int>{64, 256, 320, 767}));
    params.excess = excess_evenly;
    EXPECT_EQ(run(four_values(), params), (std::vector<int>{64, 256, 320, 1023}));
}

/// C = max(1, floor(c Tx Ty / (100 B))), in hundredths c = 6400, Tx Ty = 64: 16 with 256 bins, 4 with 1,024.
TEST(ClaheDeepGeometry, ASlopeIsAMultipleOfTheMeanBin) {
    Params params = one_tile();
    params.clip_limit = 6400;
    const Geometry g = make_geometry({8, 8, PixelFormat::gray16, false, 65535}, params);
    EXPECT_EQ(g.clip_at(256), 16);
    EXPECT_EQ(g.clip_at(1024), 4);
    EXPECT_EQ(g.clip_at(65536), 1);
}

/// lo = 100, hi = 103, R = 4 = B, A = 4, cdf = 2, 3, 4 for 100, 101 (and 102), 103:
/// 100 + floor((6 * 2 + 4) / 8) = 102, 100 + floor((18 + 4) / 8) = 102, 100 + floor((24 + 4) / 8) = 103.
TEST_P(ClaheDeep, BetweenUsedValues) {
    Params params = one_tile();
    params.range = range_auto;
    EXPECT_EQ(run(deep_image({4, 1, PixelFormat::gray16, false, 65535}, {100, 101, 100, 103}), params),
              (std::vector<int>{102, 102, 102, 103}));
    params.range = range_used;
    EXPECT_EQ(run(deep_image({4, 1, PixelFormat::gray8, false}, {100, 101, 100, 103}), params),
              (std::vector<int>{102, 102, 102, 103}));
}

/// hi = lo: every entry is lo.
TEST_P(ClaheDeep, AConstantImageStays) {
    Params params = one_tile();
    params.range = range_auto;
    params.clip_limit = 300;
    EXPECT_EQ(run(deep_image({3, 1, PixelFormat::gray16, false, 4095}, {9, 9, 9}), params),
              (std::vector<int>{9, 9, 9}));
}

/// Y = 1000 and 2188 (see HeDeep); B = R = 2001 of the samples 1000 to 3000, A = 2: 1000 + floor((4000 + 2) / 4) = 2000
/// and 1000 + floor((8000 + 2) / 4) = 3000. The channels shift by 1000 and 812.
TEST_P(ClaheDeep, LumaBetweenUsedSamples) {
    Params params = one_tile();
    params.range = range_auto;
    params.bins = 8;
    EXPECT_EQ(
        run(deep_image({2, 1, PixelFormat::rgba16, true, 65535}, {1000, 1000, 1000, 7, 3000, 2000, 1000, 9}), params),
        (std::vector<int>{2000, 2000, 2000, 7, 3812, 2812, 1812, 9}));
}

/// Blending across tiles that are wider than 16,383 pixels passes 32 bits, and so do 4 Tx Ty of large ones.
TEST(ClaheDeepParallel, WideTilesGiveTheReferencesSamples) {
    HostImage image({34001, 3, PixelFormat::gray16, false, 65535});
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            set_sample(image.mutable_view().pixel(x, y), PixelFormat::gray16, 0, (x * 7919 + y * 104729) % 65521);
    Params params = one_tile();
    params.tiles = tiles_grid;
    params.grid_rows = 1;
    for (int columns : {1, 2, 3}) {
        params.grid_columns = columns;
        HostImage expected(image.spec()), output(image.spec());
        const auto run = [&](const char* id, HostImage& to) {
            find_variant("clahe", id)
                ->run_cpu(
                    {.input = image.view(), .params = ParamBlock(params), .output = to.mutable_view(), .threads = 2});
        };
        run("cpu", expected);
        run("parallel", output);
        EXPECT_EQ(count_different_pixels(output.view(), expected.view()), 0) << columns;
    }
}

/// A row of 70 pixels whose entries are often 0 or 65,535, blended from every column on, at several heights.
void expect_exact_blends(BlendWith with, int width, int height) {
    constexpr int kPixels = 70;
    std::mt19937 random(uint32_t(width) * 31 + uint32_t(height));
    const auto weight_of = [&](int x) { return int64_t{2} * ((x * int64_t{width}) / kPixels) + 1; };
    std::vector<Segment> segments;  // of a pixel each, so that all weights occur
    std::vector<FourEntries> four, packed(1 << 16);
    std::vector<uint16_t> values;
    for (int x = 0; x < kPixels; ++x) {
        segments.push_back({.begin = x, .end = x + 1, .blend = {0, 0, int(weight_of(x))}});
        const auto entry = [&] { return random() % 3 == 0 ? uint16_t(random() % 2 * 65535) : uint16_t(random()); };
        four.push_back(pack_four(entry(), entry(), entry(), entry()));
        values.push_back(uint16_t(random() % 65536));
        packed[values.back()] = four.back();
    }
    for (int x = 0; x < kPixels; ++x) four[size_t(x)] = packed[values[size_t(x)]];
    const DeepBlend blend(segments, 2 * width, 2 * height, with);
    const int64_t divisor = int64_t{4} * width * height;
    for (const int64_t lower : {int64_t{0}, int64_t{1}, int64_t{height}, int64_t{2} * height - 1}) {
        for (int begin = 0; begin < kPixels; ++begin) {
            const int count = kPixels - begin;
            std::vector<uint16_t> expected, result(size_t(count), 0), looked_up(size_t(count), 0);
            for (int x = begin; x < kPixels; ++x) {
                const auto entry = [&](int k) {
                    return int64_t((four[size_t(x)] ^ kEntriesBias) >> (16 * k) & 0xffff);
                };
                const int64_t right = weight_of(x), left = 2 * width - right, upper = 2 * height - lower;
                const int64_t sum = (entry(0) * left + entry(1) * right) * upper +
                                    (entry(2) * left + entry(3) * right) * lower + divisor / 2;
                expected.push_back(uint16_t(sum / divisor));
            }
            blend.run(&four[size_t(begin)], begin, count, int32_t(lower), result.data());
            ASSERT_EQ(result, expected) << width << "x" << height << " from " << begin << ", lower weight " << lower;
            if (blend.run(packed.data(), &values[size_t(begin)], begin, count, int32_t(lower), looked_up.data()) > 0) {
                ASSERT_EQ(looked_up, expected) << width << "x" << height << " from " << begin << ", " << lower;
            }
        }
    }
}

TEST(DeepBlend, IsExactWithEveryKindOfNumbers) {
    for (const BlendWith with : {BlendWith::doubles, BlendWith::avx2, BlendWith::avx512}) {
        if (with > fastest_blend()) continue;
        for (const auto& [width, height] : {std::pair(1, 1), {2, 3}, {64, 64}, {750, 500}, {16383, 16383}, {20000, 9}})
            expect_exact_blends(with, width, height);
    }
}

}  // namespace
}  // namespace tonescope::clahe
