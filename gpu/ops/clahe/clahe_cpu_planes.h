// How the multi-threaded CLAHE reads and writes pixels: as one to three planes of 8-bit values.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/image.h"
#include "gpu/core/luma.h"

namespace tonescope {

static_assert(std::endian::native == std::endian::little, "RGBA pixels are read as words with R in the lowest byte");

/// What is equalized: a gray image's value, luma, or the channels each alone.
enum class ClahePlanes : uint8_t { value, luma, channels };

inline ClahePlanes clahe_planes(const ImageSpec& input, int32_t color) {
    if (input.format == PixelFormat::gray8) return ClahePlanes::value;
    return color == color_channels ? ClahePlanes::channels : ClahePlanes::luma;
}

inline int plane_count(ClahePlanes planes) {
    return planes == ClahePlanes::channels ? 3 : 1;
}

TONESCOPE_HOT_LOOP uint32_t load_word(const uint8_t* pixel) {
    uint32_t word;
    std::memcpy(&word, pixel, 4);
    return word;
}

/// Writes the plane's values of `count` neighbouring pixels.
TONESCOPE_HOT_LOOP void extract_loop(const uint8_t* pixels, int count, ClahePlanes planes, int plane, uint8_t* values) {
    if (planes == ClahePlanes::value) {
        std::memcpy(values, pixels, size_t(count));
    } else if (planes == ClahePlanes::luma) {
        for (int i = 0; i < count; ++i) {
            const uint32_t word = load_word(pixels + 4 * i);
            values[i] = uint8_t((77 * (word & 255) + 150 * (word >> 8 & 255) + 29 * (word >> 16 & 255) + 128) >> 8);
        }
    } else {
        const int shift = 8 * plane;
        for (int i = 0; i < count; ++i) values[i] = uint8_t(load_word(pixels + 4 * i) >> shift);
    }
}

}  // namespace tonescope
