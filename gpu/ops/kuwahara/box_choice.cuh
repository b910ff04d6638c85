// What a finished box is worth: its variance and its mean in 64 bits, and which of two boxes is calmer.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/tensor_boxes.cuh"

namespace tonescope {

/// n Q - S^2 and the mean color (R, G, B or gray in the lower bytes). Up to radius 16 the spread has 31 bits, and fills
/// `upper`; above it has 39, and its lowest 8 are the top byte of `lower`.
struct JudgedBox {
    uint32_t upper, lower;
};

/// A box's n, and what its mean needs: floor((2 sum + n) / (2 n)) = floor((sum + floor(n / 2)) / n). The accumulators
/// of the colors hold sum + floor(n / 2), below 2^21. Read as a denormal float, times 1 / n and rounded towards zero,
/// it gives the quotient's integer part in the same form. `inverse` is at most 3 * 2^-23 too large in proportion: a
/// quotient up to 255.5 then grows by less than 2^-13, while one that is no integer lies 1 / n >= 1 / 4225 below the
/// next.
struct BoxCount {
    uint32_t n = 0;
    float inverse = 0;
    __device__ static BoxCount of(uint32_t n);
};

__device__ __forceinline__ BoxCount BoxCount::of(uint32_t n) {
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(float(n)));  // off by one unit in the last place at most
    return {n, __uint_as_float(__float_as_uint(inverse) + 2)};
}

/// floor(sum / n), where `sum` has floor(n / 2) added.
__device__ __forceinline__ uint32_t mean_of(uint32_t sum, const BoxCount& count) {
    return __float_as_uint(__fmul_rz(__uint_as_float(sum), count.inverse));
}

template <class Pixel>
__device__ __forceinline__ void clear(BoxSums<Pixel>& sums) {
    for (auto& plane : sums.of)
        for (auto& tile : plane)
            for (int& sum : tile) sum = 0;
}

/// Adds `change` to the sums of the colors.
template <class Pixel>
__device__ __forceinline__ void change_colors(BoxSums<Pixel>& sums, int change) {
    for (int plane = kRed; plane < PlanesOf<Pixel>::kPlanes; ++plane)
        for (auto& tile : sums.of[plane])
            for (int& sum : tile) sum += change;
}

template <class Pixel, int kReach>
__device__ __forceinline__ JudgedBox judge(const BoxSums<Pixel>& sums, int tile, int element, const BoxCount& count) {
    const auto sum = [&](int plane) { return uint32_t(sums.of[plane][tile][element]); };
    const uint32_t value = sum(kValue), squares = sum(kSquareHigh) * 256 + sum(kSquareLow);
    uint32_t color;
    if constexpr (PlanesOf<Pixel>::kPlanes > kRed) {
        color = mean_of(sum(kGreen), count) * 256 + mean_of(sum(kRed), count);
        color = mean_of(sum(kBlue), count) * 65536 + color;
    } else {
        color = mean_of(value + count.n / 2, count);
    }
    if constexpr (kReach == 2) {
        return {count.n * squares - value * value, color};
    } else {
        const uint64_t spread = uint64_t{count.n} * squares - uint64_t{value} * value;
        return {uint32_t(spread >> 8), __byte_perm(color, uint32_t(spread), 0x4210)};
    }
}

/// Whether a is calmer than b, where both have the same n.
template <int kReach>
__device__ __forceinline__ bool calmer(const JudgedBox& a, const JudgedBox& b) {
    if constexpr (kReach == 2) return a.upper < b.upper;
    return ((uint64_t{a.upper} << 32) | (a.lower | 0xffffff)) < ((uint64_t{b.upper} << 32) | b.lower);
}

/// The same, and where `or_equal` also whether they are equally calm.
template <int kReach>
__device__ __forceinline__ bool calmer_or_equal(const JudgedBox& a, const JudgedBox& b, bool or_equal) {
    if constexpr (kReach == 2) return (uint64_t{a.upper} << 32) < ((uint64_t{b.upper} << 32) | uint32_t(or_equal));
    const uint32_t colors = or_equal ? 0xff000000 : 0xffffffff;
    return ((uint64_t{a.upper} << 32) | ((a.lower | 0xffffff) & colors)) < ((uint64_t{b.upper} << 32) | b.lower | 1);
}

/// (n Q - S^2) factor, for comparing crosswise boxes of different n: below 2^63 (README.md).
template <int kReach>
__device__ __forceinline__ uint64_t spread_times(const JudgedBox& box, uint32_t factor) {
    if constexpr (kReach == 2) return uint64_t{box.upper} * factor;
    return ((uint64_t{box.upper} << 8) | (box.lower >> 24)) * factor;
}

/// The pixel that a box's color and `alpha` make.
template <int kReach>
__device__ __forceinline__ uint32_t with_alpha(uint32_t lower, uint32_t alpha) {
    if constexpr (kReach == 2) return lower + (alpha << 24);
    return __byte_perm(lower, alpha, 0x4210);
}

}  // namespace tonescope
