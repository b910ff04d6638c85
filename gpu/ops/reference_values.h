// What the plain references of HE and CLAHE read of an image and write: any format, one sample at a time.
#pragma once

#include <algorithm>

#include "gpu/core/value_range.h"
#include "gpu/ops/color_param.h"

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

/// Y of a gray or a colored pixel.
inline int reference_luma(const uint8_t* pixel, PixelFormat format) {
    if (is_gray(format)) return sample_at(pixel, format, 0);
    return luma(sample_at(pixel, format, 0), sample_at(pixel, format, 1), sample_at(pixel, format, 2));
}

/// What is equalized at a pixel. `plane` is the channel where each channel is equalized alone, else 0.
inline int reference_value(const ImageView& image, int x, int y, int32_t color, int plane) {
    const PixelFormat format = image.spec.format;
    const bool by_channels = !is_gray(format) && color == color_channels;
    return by_channels ? sample_at(image.pixel(x, y), format, plane) : reference_luma(image.pixel(x, y), format);
}

/// Writes what becomes of a pixel: of the three channels each its own value where `color` equalizes them alone, else
/// changed[0] for its gray value or its luma.
inline void write_reference(const ImageView& image, int x, int y, int32_t color, const int (&changed)[3],
                            const MutableImageView& output) {
    const PixelFormat format = image.spec.format;
    const uint8_t* in = image.pixel(x, y);
    uint8_t* out = output.pixel(x, y);
    if (is_gray(output.spec.format)) return set_sample(out, output.spec.format, 0, changed[0]);
    for (int c = 0; c < 3; ++c) {
        const int shifted =
            shift_channel(sample_at(in, format, c), changed[0] - reference_luma(in, format), image.spec.max_sample);
        set_sample(out, format, c, color == color_channels ? changed[c] : color == color_gray ? changed[0] : shifted);
    }
    set_sample(out, format, 3, sample_at(in, format, 3));
}

}  // namespace tonescope
