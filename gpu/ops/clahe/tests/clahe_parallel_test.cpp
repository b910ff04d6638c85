// The multi-threaded CLAHE and the preview against the reference.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "tests/image_tools.h"
#include "tests/previews.h"

namespace tonescope::clahe {
namespace {

ParamBlock random_params(Random& random, const OperatorInfo& op) {
    ParamBlock block = default_values(op.params);
    for (const ParamInfo& info : op.params) {
        const int kind = random(0, 2);
        if (kind == 0) block.set(info, clamp_value(info, random(info.min, info.max)));
        if (kind == 1) block.set(info, clamp_value(info, info.min + random(0, 40)));
    }
    return block;
}

HostImage run_reference(const OperatorInfo& op, const HostImage& input, const ParamBlock& params) {
    HostImage output(op.output_spec(input.spec(), params));
    reference_of(op.id).run_cpu(
        {.input = input.view(), .params = params, .variant_params = {}, .output = output.mutable_view()});
    return output;
}

std::string describe(const OperatorInfo& op, const HostImage& input, const ParamBlock& params) {
    std::string text = std::to_string(input.width()) + "x" + std::to_string(input.height());
    for (const ParamInfo& info : op.params)
        text += " " + std::string(info.id) + "=" + format_value(info, params.get(info));
    return text;
}

TEST(ClaheParallel, GivesTheReferencesBytes) {
    Random random(new_seed());
    const OperatorInfo& op = *find_operator("clahe");
    for (int round = 0; round < 200; ++round) {
        ParamBlock params = random_params(random, op);
        params.set(*find_param(op.params, "tables"), tables_blended);
        const HostImage input = random_image(random, round % 4 == 0 ? 9 : 260);
        const HostImage expected = run_reference(op, input, params);
        HostImage output(expected.spec(), expected.spec().row_bytes() + size_t(random(0, 40)));
        std::memset(output.data(), 0xA5, output.size_bytes());
        StageTimes stages;
        find_variant("clahe", "parallel")
            ->run_cpu({.input = input.view(),
                       .params = params,
                       .variant_params = {},
                       .output = output.mutable_view(),
                       .threads = random(1, 5),
                       .stages = &stages});
        ASSERT_EQ(count_different_pixels(expected.view(), output.view()), 0) << describe(op, input, params);
        const bool looks_for_values = takes_used_values(input.spec(), params.as<Params>().range_choice());
        ASSERT_EQ(stages.size(), looks_for_values ? 3U : 2U);
        EXPECT_EQ(stages.front().stage, looks_for_values ? "range" : "tables");
        EXPECT_EQ(stages.back().stage, "blend");
        for (int y = 0; y < output.height(); ++y)
            for (size_t i = output.spec().row_bytes(); i < output.pitch_bytes(); ++i)
                ASSERT_EQ(output.data()[size_t(y) * output.pitch_bytes() + i], 0xA5)
                    << "padding, " << describe(op, input, params);
    }
}

TEST(ClaheParallel, StopsWhenAsked) {
    const HostImage input(ImageSpec{64, 64, PixelFormat::gray8, false});
    std::stop_source source;
    source.request_stop();
    for (const char* id : {"cpu", "parallel"}) {
        HostImage output(input.spec());
        std::memset(output.data(), 0xA5, output.size_bytes());
        find_variant("clahe", id)
            ->run_cpu({.input = input.view(),
                       .params = default_values(find_operator("clahe")->params),
                       .variant_params = {},
                       .output = output.mutable_view(),
                       .stop = source.get_token()});
        for (size_t i = 0; i < output.size_bytes(); ++i) ASSERT_EQ(output.data()[i], 0xA5) << id;
    }
}

TEST(ClahePreview, IsExactWhereEveryPixelIsCounted) {
    Random random(new_seed());
    const OperatorInfo& op = *find_operator("clahe");
    for (int round = 0; round < 60; ++round) {
        const HostImage input = random_image(random, 150);
        ParamBlock params = random_params(random, op);
        params.set(*find_param(op.params, "tables"), tables_blended);
        const HostImage expected = run_reference(op, input, params);
        const Rect region = random_region(random, input);
        const int step = random(1, 5);
        const HostImage preview = run_preview(op, input, params, region, step);
        for (int j = 0; j < preview.height(); ++j)
            for (int i = 0; i < preview.width(); ++i)
                ASSERT_EQ(std::memcmp(preview.view().pixel(i, j),
                                      expected.view().pixel(region.x + i * step, region.y + j * step),
                                      size_t(bytes_per_pixel(preview.spec().format))),
                          0)
                    << describe(op, input, params) << " at " << i << ", " << j;
    }
}

TEST(ClahePreview, OfALargeImageIsClose) {
    const OperatorInfo& op = *find_operator("clahe");
    HostImage input({3001, 2003, PixelFormat::gray8, false});
    std::mt19937 engine(7);
    for (int y = 0; y < input.height(); ++y)
        for (int x = 0; x < input.width(); ++x)
            input.data()[size_t(y) * input.pitch_bytes() + size_t(x)] =
                uint8_t(60 + (x * 40 / 3001) + (y * 30 / 2003) + int(engine() % 40));
    const ParamBlock params = default_values(op.params);
    const HostImage expected = run_reference(op, input, params);
    const HostImage preview = run_preview(op, input, params, {0, 0, 3001, 2003}, 4);
    int64_t difference = 0;
    for (int j = 0; j < preview.height(); ++j)
        for (int i = 0; i < preview.width(); ++i)
            difference += std::abs(*preview.view().pixel(i, j) - *expected.view().pixel(4 * i, 4 * j));
    EXPECT_LT(double(difference) / double(preview.spec().pixels()), 4.0);
}

TEST(ClahePreview, ManyTinyTilesAreMerged) {
    // 513 x 513 tiles of 8 pixels are more than the preview makes tables for: it takes 257 x 257 of 16 pixels. A limit
    // that counts pixels grows with the area.
    const OperatorInfo& op = *find_operator("clahe");
    HostImage input({4099, 4099, PixelFormat::gray8, false});
    std::mt19937 engine(7);
    for (size_t i = 0; i < input.size_bytes(); ++i) input.data()[i] = uint8_t(engine() % 200);
    Params params = default_values(op.params).as<Params>();
    params.clip_unit = clip_count;
    const auto preview = [&](int tile_size, int clip) {
        params.tile_size = tile_size;
        params.clip_count = clip;
        return run_preview(op, input, ParamBlock(params), {0, 0, 4099, 4099}, 9);
    };
    EXPECT_TRUE(same_pixels(preview(8, 3).view(), preview(16, 12).view()));
}

}  // namespace
}  // namespace tonescope::clahe
