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

/// A plane's values of `count` neighboring pixels: the pixels themselves where they are gray, else in `buffer`.
inline const uint8_t* plane_values(const uint8_t* pixels, int count, PixelFormat format, int32_t color, int plane,
                                   uint8_t* buffer) {
    if (format == PixelFormat::gray8) return pixels;
    if (color == color_channels)
        run_hot<extract_channel>(pixels, count, plane, buffer);
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
TONESCOPE_HOT_LOOP void merge_row(const uint8_t* from, const uint8_t* r, const uint8_t* g, const uint8_t* b, int count,
                                  uint8_t* to) {
    for (int i = 0; i < count; ++i) {
        const uint32_t result =
            uint32_t{r[i]} | uint32_t{g[i]} << 8 | uint32_t{b[i]} << 16 | (load_word(from + 4 * i) & 0xff000000);
        std::memcpy(to + 4 * i, &result, 4);
    }
}

/// Writes `count` RGBA pixels, at most kChunk_px, whose planes have become `changed`. `luma`: what it was in `from`.
inline void write_pixels(const uint8_t* from, int count, int32_t color, const uint8_t* luma,
                         const uint8_t (&changed)[3][kChunk_px], uint8_t* to) {
    if (color == color_channels)
        run_hot<merge_row>(from, changed[0], changed[1], changed[2], count, to);
    else if (color == color_gray)
        run_hot<merge_row>(from, changed[0], changed[0], changed[0], count, to);
    else
        run_hot<shift_row>(from, luma, changed[0], count, to);
}

}  // namespace tonescope
