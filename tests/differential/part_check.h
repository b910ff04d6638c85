// Results that take the place of a part of the image: what a backend makes against the definition.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "gpu/core/backend.h"
#include "tests/differential/cases.h"

namespace tonescope::test {

/// What of the image lies in the region; all of it where that is empty.
inline Rect expected_rect(const ResultPart& part, const ImageSpec& image) {
    if (part.region.width == 0) return {0, 0, image.width, image.height};
    const int right = std::min(part.region.x + part.region.width, image.width);
    const int bottom = std::min(part.region.y + part.region.height, image.height);
    return {part.region.x, part.region.y, right - part.region.x, bottom - part.region.y};
}

/// The pixels of a rectangle, as an image in memory of its own.
inline HostImage cut_out(const HostImage& image, const Rect& rect) {
    ImageSpec spec = image.spec();
    spec.width = rect.width;
    spec.height = rect.height;
    HostImage result(spec);
    for (int y = 0; y < rect.height; ++y)
        for (int x = 0; x < rect.width; ++x)
            std::memcpy(result.mutable_view().pixel(x, y), image.view().pixel(rect.x + x, rect.y + y),
                        size_t(bytes_per_pixel(spec.format)));
    return result;
}

/// floor((w result + (255 - w) image + 127) / 255) at every pixel, with w as ResultPart has it, in plain loops.
/// `result`: what an operator makes of the rectangle.
inline HostImage expected_part(const HostImage& image, const HostImage& result, const ResultPart& part) {
    ImageSpec spec = result.spec();
    spec.width = image.width();
    spec.height = image.height();
    const bool to_gray = is_gray(spec.format) && !is_gray(image.spec().format);
    HostImage expected(spec);
    const Rect rect = expected_rect(part, image.spec());
    for (int y = 0; y < spec.height; ++y) {
        for (int x = 0; x < spec.width; ++x) {
            const int edges[] = {x - rect.x, y - rect.y, rect.x + rect.width - 1 - x, rect.y + rect.height - 1 - y};
            const bool fades[] = {rect.x > 0, rect.y > 0, rect.x + rect.width < spec.width,
                                  rect.y + rect.height < spec.height};
            int64_t weight = 255;
            for (int k = 0; k < 4; ++k) {
                if (edges[k] < 0) weight = 0;
                if (!fades[k] || edges[k] >= part.feather_px || weight == 0) continue;
                const int64_t here = (255 * (2 * edges[k] + 1) + part.feather_px) / (2 * part.feather_px);
                weight = std::min(weight, here);
            }
            if (part.mask) {
                const int value = *part.mask->view().pixel(x, y);
                weight = (weight * (part.mask_inverse ? 255 - value : value) + 127) / 255;
            }
            for (int c = 0; c < (is_gray(spec.format) ? 1 : 4); ++c) {
                const auto sample = [&](int channel) { return int64_t{image.view().sample(x, y, channel)}; };
                const int64_t before =
                    to_gray ? (77 * sample(0) + 150 * sample(1) + 29 * sample(2) + 128) >> 8 : sample(c);
                const bool is_inside = std::ranges::all_of(edges, [](int edge) { return edge >= 0; });
                const int64_t after = is_inside ? result.view().sample(x - rect.x, y - rect.y, c) : before;
                set_sample(expected.mutable_view().pixel(x, y), spec.format, c,
                           int((weight * after + (255 - weight) * before + 127) / 255));
            }
        }
    }
    return expected;
}

/// Draws a region, a feather, a mask, or several of them.
inline ResultPart draw_part(const ImageSpec& image, Random& random) {
    ResultPart part;
    const int kinds = random_between(random, 1, 3);
    if ((kinds & 1) != 0) {
        part.region.x = random_between(random, 0, image.width - 1);
        part.region.y = random_between(random, 0, image.height - 1);
        part.region.width = random_between(random, 1, 150);  // also beyond the image
        part.region.height = random_between(random, 1, 150);
        part.feather_px = random_between(random, 0, 1) * random_between(random, 1, 40);
    }
    if ((kinds & 2) != 0) {
        HostImage mask = make_image(Content::noise, Channels::gray, image.width, image.height, uint32_t(random()), 1);
        // Most masks have black and white areas.
        const int black_end = random_between(random, 0, image.width), white_begin = random_between(random, 0, 200);
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                if (x < black_end || x >= white_begin) *mask.mutable_view().pixel(x, y) = x < black_end ? 0 : 255;
        part.mask = std::make_shared<HostImage>(std::move(mask));
        part.mask_inverse = random_between(random, 0, 1) == 1;
    }
    return part;
}

/// Runs a variant on a part of an image, and on the same rectangle as an image of its own.
inline void check_part(Backend& backend, const HostImage& image, RunSpec spec, const ResultPart& part) {
    const HostImage rect = cut_out(image, expected_rect(part, image.spec()));
    if (!refusal(*spec.op, *spec.variant, spec.params, rect.spec()).empty()) return;
    const RunResult alone = backend.run(rect.view(), spec);
    spec.part = part;
    const RunResult result = backend.run(image.view(), spec);
    SCOPED_TRACE(std::string(spec.op->id) + " " + std::string(spec.variant->id) + ", " +
                 describe(spec.op->params, spec.params) + ", region " + region_text(part.region) + ", feather " +
                 std::to_string(part.feather_px) + (part.mask ? part.mask_inverse ? ", inverse mask" : ", mask" : "") +
                 ", " + std::to_string(image.width()) + "x" + std::to_string(image.height()) + ", samples to " +
                 std::to_string(image.spec().max_sample) + ", memory " +
                 std::string(kMemoryModeIds[size_t(spec.memory)]) + ", seed " + std::to_string(base_seed()));
    if (spec.op->makes_bins) {
        EXPECT_EQ(result.bins, alone.bins);
        return;
    }
    const HostImage expected = expected_part(image, alone.image, part);
    ASSERT_EQ(result.image.spec(), expected.spec());
    EXPECT_EQ(count_different_pixels(result.image.view(), expected.view()), 0);
}

/// Random parts of images of every kind, by every variant of the backend's.
inline void check_parts(Backend& backend, int rounds) {
    Random random(base_seed() + 5000);
    for (const OperatorInfo* op : operators())
        for (const VariantInfo* variant : variants_of(op->id)) {
            if (variant->backend != backend.kind() || variant->wrong_by_design) continue;
            for (int round = 0; round < rounds; ++round) {
                const int max_sample = round % 2 == 0 ? 255 : kDeepMax[random_between(random, 0, 3)];
                const HostImage image = make_image(Content::photo, kChannels[random_between(random, 0, 2)],
                                                   random_between(random, 1, 140), random_between(random, 1, 90),
                                                   uint32_t(random()), random_between(random, 0, 3), max_sample);
                RunSpec spec = default_run(*op, variant);
                spec.params = affordable(*op, draw_params(op->params, random), image.spec().pixels(), 3e6);
                if (!variant->memory) spec.memory = MemoryMode(random_between(random, 0, 4));
                check_part(backend, image, spec, draw_part(image.spec(), random));
                if (testing::Test::HasFailure()) return;
            }
        }
}

}  // namespace tonescope::test
