// Histogram equalization with a value left out: by hand, and by images whose surround must not matter.
#include <gtest/gtest.h>

#include "gpu/ops/he/tests/by_hand.h"
#include "tests/random_images.h"

namespace tonescope::he {
namespace {

Params leaving_out(int32_t no_data, int32_t value = 0) {
    Params params{color_luma};
    params.no_data = {no_data, value};
    return params;
}

/// The four pixels 10, 30, 20, 10 make 0, 255, 128, 0, whatever stands beside them and is left out.
TEST(HeNoData, TheSurroundStaysAndDoesNotCount) {
    const auto gray = [](const std::vector<int>& samples) {
        return test::deep_image({int(samples.size()), 1, PixelFormat::gray8, false}, samples);
    };
    expect_samples(gray({0, 10, 30, 0, 20, 10, 0, 0}), leaving_out(no_data_zero), {0, 0, 255, 0, 128, 0, 0, 0});
    expect_samples(gray({255, 10, 30, 255, 20, 10}), leaving_out(no_data_greatest), {255, 0, 255, 255, 128, 0});
    expect_samples(gray({15, 10, 30, 20, 10, 15}), leaving_out(no_data_given, 15), {15, 0, 255, 128, 0, 15});
    // A value that no pixel has changes nothing, and neither does one that no pixel can have.
    expect_samples(gray({10, 30, 20, 10}), leaving_out(no_data_given, 11), {0, 255, 128, 0});
    expect_samples(gray({10, 30, 20, 10}), leaving_out(no_data_given, 4000), {0, 255, 128, 0});
}

TEST(HeNoData, WithoutAnyDataAnImageStays) {
    expect_samples(test::deep_image({2, 1, PixelFormat::gray8, false}, {0, 0}), leaving_out(no_data_zero), {0, 0});
    expect_samples(test::deep_image({2, 1, PixelFormat::gray16, false, 4095}, {9, 9}), leaving_out(no_data_given, 9),
                   {9, 9});
    expect_samples(test::deep_image({3, 1, PixelFormat::gray8, false}, {0, 7, 0}), leaving_out(no_data_zero),
                   {0, 7, 0});
}

/// lo and hi are those of what counts. N = 4, d = 2: 200 becomes 100 + floor((2 * 200 * 1 + 2) / 4) = 200. With N = 3
/// and d = 2, 101 becomes that.
TEST(HeNoData, TheUsedRangeIsOfWhatCounts) {
    expect_samples(test::deep_image({6, 1, PixelFormat::gray16, false, 1023}, {0, 100, 200, 300, 100, 0}),
                   leaving_out(no_data_zero), {0, 100, 200, 300, 100, 0});
    expect_samples(test::deep_image({5, 1, PixelFormat::gray16, false, 1023}, {1023, 100, 101, 300, 1023}),
                   leaving_out(no_data_greatest), {1023, 100, 200, 300, 1023});
}

/// Red is left out where it is 0 alone, and so are the others.
TEST(HeNoData, ChannelsLeaveOutTheirOwn) {
    Params params = leaving_out(no_data_zero);
    params.color = color_channels;
    expect_samples(test::deep_image({3, 1, PixelFormat::rgba8, true}, {0, 10, 10, 7, 50, 0, 20, 8, 60, 30, 0, 9}),
                   params, {0, 0, 0, 7, 0, 0, 255, 8, 255, 255, 0, 9});
}

/// What a surround goes around becomes what it becomes alone, in all colors, ranges and depths.
TEST(HeNoData, WhatItGoesAroundIsEqualizedAsIfAlone) {
    Random random(new_seed());
    const OperatorInfo& op = *find_operator("he");
    for (int round = 0; round < 120; ++round) {
        const int max_sample = round % 3 == 0 ? 255 : round % 3 == 1 ? 4095 : 65535;
        const bool gray = random(0, 1) == 1;
        const PixelFormat format = max_sample > 255 ? (gray ? PixelFormat::gray16 : PixelFormat::rgba16)
                                                    : (gray ? PixelFormat::gray8 : PixelFormat::rgba8);
        const ImageSpec inner{random(1, 40), random(1, 30), format, !gray, uint16_t(max_sample)};
        const int left = random(0, 20), top = random(0, 20);
        ImageSpec outer = inner;
        outer.width += left + random(0, 20);
        outer.height += top + random(0, 20);
        const bool is_white = random(0, 1) == 1;
        HostImage alone(inner), surrounded(outer);
        for (int y = 0; y < outer.height; ++y)
            for (int x = 0; x < outer.width; ++x)
                for (int c = 0; c < test::samples_a_pixel(format); ++c)
                    set_sample(surrounded.mutable_view().pixel(x, y), format, c, is_white ? max_sample : 0);
        for (int y = 0; y < inner.height; ++y) {
            for (int x = 0; x < inner.width; ++x) {
                for (int c = 0; c < test::samples_a_pixel(format); ++c) {
                    const int sample = random(20, max_sample - 20);
                    set_sample(alone.mutable_view().pixel(x, y), format, c, sample);
                    set_sample(surrounded.mutable_view().pixel(left + x, top + y), format, c, sample);
                }
            }
        }
        Params params = leaving_out(is_white ? no_data_greatest : no_data_zero);
        params.color = random(0, 5);
        params.range = random(0, 2);
        const auto run = [&](const HostImage& image, const VariantInfo& variant, const Params& with) {
            HostImage output(op.output_spec(image.spec(), ParamBlock(with)));
            variant.run_cpu(
                {.input = image.view(), .params = ParamBlock(with), .output = output.mutable_view(), .threads = 2});
            return output;
        };
        Params plain = params;
        plain.no_data = {};
        for (const char* id : {"cpu", "parallel"}) {
            const VariantInfo& variant = *find_variant("he", id);
            const HostImage expected = run(alone, variant, plain), result = run(surrounded, variant, params);
            for (int y = 0; y < outer.height; ++y) {
                for (int x = 0; x < outer.width; ++x) {
                    const bool inside = x >= left && y >= top && x < left + inner.width && y < top + inner.height;
                    const uint8_t* wanted =
                        inside ? expected.view().pixel(x - left, y - top) : surrounded.view().pixel(x, y);
                    const PixelFormat of = inside ? expected.spec().format : format;
                    for (int c = 0; c < test::samples_a_pixel(result.spec().format); ++c)
                        ASSERT_EQ(sample_at(result.view().pixel(x, y), result.spec().format, c),
                                  sample_at(wanted, of, c))
                            << id << " at " << x << ", " << y << ", color " << params.color;
                }
            }
        }
    }
}

}  // namespace
}  // namespace tonescope::he
