// Pieces of rows that fast CPU code shares: luma, counting bytes, and how an image is cut into bands. The plain
// references use none of it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/histogram.h"
#include "gpu/core/image.h"

namespace tonescope {

static_assert(std::endian::native == std::endian::little, "RGBA pixels are read as words with R in the lowest byte");

TONESCOPE_HOT_LOOP uint32_t load_word(const uint8_t* bytes) {
    uint32_t word;
    std::memcpy(&word, bytes, 4);
    return word;
}

/// Rows that a thread works on before it looks at the stop token: about 2^18 pixels.
inline int band_rows(const ImageSpec& spec) {
    return std::clamp((1 << 18) / std::max(spec.width, 1), 1, 1 << 12);
}
inline int band_count(const ImageSpec& spec) {
    return (spec.height + band_rows(spec) - 1) / band_rows(spec);
}

/// Pixels of a row that are worked on together, so that intermediate rows stay in the first-level cache.
inline constexpr int kChunk_px = 1024;

/// (77 R + 150 G + 29 B + kBias) >> kShift of n RGBA pixels. The sum stays below 2^16, so 16-bit lanes are enough and
/// the loop vectorizes.
template <int kBias, int kShift, class Word>
void weighted_row(const uint8_t* rgba, Word* words, int n) {
    for (int i = 0; i < n; ++i) {
        const auto red = uint16_t(77 * rgba[4 * i]);
        const auto green = uint16_t(150 * rgba[4 * i + 1]);
        const auto blue = uint16_t(29 * rgba[4 * i + 2]);
        words[i] = Word(uint16_t(red + green + blue + kBias) >> kShift);
    }
}
/// Luma of n RGBA pixels.
inline void luma_row(const uint8_t* rgba, uint8_t* luma, int n) {
    weighted_row<128, 8>(rgba, luma, n);
}
/// 10-bit luma (gpu/core/histogram.h) of n RGBA pixels.
inline void luma10_row(const uint8_t* rgba, uint16_t* luma10, int n) {
    weighted_row<0, 6>(rgba, luma10, n);
}

/// Counters of 10-bit luma, held twice for the same reason as ByteCounter's.
class Luma10Counter {
  public:
    void add(const uint16_t* luma10, int n) {
        int i = 0;
        for (; i + 2 <= n; i += 2) {
            ++even_[luma10[i]];
            ++odd_[luma10[i + 1]];
        }
        if (i < n) ++even_[luma10[i]];
    }
    void add_to(FineHistogram& total) const {
        for (size_t bin = 0; bin < total.size(); ++bin) total[bin] += even_[bin] + odd_[bin];
    }

  private:
    alignas(64) FineHistogram even_{}, odd_{};
};

/// 256 counters, held four times: equal values next to each other then do not wait for one another's increments.
template <class Count>
class ByteCounters {
  public:
    /// Counts n bytes.
    void add(const uint8_t* values, int n) {
        int i = 0;
        for (; i + 8 <= n; i += 8) {
            uint64_t v;
            std::memcpy(&v, values + i, 8);
            ++counts_[0][v & 255];
            ++counts_[1][v >> 8 & 255];
            ++counts_[2][v >> 16 & 255];
            ++counts_[3][v >> 24 & 255];
            ++counts_[0][v >> 32 & 255];
            ++counts_[1][v >> 40 & 255];
            ++counts_[2][v >> 48 & 255];
            ++counts_[3][v >> 56];
        }
        for (; i < n; ++i) ++counts_[0][values[i]];
    }
    /// Adds what another one has counted.
    void add(const ByteCounters& other) {
        for (int copy = 0; copy < 4; ++copy)
            for (int v = 0; v < 256; ++v) counts_[copy][v] = Count(counts_[copy][v] + other.counts_[copy][v]);
    }
    /// Counts one value.
    void add_one(int copy, uint8_t value) { ++counts_[copy & 3][value]; }
    TONESCOPE_HOT_LOOP void add_to(std::array<Count, 256>& total) const {
        for (size_t v = 0; v < 256; ++v)
            total[v] = Count(total[v] + counts_[0][v] + counts_[1][v] + counts_[2][v] + counts_[3][v]);
    }

  private:
    alignas(64) Count counts_[4][256] = {};
};
using ByteCounter = ByteCounters<uint32_t>;

/// Counts red, green and blue of n RGBA pixels.
inline void count_channels(const uint8_t* rgba, int n, ByteCounter& red, ByteCounter& green, ByteCounter& blue) {
    for (int i = 0; i < n; ++i) {
        red.add_one(i, rgba[4 * i]);
        green.add_one(i, rgba[4 * i + 1]);
        blue.add_one(i, rgba[4 * i + 2]);
    }
}

}  // namespace tonescope
