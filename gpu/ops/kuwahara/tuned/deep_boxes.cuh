// Sums over columns and boxes of deep images, and boxes that are evaluated: what deep_strips.cuh slides and compares.
//
// With n pixels of at most M, S and n Q - S^2 of a box take the bits of n M and of (n M)^2 / 4. As long as n M is below
// 2^24, S and Q share a word of 64 bits, and so do n Q - S^2 and a mean (narrow); larger boxes have words of their own
// for each (wide).
#pragma once

#include <cstdint>

#include "gpu/core/luma.h"

namespace tonescope::kuwahara::tuned {

/// Whether boxes of n pixels of at most `max_sample` are narrow.
constexpr bool is_narrow(uint32_t n, uint32_t max_sample) {
    return uint64_t{n} * max_sample < (1u << 24);
}

/// Where a strip's columns stand in shared memory: neighbors 34 words apart, each eighth beside the one before. So the
/// lanes of a warp meet no bank twice, neither when they take neighboring columns nor when each takes eight of its own.
struct ColumnPlaces {
    static constexpr int kRun = 8, kStride = 34, kWords = kRun * kStride;
    __device__ static int of(int column) { return column % kRun * kStride + column / kRun; }
};

/// Sums over the pixels of a column or a box. Words that hold two of them are added and subtracted whole: a borrow from
/// the upper one cancels, as both fit in the end. narrow: Q and, from bit 40 up, S | red and green | blue, in 32 bits.
/// wide: Q | red and green | S and blue. Gray images have no colors, and the S of wide ones takes 32 bits.
template <bool kColor, bool kWide>
struct DeepSums {
    static constexpr int kLongs = kColor ? kWide ? 3 : 2 : 1;
    static constexpr bool kHasShort = kColor != kWide;
    static constexpr size_t kRow_bytes = (8 * kLongs + 4 * kHasShort) * size_t{ColumnPlaces::kWords};

    uint64_t longs[kLongs] = {};
    uint32_t rest = 0;

    __device__ void add(const DeepSums& other) {
        for (int i = 0; i < kLongs; ++i) longs[i] += other.longs[i];
        rest += other.rest;
    }
    __device__ void subtract(const DeepSums& other) {
        for (int i = 0; i < kLongs; ++i) longs[i] -= other.longs[i];
        rest -= other.rest;
    }
    /// Adds a pixel and takes away another one.
    __device__ void slide(uint16_t in, uint16_t out) { slide_value(in, out); }
    __device__ void slide(ushort4 in, ushort4 out) {
        slide_value(max(max(in.x, in.y), in.z), max(max(out.x, out.y), out.z));
        longs[1] += both(in.x - out.x, in.y - out.y);
        const int blue = in.z - out.z;
        if constexpr (kWide)
            longs[2] += both(0, blue);
        else
            rest += uint32_t(blue);
    }

    __device__ uint64_t squares() const { return kWide ? longs[0] : longs[0] & ((uint64_t{1} << 40) - 1); }
    __device__ uint32_t value() const {
        if constexpr (!kWide) return uint32_t(longs[0] >> 40);
        return kColor ? uint32_t(longs[kLongs - 1]) : rest;
    }
    __device__ uint32_t red() const { return uint32_t(longs[kLongs > 1]); }
    __device__ uint32_t green() const { return uint32_t(longs[kLongs > 1] >> 32); }
    __device__ uint32_t blue() const { return kWide ? uint32_t(longs[kLongs - 1] >> 32) : rest; }

    /// In shared memory: `longs` plane by plane, then `rest`.
    __device__ static DeepSums load(const uint64_t* s_row, int place) {
        DeepSums sums;
        for (int i = 0; i < kLongs; ++i) sums.longs[i] = s_row[i * ColumnPlaces::kWords + place];
        if constexpr (kHasShort) sums.rest = shorts_of(s_row)[place];
        return sums;
    }
    __device__ void store(uint64_t* s_row, int place) const {
        for (int i = 0; i < kLongs; ++i) s_row[i * ColumnPlaces::kWords + place] = longs[i];
        if constexpr (kHasShort) shorts_of(s_row)[place] = rest;
    }

  private:
    __device__ static uint64_t both(int lower, int upper) {
        return uint64_t(int64_t{lower}) + (uint64_t(uint32_t(upper)) << 32);
    }
    __device__ void slide_value(int in, int out) {
        const int less = in - out;
        longs[0] += uint64_t(int64_t{less} * (in + out));
        if constexpr (!kWide)
            longs[0] += uint64_t(uint32_t(less) << 8) << 32;
        else if constexpr (kColor)
            longs[2] += both(less, 0);
        else
            rest += uint32_t(less);
    }
    __device__ static const uint32_t* shorts_of(const uint64_t* s_row) {
        return reinterpret_cast<const uint32_t*>(s_row + kLongs * ColumnPlaces::kWords);
    }
    __device__ static uint32_t* shorts_of(uint64_t* s_row) {
        return reinterpret_cast<uint32_t*>(s_row + kLongs * ColumnPlaces::kWords);
    }
};

/// floor((2 sum + n) / (2 n)) by one product. With 2^k <= n < 2^(k + 1), the factor f = floor(2^(32 + k) / (2 n)) + 1
/// has 32 bits, and f 2 n = 2^(32 + k) + e with e <= 2 n < 2^(k + 2): the quotient is exact for numerators x with
/// x e < 2^(32 + k), hence for all below 2^30. They stay below 2 * 4225 * 65536.
struct BoxMean {
    uint32_t n, factor, shift;

    BoxMean() = default;
    TONESCOPE_HOST_DEVICE explicit BoxMean(uint32_t pixels) : n(pixels), shift(0) {
        while (pixels >> (shift + 1) > 0) ++shift;
        factor = uint32_t((uint64_t{1} << (32 + shift)) / (2 * n)) + 1;
    }
    __device__ uint32_t of(uint32_t sum) const { return __umulhi(2 * sum + n, factor) >> shift; }
};

/// The same for any n: the quotient of floats, at most 65,536, is wrong by at most 1.
__device__ inline uint32_t rounded_mean(uint32_t sum, uint32_t n) {
    const uint32_t numerator = 2 * sum + n, divisor = 2 * n;
    uint32_t quotient = uint32_t(__fdividef(float(numerator), float(divisor)));
    if (quotient * divisor > numerator) --quotient;
    return quotient + (numerator - quotient * divisor >= divisor);
}

/// An evaluated box: n Q - S^2 and its means. `key` orders boxes of as many pixels: narrow ones have a mean in its
/// lowest 16 bits, below n Q - S^2. The highest bit is free for kRight.
template <bool kColor, bool kWide>
struct DeepBox {
    static constexpr uint64_t kRight = uint64_t{1} << 63;
    static constexpr int kMeanBits = kWide ? 0 : 16;
    static constexpr size_t kKept_bytes = 8 + (kColor ? kWide ? 8 : 4 : kWide ? 4 : 0);

    uint64_t key;
    uint64_t means;  // narrow: green and blue; wide: value, or red, green and blue

    /// mean(sum): of the box's n pixels.
    template <class Mean>
    __device__ static DeepBox evaluated(const DeepSums<kColor, kWide>& sums, uint32_t n, Mean&& mean) {
        const uint32_t s = sums.value();
        const uint64_t scaled_variance = n * sums.squares() - uint64_t{s} * s;
        DeepBox box{scaled_variance << kMeanBits, 0};
        const uint32_t first = mean(kColor ? sums.red() : s);
        if constexpr (kWide)
            box.means = first;
        else
            box.key |= first;
        if constexpr (kColor) box.means |= uint64_t{mean(sums.green()) | mean(sums.blue()) << 16} << (kWide ? 16 : 0);
        return box;
    }
    __device__ uint64_t scaled_variance() const { return (key & ~kRight) >> kMeanBits; }
    /// Becomes `next` where that has a lower variance; of boxes of as many pixels, none of them kRight. Means do not
    /// count.
    __device__ void keep_below(const DeepBox& next) {
        if ((next.key | ((uint64_t{1} << kMeanBits) - 1)) < key) *this = next;
    }
    /// Of boxes of n pixels and of m.
    __device__ bool is_below(uint32_t n, const DeepBox& other, uint32_t m) const {
        const uint64_t own = scaled_variance(), others = other.scaled_variance(), own_factor = uint64_t{m} * m,
                       others_factor = uint64_t{n} * n;
        const uint64_t high = __umul64hi(own, own_factor), others_high = __umul64hi(others, others_factor);
        return high != others_high ? high < others_high : own * own_factor < others * others_factor;
    }

    __device__ uint16_t result(uint16_t) const { return uint16_t(kWide ? means : key); }
    __device__ ushort4 result(ushort4 pixel) const {
        const uint64_t from_green = kWide ? means >> 16 : means;
        return {uint16_t(kWide ? means : key), uint16_t(from_green), uint16_t(from_green >> 16), pixel.w};
    }

    // In shared memory, in the place of the sums of a column.
    __device__ static DeepBox load(const uint64_t* s_row, int place) {
        DeepBox box{s_row[place], 0};
        if constexpr (kKept_bytes == 16) box.means = s_row[ColumnPlaces::kWords + place];
        if constexpr (kKept_bytes == 12) box.means = reinterpret_cast<const uint32_t*>(s_row + kShorts)[place];
        return box;
    }
    __device__ void store(uint64_t* s_row, int place) const {
        s_row[place] = key;
        if constexpr (kKept_bytes == 16) s_row[ColumnPlaces::kWords + place] = means;
        if constexpr (kKept_bytes == 12) reinterpret_cast<uint32_t*>(s_row + kShorts)[place] = uint32_t(means);
    }
    // In a slot of the ring: the keys of `count` columns, then their means.
    __device__ static DeepBox load_kept(const uint8_t* slot, int column, int count) {
        DeepBox box{reinterpret_cast<const uint64_t*>(slot)[column], 0};
        if constexpr (kKept_bytes == 16) box.means = reinterpret_cast<const uint64_t*>(slot + count * 8)[column];
        if constexpr (kKept_bytes == 12) box.means = reinterpret_cast<const uint32_t*>(slot + count * 8)[column];
        return box;
    }
    __device__ void keep(uint8_t* slot, int column, int count) const {
        reinterpret_cast<uint64_t*>(slot)[column] = key;
        if constexpr (kKept_bytes == 16) reinterpret_cast<uint64_t*>(slot + count * 8)[column] = means;
        if constexpr (kKept_bytes == 12) reinterpret_cast<uint32_t*>(slot + count * 8)[column] = uint32_t(means);
    }

  private:
    static constexpr int kShorts = DeepSums<kColor, kWide>::kLongs * ColumnPlaces::kWords;
};

}  // namespace tonescope::kuwahara::tuned
