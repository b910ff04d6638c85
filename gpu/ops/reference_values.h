// What the plain references of HE and CLAHE read of an image and write: one pixel at a time, of any format, which is
// chosen once, outside of their loops.
#pragma once

#include <algorithm>
#include <array>

#include "gpu/core/value_range.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/reference_lab.h"

namespace tonescope {

/// Calls call.operator()<kFormat>() with the format as a constant.
decltype(auto) with_format(PixelFormat format, auto&& call) {
    switch (format) {
        case PixelFormat::gray8:
            return call.template operator()<PixelFormat::gray8>();
        case PixelFormat::rgba8:
            return call.template operator()<PixelFormat::rgba8>();
        case PixelFormat::gray16:
            return call.template operator()<PixelFormat::gray16>();
        default:
            return call.template operator()<PixelFormat::rgba16>();
    }
}

// `inline` below: compilers inline more of what is declared so, and a call for each pixel takes as long as its work.

/// The first byte of a pixel.
template <PixelFormat kFormat, class Byte>
inline Byte* reference_pixel(const PixelView<Byte>& image, int x, int y) {
    return image.row(y) + size_t(x) * size_t(bytes_per_pixel(kFormat));
}

/// What is equalized at a pixel. `plane` is the channel where each channel is equalized alone, else 0.
template <PixelFormat kFormat>
inline int reference_value(const ImageView& image, int x, int y, int32_t color, int plane) {
    const uint8_t* pixel = reference_pixel<kFormat>(image, x, y);
    if (is_gray(kFormat)) return sample_at(pixel, kFormat, 0);
    const int red = sample_at(pixel, kFormat, 0), green = sample_at(pixel, kFormat, 1),
              blue = sample_at(pixel, kFormat, 2);
    if (color == color_channels) return sample_at(pixel, kFormat, plane);
    if (color == color_value) return std::max({red, green, blue});
    if (color == color_lab) return reference_lightness(red, green, blue, image.spec);
    return luma(red, green, blue);
}

/// lo and hi under the parameter `range`: the least and the greatest sample, where they are wanted, without alpha. What
/// `left_out` is the value of does not count; where nothing does, lo and hi are 0 and M.
template <PixelFormat kFormat>
ValueRange reference_range(const ImageView& image, int32_t range, int32_t color, int32_t left_out) {
    if (!takes_used_values(image.spec, range)) return full_values(image.spec);
    ValueRange found{image.spec.max_sample, 0};
    for (int y = 0; y < image.spec.height; ++y) {
        for (int x = 0; x < image.spec.width; ++x) {
            for (int c = 0; c < (is_gray(kFormat) ? 1 : 3); ++c) {
                if (left_out >= 0 && reference_value<kFormat>(image, x, y, color, c) == left_out) continue;
                const int sample = sample_at(reference_pixel<kFormat>(image, x, y), kFormat, c);
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

/// What becomes of channel c of a color whose value was `before`.
inline int64_t reference_channel(int64_t sample, int64_t before, int64_t after, int32_t color, int64_t max) {
    if (color == color_channels || color == color_gray) return after;
    if (color == color_ratio || color == color_value)
        return before == 0 ? after : std::min(max, (2 * sample * after + before) / (2 * before));
    return std::clamp<int64_t>(sample + after - before, 0, max);
}

/// Writes what becomes of a pixel: of the three channels each its own value where `color` equalizes them alone, else
/// changed[0] for its value. `amount` of it is mixed with the pixel, or where the result is gray with its luma.
template <PixelFormat kFormat>
inline void write_reference(const ImageView& image, int x, int y, const ColorChange& change, const int (&changed)[3],
                            const MutableImageView& output) {
    const auto [color, amount] = change;
    const uint8_t* in = reference_pixel<kFormat>(image, x, y);
    const int before = reference_value<kFormat>(image, x, y, color, 0);
    if (is_gray(kFormat) || is_gray(output.spec.format)) {
        constexpr PixelFormat kGray = is_deep(kFormat) ? PixelFormat::gray16 : PixelFormat::gray8;
        set_sample(reference_pixel<kGray>(output, x, y), kGray, 0, reference_mixed(changed[0], before, amount));
        return;
    }
    uint8_t* out = reference_pixel<kFormat>(output, x, y);
    std::array<int, 3> lab{};
    if (color == color_lab) lab = reference_relit(in, changed[0], image.spec);
    for (int c = 0; c < 3; ++c) {
        const int sample = sample_at(in, kFormat, c), after = changed[color == color_channels ? c : 0];
        const int64_t result = color == color_lab
                                   ? lab[size_t(c)]
                                   : reference_channel(sample, before, after, color, image.spec.max_sample);
        set_sample(out, kFormat, c, reference_mixed(result, color == color_gray ? before : sample, amount));
    }
    set_sample(out, kFormat, 3, sample_at(in, kFormat, 3));
}

}  // namespace tonescope
