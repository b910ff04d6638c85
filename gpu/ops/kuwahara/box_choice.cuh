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

/// A box's n, and what its mean needs: floor((2 sum + n) / (2 n)) = floor((sum + floor(n / 2) + 1/2) / n), where the
/// fraction stays 1 / (2 n) >= 1 / 8450 away from the next integer; a float quotient up to 255.5 is off by less than
/// 2^-14. Sums below 2^23 become floats by adding the bits of 2^23, and the quotient an integer by adding 2^23.
struct BoxCount {
    uint32_t n;
    float inverse, half;  // half: floor(n / 2) + 1/2 - 2^23
    __device__ static BoxCount of(uint32_t n);
};
inline constexpr uint32_t kFloatBits = 0x4b000000;  // of 2^23
inline constexpr float kFloatBase = 8388608;

__device__ __forceinline__ BoxCount BoxCount::of(uint32_t n) {
    const float half = __uint_as_float(kFloatBits + n / 2) - kFloatBase;
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(__uint_as_float(kFloatBits + n) - kFloatBase));
    return {n, inverse, half + (0.5F - kFloatBase)};
}

/// The mean in the lowest byte, below the bits of 2^23. `sum` has these bits added.
__device__ __forceinline__ uint32_t mean_bits(uint32_t sum, const BoxCount& count) {
    return __float_as_uint(__fmaf_rz(__uint_as_float(sum) + count.half, count.inverse, kFloatBase));
}

/// Sums of colors have the bits of 2^23 added from the start.
template <class Pixel>
__device__ __forceinline__ void clear(BoxSums<Pixel>& sums) {
    uint32_t bits = kFloatBits;
    keep(bits);
    for (int plane = 0; plane < PlanesOf<Pixel>::kPlanes; ++plane)
        for (auto& tile : sums.of[plane])
            for (int& sum : tile) sum = plane < kRed ? 0 : int(bits);
}

template <class Pixel, int kReach>
__device__ __forceinline__ JudgedBox judge(const BoxSums<Pixel>& sums, int tile, int element, const BoxCount& count) {
    const auto sum = [&](int plane) { return uint32_t(sums.of[plane][tile][element]); };
    const uint32_t value = sum(kValue), squares = sum(kSquareHigh) * 256 + sum(kSquareLow);
    uint32_t color;
    if constexpr (PlanesOf<Pixel>::kPlanes > kRed) {
        color = mean_bits(sum(kGreen), count) * 256 + mean_bits(sum(kRed), count);
        color = mean_bits(sum(kBlue), count) * 65536 + color;
    } else {
        color = mean_bits(value | kFloatBits, count);
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

/// (n Q - S^2) factor, for comparing crosswise boxes of different n: below 2^63 (README.md).
template <int kReach>
__device__ __forceinline__ uint64_t spread_times(const JudgedBox& box, uint32_t factor) {
    if constexpr (kReach == 2) return uint64_t{box.upper} * factor;
    return ((uint64_t{box.upper} << 8) | (box.lower >> 24)) * factor;
}

}  // namespace tonescope
