// What the plain references of HE and CLAHE read of an image and write: any format, one sample at a time.
#pragma once

#include <algorithm>
#include <array>

#include "gpu/core/value_range.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/reference_lab.h"

namespace tonescope {

/// lo and hi under the parameter `range`; the least and the greatest sample, where they are wanted, without alpha.
inline ValueRange reference_range(const ImageView& image, int32_t range) {
    if (!takes_used_values(image.spec, range)) return full_values(image.spec);
    ValueRange found{image.spec.max_sample, 0};
    for (int y = 0; y < image.spec.height; ++y) {
        for (int x = 0; x < image.spec.width; ++x) {
            for (int c = 0; c < (is_gray(image.spec.format) ? 1 : 3); ++c) {
                const int sample = sample_at(image.pixel(x, y), image.spec.format, c);
                found.lo = std::min(found.lo, sample);
                found.hi = std::max(found.hi, sample);
            }
        }
    }
    return found;
}

/// What is equalized at a pixel. `plane` is the channel where each channel is equalized alone, else 0.
inline int reference_value(const ImageView& image, int x, int y, int32_t color, int plane) {
    const PixelFormat format = image.spec.format;
    const uint8_t* in = image.pixel(x, y);
    if (is_gray(format)) return sample_at(in, format, 0);
    const int red = sample_at(in, format, 0), green = sample_at(in, format, 1), blue = sample_at(in, format, 2);
    if (color == color_channels) return sample_at(in, format, plane);
    if (color == color_value) return std::max({red, green, blue});
    if (color == color_lab) return reference_lightness(red, green, blue, image.spec);
    return luma(red, green, blue);
}

/// Writes what becomes of a pixel: of the three channels each its own value where `color` equalizes them alone, else
/// changed[0] for its value. `amount` of it is mixed with the pixel, or where the result is gray with its luma.
inline void write_reference(const ImageView& image, int x, int y, const ColorChange& change, const int (&changed)[3],
                            const MutableImageView& output) {
    const PixelFormat format = image.spec.format;
    const int64_t max = image.spec.max_sample, amount = change.amount;
    const uint8_t* in = image.pixel(x, y);
    uint8_t* out = output.pixel(x, y);
    const auto mixed = [&](int64_t result, int64_t input) {
        return int((amount * result + (100 - amount) * input + 50) / 100);
    };
    const int64_t before = reference_value(image, x, y, change.color, 0);
    if (is_gray(output.spec.format)) return set_sample(out, output.spec.format, 0, mixed(changed[0], before));
    const auto relit = change.color == color_lab ? reference_relit(in, changed[0], image.spec) : std::array<int, 3>{};
    for (int c = 0; c < 3; ++c) {
        const int64_t sample = sample_at(in, format, c);
        const auto result = [&]() -> int64_t {
            switch (change.color) {
                case color_channels:
                    return changed[c];
                case color_gray:
                    return changed[0];
                case color_ratio:
                case color_value:
                    return before == 0 ? changed[0] : std::min(max, (2 * sample * changed[0] + before) / (2 * before));
                case color_lab:
                    return relit[size_t(c)];
                default:
                    return std::clamp<int64_t>(sample + changed[0] - before, 0, max);
            }
        }();
        set_sample(out, format, c, mixed(result, change.color == color_gray ? before : sample));
    }
    set_sample(out, format, 3, sample_at(in, format, 3));
}

}  // namespace tonescope
