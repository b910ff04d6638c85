// Pixels as one word of 32 bits: red, green, blue and, in alpha's place, V. A dot product of four bytes (dp4a) with a
// byte of 1 adds one of them to a sum, without taking it out of the word first.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/color_frame.cuh"

namespace tonescope::kuwahara {

__device__ inline uint32_t pixel_word(uchar4 pixel) {
    const uint32_t v = max(max(pixel.x, pixel.y), pixel.z);
    return pixel.x | uint32_t(pixel.y) << 8 | uint32_t(pixel.z) << 16 | v << 24;
}

/// PixelSums of words.
struct WordSums : PixelSums {
    using PixelSums::add;
    __device__ void add(uint32_t word) {
        value = __dp4a(word, 0x01000000u, value);
        value_squared = __dp4a(word, word & 0xff000000u, value_squared);
        red = __dp4a(word, 0x00000001u, red);
        green = __dp4a(word, 0x00000100u, green);
        blue = __dp4a(word, 0x00010000u, blue);
    }
};

}  // namespace tonescope::kuwahara
