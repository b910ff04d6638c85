// Rows of pixels as the fast CPU variants of HE and CLAHE take them: a pixel's values under the parameter `color`, and
// the pixels that new values make. The plain references use none of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/cpu/rows.h"
#include "gpu/ops/color_param.h"

namespace tonescope {

TONESCOPE_HOT_LOOP void extract_luma(const uint8_t* pixels, int count, uint8_t* values) {
    for (int i = 0; i < count; ++i) {
        const uint32_t word = load_word(pixels + 4 * i);
        values[i] = uint8_t((77 * (word & 255) + 150 * (word >> 8 & 255) + 29 * (word >> 16 & 255) + 128) >> 8);
    }
}
TONESCOPE_HOT_LOOP void extract_channel(const uint8_t* pixels, int count, int channel, uint8_t* values) {
    const int shift = 8 * channel;
    for (int i = 0; i < count; ++i) values[i] = uint8_t(load_word(pixels + 4 * i) >> shift);
}
TONESCOPE_HOT_LOOP void extract_max(const uint8_t* pixels, int count, uint8_t* values) {
    for (int i = 0; i < count; ++i) {
        const uint32_t word = load_word(pixels + 4 * i);
        values[i] = uint8_t(std::max(std::max(word & 255, word >> 8 & 255), word >> 16 & 255));
    }
}
template <Fused kFused>
TONESCOPE_HOT_LOOP void extract_lightness(const uint8_t* pixels, int count, uint8_t* __restrict values) {
    const Lab<uint8_t> lab = lab_tables<uint8_t>(255).colors();
    for (int i = 0; i < count; ++i) {
        const uint32_t word = load_word(pixels + 4 * i);
        values[i] = uint8_t(lab.lightness<kFused>(int(word & 255), int(word >> 8 & 255), int(word >> 16 & 255)));
    }
}

/// Calls the loop that suits the processor.
template <auto kByInstruction, auto kByDouble, class... Arguments>
void run_fused(Arguments&&... arguments) {
    if (cpu_has_avx2_fma())
        run_with_avx2_fma<kByInstruction>(arguments...);
    else
        run_hot<kByDouble>(arguments...);
}

/// Mixes `count` samples of a result with those that it was made from.
template <class Sample>
TONESCOPE_HOT_LOOP void mix_loop(const Sample* from, int count, int32_t amount, Sample* to) {
    for (int i = 0; i < count; ++i)
        to[i] = Sample(uint32_t(amount * int32_t{to[i]} + (100 - amount) * int32_t{from[i]} + 50) / 100);
}
template <class Sample>
void mix_samples(const Sample* from, int count, int32_t amount, Sample* to) {
    if (amount < 100) run_hot<mix_loop<Sample>>(from, count, amount, to);
}
/// Whether a plane's new values are mixed with its old ones: where nothing else becomes of them. Other results are
/// mixed pixel by pixel.
inline bool mixes_values(const ImageSpec& input, int32_t color) {
    return is_gray(input.format) || color == color_gray;
}

/// A plane's values of `count` neighboring pixels: the pixels themselves where they are gray, else in `buffer`.
inline const uint8_t* plane_values(const uint8_t* pixels, int count, PixelFormat format, int32_t color, int plane,
                                   uint8_t* buffer) {
    if (format == PixelFormat::gray8) return pixels;
    if (color == color_channels)
        run_hot<extract_channel>(pixels, count, plane, buffer);
    else if (color == color_value)
        run_hot<extract_max>(pixels, count, buffer);
    else if (color == color_lab)
        run_fused<extract_lightness<Fused::kInstruction>, extract_lightness<Fused::kDouble>>(pixels, count, buffer);
    else
        run_hot<extract_luma>(pixels, count, buffer);
    return buffer;
}

TONESCOPE_HOT_LOOP void shift_row(const uint8_t* from, const uint8_t* old_luma, const uint8_t* new_luma, int count,
                                  uint8_t* to) {
    for (int i = 0; i < count; ++i) {
        const uint32_t word = load_word(from + 4 * i);
        const int32_t delta = int32_t{new_luma[i]} - old_luma[i];
        const auto r = uint32_t(std::clamp(int32_t(word & 255) + delta, 0, 255));
        const auto g = uint32_t(std::clamp(int32_t(word >> 8 & 255) + delta, 0, 255));
        const auto b = uint32_t(std::clamp(int32_t(word >> 16 & 255) + delta, 0, 255));
        const uint32_t result = r | g << 8 | b << 16 | (word & 0xff000000);
        std::memcpy(to + 4 * i, &result, 4);
    }
}
/// floor((channel new + floor(old / 2)) / old): the quotient, with 1/2 more above the line, lies at least 1 / 510 away
/// from every integer, and float is off by less than 2^-10 below 3400, which no channel over its luma passes.
TONESCOPE_HOT_LOOP void scale_row(const uint8_t* from, const uint8_t* old_values, const uint8_t* new_values, int count,
                                  uint8_t* to) {
    for (int i = 0; i < count; ++i) {
        const uint32_t word = load_word(from + 4 * i);
        const int32_t old_value = old_values[i], new_value = new_values[i], half = old_value / 2;
        const int32_t is_zero = (old_value - 1) >> 31;  // all bits or none: the loop has no branches
        const float factor = 1 / float(old_value - is_zero);
        const auto scaled = [&](uint32_t channel) {
            const float product = float(int32_t(channel) * new_value + half) + 0.5F;
            return uint32_t((std::min(int32_t(product * factor), 255) & ~is_zero) | (new_value & is_zero));
        };
        const uint32_t result =
            scaled(word & 255) | scaled(word >> 8 & 255) << 8 | scaled(word >> 16 & 255) << 16 | (word & 0xff000000);
        std::memcpy(to + 4 * i, &result, 4);
    }
}
/// At most kChunk_px.
template <Fused kFused>
TONESCOPE_HOT_LOOP void relight_row(const uint8_t* from, const uint8_t* lightness, int count, uint8_t* to) {
    const Lab<uint8_t> lab = lab_tables<uint8_t>(255).colors();
    uint32_t results[kChunk_px];  // no table is among them, which the compiler would have to expect of `to`
    for (int i = 0; i < count; ++i) {
        const uint32_t word = load_word(from + 4 * i);
        int rgb[3] = {int(word & 255), int(word >> 8 & 255), int(word >> 16 & 255)};
        lab.relight<kFused>(rgb, lightness[i]);
        results[i] = uint32_t(rgb[0]) | uint32_t(rgb[1]) << 8 | uint32_t(rgb[2]) << 16 | (word & 0xff000000);
    }
    std::memcpy(to, results, 4 * size_t(count));
}
TONESCOPE_HOT_LOOP void merge_row(const uint8_t* from, const uint8_t* r, const uint8_t* g, const uint8_t* b, int count,
                                  uint8_t* to) {
    for (int i = 0; i < count; ++i) {
        const uint32_t result =
            uint32_t{r[i]} | uint32_t{g[i]} << 8 | uint32_t{b[i]} << 16 | (load_word(from + 4 * i) & 0xff000000);
        std::memcpy(to + 4 * i, &result, 4);
    }
}

/// Writes `count` RGBA pixels, at most kChunk_px, whose planes have become `changed`. `values`: what the plane was in
/// `from`, where it is one.
inline void write_pixels(const uint8_t* from, int count, const ColorChange& change, const uint8_t* values,
                         const uint8_t (&changed)[3][kChunk_px], uint8_t* to) {
    switch (change.color) {
        case color_channels:
            run_hot<merge_row>(from, changed[0], changed[1], changed[2], count, to);
            break;
        case color_gray:
            return run_hot<merge_row>(from, changed[0], changed[0], changed[0], count, to);
        case color_ratio:
        case color_value:
            run_hot<scale_row>(from, values, changed[0], count, to);
            break;
        case color_lab:
            run_fused<relight_row<Fused::kInstruction>, relight_row<Fused::kDouble>>(from, changed[0], count, to);
            break;
        default:
            run_hot<shift_row>(from, values, changed[0], count, to);
    }
    mix_samples(from, 4 * count, change.amount, to);
}

}  // namespace tonescope
