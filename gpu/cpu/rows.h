// Pieces of rows that fast CPU code shares: luma, counting bytes, walks over an image, samples for previews. The plain
// references use none of it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <stop_token>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/histogram.h"
#include "gpu/core/image.h"
#include "gpu/core/parallel.h"

namespace tonescope {

static_assert(std::endian::native == std::endian::little, "RGBA pixels are read as words with R in the lowest byte");

TONESCOPE_HOT_LOOP uint32_t load_word(const uint8_t* bytes) {
    uint32_t word;
    std::memcpy(&word, bytes, 4);
    return word;
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

/// Counts images of these sides in bands of rows, about 2^16 pixels each, before which the stop token is looked at.
/// Each thread calls count(counters, x, y, n) with counters of its own for the pieces of its rows, at most kChunk_px
/// pixels long, and merge(counters) at the end, one thread at a time.
template <class Counters>
void count_spans(const ImageSpec& spec, int threads, const std::stop_token& stop, auto count, auto merge) {
    const int rows = std::clamp((1 << 16) / std::max(spec.width, 1), 1, 1 << 12);
    const int bands = (spec.height + rows - 1) / rows;
    std::mutex merging;
    parallel_pieces(threads, bands, 1, [&](Pieces& pieces) {
        Counters counters;
        for (const int64_t band : pieces) {
            if (stop.stop_requested()) return;
            const int begin = int(band) * rows;
            for (int y = begin; y < std::min(begin + rows, spec.height); ++y)
                for (int x = 0; x < spec.width; x += kChunk_px)
                    count(counters, x, y, std::min(spec.width - x, kChunk_px));
        }
        const std::lock_guard lock(merging);
        merge(counters);
    });
}
/// The same for one image: calls count(counters, pixels, n).
template <class Counters>
void count_pieces(const ImageView& image, int threads, const std::stop_token& stop, auto count, auto merge) {
    count_spans<Counters>(
        image.spec, threads, stop,
        [&](Counters& counters, int x, int y, int n) { count(counters, image.pixel(x, y), n); }, merge);
}

/// Rows of a preview's samples that a thread takes at a time.
inline constexpr int kSampledRows = 32;

/// How many of the positions 0, step, 2 step, ... lie below `size_px`.
inline int sample_count(int size_px, int step) {
    return (size_px + step - 1) / step;
}
/// Pixel (i, j) of `to` becomes pixel (x + i step, y + j step) of `image`, which has the same format.
inline void sample(const ImageView& image, int x, int y, int step, const MutableImageView& to, int threads) {
    const auto copy = [&]<size_t kPixelBytes>() {
        parallel_for(threads, to.spec.height, kSampledRows, [&](int64_t j) {
            const uint8_t* from = image.pixel(x, y + int(j) * step);
            uint8_t* row = to.pixel(0, int(j));
            if (step == 1) {
                std::memcpy(row, from, size_t(to.spec.width) * kPixelBytes);
                return;
            }
            for (size_t i = 0; i < size_t(to.spec.width); ++i)
                std::memcpy(row + i * kPixelBytes, from + i * size_t(step) * kPixelBytes, kPixelBytes);
        });
    };
    switch (bytes_per_pixel(to.spec.format)) {
        case 1:
            return copy.template operator()<1>();
        case 2:
            return copy.template operator()<2>();
        case 4:
            return copy.template operator()<4>();
        default:
            return copy.template operator()<8>();
    }
}

}  // namespace tonescope
