// What the plain references of HE and CLAHE read of an image and write: any format, one sample at a time.
#pragma once

#include <algorithm>
#include <array>

#include "gpu/core/value_range.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/reference_lab.h"

namespace tonescope {

// What colors take stays out of the loops, so that the short way of gray samples is inlined there.

/// What is equalized at a pixel of a color image.
[[gnu::noinline]] inline int reference_color_value(const uint8_t* in, const ImageSpec& image, int32_t color,
                                                   int plane) {
    const int red = sample_at(in, image.format, 0), green = sample_at(in, image.format, 1),
              blue = sample_at(in, image.format, 2);
    if (color == color_channels) return sample_at(in, image.format, plane);
    if (color == color_value) return std::max({red, green, blue});
    if (color == color_lab) return reference_lightness(red, green, blue, image);
    return luma(red, green, blue);
}

/// What is equalized at a pixel. `plane` is the channel where each channel is equalized alone, else 0.
inline int reference_value(const ImageView& image, int x, int y, int32_t color, int plane) {
    const uint8_t* in = image.pixel(x, y);
    if (is_gray(image.spec.format)) return sample_at(in, image.spec.format, 0);
    return reference_color_value(in, image.spec, color, plane);
}

/// lo and hi under the parameter `range`: the least and the greatest sample, where they are wanted, without alpha. What
/// `left_out` is the value of does not count; where nothing does, lo and hi are 0 and M.
inline ValueRange reference_range(const ImageView& image, int32_t range, int32_t color, int32_t left_out) {
    if (!takes_used_values(image.spec, range)) return full_values(image.spec);
    ValueRange found{image.spec.max_sample, 0};
    for (int y = 0; y < image.spec.height; ++y) {
        for (int x = 0; x < image.spec.width; ++x) {
            for (int c = 0; c < (is_gray(image.spec.format) ? 1 : 3); ++c) {
                if (left_out >= 0 && reference_value(image, x, y, color, c) == left_out) continue;
                const int sample = sample_at(image.pixel(x, y), image.spec.format, c);
                found.lo = std::min(found.lo, sample);
                found.hi = std::max(found.hi, sample);
            }
        }
    }
    return found.lo <= found.hi ? found : full_values(image.spec);
}

/// The definition gives the result alone at 100 %; that it is not worked out keeps the reference as fast as without
/// `amount`, which the reports' programs do not have.
inline int reference_mixed(int64_t result, int64_t input, int64_t amount) {
    return amount == 100 ? int(result) : int((amount * result + (100 - amount) * input + 50) / 100);
}

/// As write_reference(), for a pixel of a color image.
[[gnu::noinline]] inline void write_reference_color(const uint8_t* in, const ImageSpec& image, ColorChange change,
                                                    std::array<int, 3> changed, uint8_t* out, const ImageSpec& output) {
    const int64_t max = image.max_sample, before = reference_color_value(in, image, change.color, 0);
    if (is_gray(output.format))
        return set_sample(out, output.format, 0, reference_mixed(changed[0], before, change.amount));
    const auto relit = change.color == color_lab ? reference_relit(in, changed[0], image) : std::array<int, 3>{};
    for (int c = 0; c < 3; ++c) {
        const int64_t sample = sample_at(in, image.format, c);
        const auto result = [&]() -> int64_t {
            switch (change.color) {
                case color_channels:
                    return changed[size_t(c)];
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
        set_sample(out, image.format, c,
                   reference_mixed(result, change.color == color_gray ? before : sample, change.amount));
    }
    set_sample(out, image.format, 3, sample_at(in, image.format, 3));
}

/// Writes what becomes of a pixel: of the three channels each its own value where `color` equalizes them alone, else
/// changed[0] for its value. `amount` of it is mixed with the pixel, or where the result is gray with its luma.
inline void write_reference(const ImageView& image, int x, int y, const ColorChange& change, const int (&changed)[3],
                            const MutableImageView& output) {
    const PixelFormat format = image.spec.format;
    const uint8_t* in = image.pixel(x, y);
    uint8_t* out = output.pixel(x, y);
    if (is_gray(format))
        set_sample(out, format, 0, reference_mixed(changed[0], sample_at(in, format, 0), change.amount));
    else
        write_reference_color(in, image.spec, change, {changed[0], changed[1], changed[2]}, out, output.spec);
}

}  // namespace tonescope
