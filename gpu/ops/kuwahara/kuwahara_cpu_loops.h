// The inner loops of the Kuwahara filter on the CPU, over neighbouring columns of one row. They become part of the
// function that calls them, and so are compiled for its instruction set. Counts are in pixels or boxes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "gpu/core/cpu_dispatch.h"

namespace tonescope::kuwahara {

static_assert(std::endian::native == std::endian::little, "RGBA pixels are read as words with R in the lowest byte");

TONESCOPE_HOT_LOOP uint32_t load_word(const uint8_t* pixel) {
    uint32_t word;
    std::memcpy(&word, pixel, 4);
    return word;
}

/// What one pixel adds to the sums; gray pixels have no colors.
struct PixelTerms {
    int32_t red, green, blue, v, v_squared;
};

template <bool kGray>
TONESCOPE_HOT_LOOP PixelTerms load_terms(const uint8_t* row, int x) {
    if constexpr (kGray) {
        const int32_t v = row[x];
        return {0, 0, 0, v, v * v};
    } else {
        const uint32_t word = load_word(row + 4 * x);
        const int32_t r = word & 255, g = word >> 8 & 255, b = word >> 16 & 255;
        const int32_t v = std::max(std::max(r, g), b);
        return {r, g, b, v, v * v};
    }
}

/// The difference of two terms as a field of a 64-bit word, from bit `shift` on.
TONESCOPE_HOT_LOOP uint64_t field(int32_t in, int32_t out, int shift) {
    return uint64_t(int64_t{in - out}) << shift;
}

/// Adds the pixels of `added` to the sums over columns and takes away those of `removed`. Sums over a column or a box
/// are fields of 64-bit words. `colors`: R, G and B in 21 bits each (at most 65 * 65 * 255 < 2^21); `values`: the sum
/// of V^2 in the lower half (at most 65 * 65 * 65025 < 2^29), that of V in the upper. Words are added and subtracted
/// whole: borrows between fields cancel, as the fields of every sum fit.
template <bool kGray>
TONESCOPE_HOT_LOOP void slide_columns(const uint8_t* added, const uint8_t* removed, int count,
                                      uint64_t* __restrict colors, uint64_t* __restrict values) {
    for (int i = 0; i < count; ++i) {
        const PixelTerms in = load_terms<kGray>(added, i), out = load_terms<kGray>(removed, i);
        if constexpr (!kGray)
            colors[i] += field(in.red, out.red, 0) + field(in.green, out.green, 21) + field(in.blue, out.blue, 42);
        values[i] += field(in.v_squared, out.v_squared, 0) + field(in.v, out.v, 32);
    }
}

/// Slides a box over the columns: out[i] = sum of columns[i - side + 1 ... i], continued from `sum`, which is that of
/// i = -1. Reads back to columns[-side]. Returns the last sum.
TONESCOPE_HOT_LOOP uint64_t slide_box(const uint64_t* columns, int side, int count, uint64_t sum,
                                      uint64_t* __restrict out) {
    for (int i = 0; i < count; ++i) out[i] = sum += columns[i] - columns[i - side];
    return sum;
}

/// An evaluated box: n^2 times the variance of V in the upper 40 bits, the mean color (gray: the mean value) in the
/// lower 24. The variance of 0 ... 255 is at most (255 / 2)^2, so the upper part is at most 4225^2 * 65025 / 4 < 2^39,
/// and the word positive.
using EvaluatedBox = int64_t;
inline constexpr EvaluatedBox kMeanBits = 0xffffff;

/// Evaluates boxes of n[i] pixels; inverse[i] = 1 / n[i], half[i] = n[i] / 2 + 1/4. Means are
/// floor((2 sum + n) / (2 n)) = floor((sum + n / 2 + 1/4) / n), in float: the quotient with 1/4 lies at least
/// 1 / (4 n) from every integer, which is above 2^-14.1 for n up to 4225, and float is off by less than 2^-14.9 below
/// 256.
template <bool kGray>
TONESCOPE_HOT_LOOP void evaluate_boxes(const uint64_t* colors, const uint64_t* values, const uint32_t* n,
                                       const float* inverse, const float* half, int count,
                                       EvaluatedBox* __restrict boxes) {
    for (int i = 0; i < count; ++i) {
        const uint32_t s = uint32_t(values[i] >> 32), q = uint32_t(values[i]);
        const uint64_t scaled_variance = uint64_t{n[i]} * q - uint64_t{s} * s;
        const auto mean = [&](uint32_t sum) { return uint32_t(int32_t((float(int32_t(sum)) + half[i]) * inverse[i])); };
        uint32_t means;
        if constexpr (kGray) {
            means = mean(s);
        } else {
            constexpr uint32_t kField = (1 << 21) - 1;
            means = mean(uint32_t(colors[i]) & kField) | mean(uint32_t(colors[i] >> 21) & kField) << 8 |
                    mean(uint32_t(colors[i] >> 42)) << 16;
        }
        boxes[i] = EvaluatedBox(scaled_variance << 24 | means);
    }
}

/// Pixels whose four quadrants hold the same number of pixels take the mean of the one with the lowest variance among
/// top[i], top[i + radius], bottom[i], bottom[i + radius]; alpha is that of `in`. With all mean bits set, a box is less
/// than another one only if its variance is lower: on a tie the earlier one stays.
template <bool kGray>
TONESCOPE_HOT_LOOP void choose_quadrants(const EvaluatedBox* top, const EvaluatedBox* bottom, int radius, int count,
                                         const uint8_t* in, uint8_t* __restrict out) {
    for (int i = 0; i < count; ++i) {
        EvaluatedBox best = top[i];
        best = (top[i + radius] | kMeanBits) < best ? top[i + radius] : best;
        best = (bottom[i] | kMeanBits) < best ? bottom[i] : best;
        best = (bottom[i + radius] | kMeanBits) < best ? bottom[i + radius] : best;
        if constexpr (kGray) {
            out[i] = uint8_t(best);
        } else {
            const uint32_t word = uint32_t(best & kMeanBits) | (load_word(in + 4 * i) & 0xff000000);
            std::memcpy(out + 4 * i, &word, 4);
        }
    }
}

}  // namespace tonescope::kuwahara
