// The inner loops of the Kuwahara filter on the CPU, over neighbouring columns of one row. Counts are in pixels or
// boxes.
#pragma once

#include <cstdint>

namespace tonescope {

/// A finished box: n^2 times the variance of V in the upper 40 bits, the mean color (gray: the mean value) in the
/// lower 24. The variance of 0 ... 255 is at most (255 / 2)^2, so the upper part is at most 4225^2 * 65025 / 4 < 2^39,
/// and the word positive.
using KuwaharaBox = int64_t;
inline constexpr KuwaharaBox kKuwaharaMeanBits = 0xffffff;

/// One set an instruction set and pixel format.
struct KuwaharaLoops {
    /// Adds a row of pixels to the sums over columns, and takes away another one. Either row may be null; for gray
    /// images `colors` is.
    void (*slide_columns)(const uint8_t* added, const uint8_t* removed, int count, uint64_t* colors, uint64_t* values);
    /// boxes[i] = sum of columns[i - reach + 1 ... i], given that sum for i = -1; returns the last one. Reads back to
    /// columns[-reach].
    uint64_t (*slide_box)(const uint64_t* columns, int reach, int count, uint64_t sum, uint64_t* boxes);
    /// Finishes boxes of n[i] pixels; inverse[i] = 1 / n[i], half[i] = n[i] / 2 + 1/4.
    void (*finish)(const uint64_t* colors, const uint64_t* values, const uint32_t* n, const float* inverse,
                   const float* half, int count, KuwaharaBox* boxes);
    /// Pixels whose four quadrants are whole: the calmest of top[i], top[i + radius], bottom[i], bottom[i + radius];
    /// alpha from `in`.
    void (*pick)(const KuwaharaBox* top, const KuwaharaBox* bottom, int radius, int count, const uint8_t* in,
                 uint8_t* out);
};

const KuwaharaLoops& kuwahara_loops(bool gray);

}  // namespace tonescope
