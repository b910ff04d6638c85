// Results that take the place of a part of the image: what a backend makes against the definition.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "gpu/core/backend.h"
#include "tests/differential/cases.h"

namespace tonescope::test {

/// floor((w result + (255 - w) image + 127) / 255) at every pixel, with w as ResultPart has it, in plain loops.
inline HostImage expected_part(const HostImage& image, const HostImage& result, const ResultPart& part) {
    const ImageSpec& spec = result.spec();
    const bool to_gray = is_gray(spec.format) && !is_gray(image.spec().format);
    HostImage expected(spec);
    const Rect region = part.has_region() ? part.region : Rect{0, 0, spec.width, spec.height};
    for (int y = 0; y < spec.height; ++y) {
        for (int x = 0; x < spec.width; ++x) {
            const bool inside =
                x >= region.x && y >= region.y && x < region.x + region.width && y < region.y + region.height;
            int nearest = part.feather_px;
            if (region.x > 0) nearest = std::min(nearest, x - region.x);
            if (region.y > 0) nearest = std::min(nearest, y - region.y);
            if (region.x + region.width < spec.width) nearest = std::min(nearest, region.x + region.width - 1 - x);
            if (region.y + region.height < spec.height) nearest = std::min(nearest, region.y + region.height - 1 - y);
            int64_t weight = !inside ? 0
                             : nearest >= part.feather_px
                                 ? 255
                                 : (255 * (2 * nearest + 1) + part.feather_px) / (2 * part.feather_px);
            if (part.mask) weight = (weight * *part.mask->view().pixel(x, y) + 127) / 255;
            for (int c = 0; c < (is_gray(spec.format) ? 1 : 4); ++c) {
                const auto sample = [&](int channel) { return int64_t{image.view().sample(x, y, channel)}; };
                const int64_t before =
                    to_gray ? (77 * sample(0) + 150 * sample(1) + 29 * sample(2) + 128) >> 8 : sample(c);
                const int64_t after = result.view().sample(x, y, c);
                const int64_t blended = c == 3 ? after : (weight * after + (255 - weight) * before + 127) / 255;
                set_sample(expected.mutable_view().pixel(x, y), spec.format, c, int(blended));
            }
        }
    }
    return expected;
}

/// Random regions, feathers and masks on images of every kind, by operators that make images.
inline void check_parts(Backend& backend) {
    Random random(base_seed() + 5000);
    for (int round = 0; round < 60; ++round) {
        const OperatorInfo& op = *find_operator(round % 3 == 0 ? "he" : round % 3 == 1 ? "clahe" : "kuwahara");
        const int max_sample = round % 2 == 0 ? 255 : kDeepMax[random_between(random, 0, 3)];
        const HostImage image =
            make_image(Content::photo, kChannels[random_between(random, 0, 2)], random_between(random, 1, 140),
                       random_between(random, 1, 90), uint32_t(random()), random_between(random, 0, 3), max_sample);
        ParamBlock params = defaults_of(op);
        if (const ParamInfo* color = find_param(op.params, "color"))
            params.set(*color, random_between(random, 0, color->max));
        const VariantInfo* variant = preferred_variant(op, backend.kind(), params, image.spec());
        ASSERT_NE(variant, nullptr);
        RunSpec spec = default_run(op, variant);
        spec.params = params;
        if (!variant->memory) spec.memory = MemoryMode(random_between(random, 0, 4));
        const RunResult whole = backend.run(image.view(), spec);
        ResultPart& part = spec.part;
        if (round % 4 != 3) {
            part.region.x = random_between(random, 0, image.width() - 1);
            part.region.y = random_between(random, 0, image.height() - 1);
            part.region.width = random_between(random, 1, 150);  // also beyond the image
            part.region.height = random_between(random, 1, 150);
            part.feather_px = random_between(random, 0, 1) * random_between(random, 1, 40);
        }
        if (round % 4 >= 2)
            part.mask = std::make_shared<HostImage>(
                make_image(Content::noise, Channels::gray, image.width(), image.height(), uint32_t(random()), 1));
        const RunResult result = backend.run(image.view(), spec);
        const HostImage expected = expected_part(image, whole.image, part);
        ASSERT_EQ(count_different_pixels(result.image.view(), expected.view()), 0)
            << op.id << " " << variant->id << ", region " << region_text(part.region) << ", feather " << part.feather_px
            << (part.mask ? ", masked" : "") << ", " << image.width() << "x" << image.height() << ", memory "
            << kMemoryModeIds[size_t(spec.memory)] << ", seed " << base_seed();
    }
}

}  // namespace tonescope::test
