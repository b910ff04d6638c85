// A box once it is summed: its variance and its mean in 64 bits, and which of two boxes has the lower variance.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/tuned/tensor_boxes.cuh"

namespace tonescope::kuwahara::tuned {

/// The scaled variance n Q - S^2 (n^2 times the variance of V) and the mean color: R, G, B or gray in the lower bytes
/// of `lower`. Up to radius 16 (kReach = 2) the scaled variance has 31 bits and fills `upper`; above, it has 39, and
/// its lowest 8 are the top byte of `lower`.
struct EvaluatedBox {
    uint32_t upper, lower;
};
inline constexpr uint32_t kColorBits = 0xffffff;  // of `lower`

/// The pixels of a box, and what its mean needs: floor((2 sum + n) / (2 n)) = floor((sum + floor(n / 2)) / n). The
/// accumulators of the colors hold sum + floor(n / 2), below 2^21. Read as a denormal float, times 1 / n and rounded
/// towards zero, that is the quotient's integer part in the same form. `inverse` is at most 3 * 2^-23 too large in
/// proportion: a quotient up to 255.5 then grows by less than 2^-13, while one that is no integer lies 1 / n >= 1 /
/// 4225 below the next.
struct BoxCount {
    uint32_t n = 0;
    float inverse = 0;

    __device__ static __forceinline__ BoxCount of(uint32_t n) {
        float inverse;
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(float(n)));
        constexpr uint32_t kUlps = 2;  // the instruction is off by one unit in the last place at most
        return {n, __uint_as_float(__float_as_uint(inverse) + kUlps)};
    }
    /// floor(sum / n), where `sum` has floor(n / 2) added. The instruction is written out, for under -ftz=true
    /// __fmul_rz() would take denormal numbers for zero.
    __device__ __forceinline__ uint32_t mean(uint32_t sum) const {
        if constexpr (!Policy::kDenormalMeans) return sum / n;
        float quotient;
        asm("mul.rz.f32 %0, %1, %2;" : "=f"(quotient) : "f"(__uint_as_float(sum)), "f"(inverse));
        return __float_as_uint(quotient);
    }
};

template <class Pixel, int kReach>
__device__ __forceinline__ EvaluatedBox evaluate(const BoxSums<Pixel>& sums, int lane_column, const BoxCount& count) {
    const auto sum = [&](int plane) { return sums.sum(plane, lane_column); };
    const uint32_t value = sum(kValue), squares = sum(kSquareHigh) * 256 + sum(kSquareLow);
    uint32_t color;
    if constexpr (PlanesOf<Pixel>::kPlanes > kRed) {
        color = count.mean(sum(kGreen)) * 256 + count.mean(sum(kRed));
        color = count.mean(sum(kBlue)) * 65536 + color;
    } else {
        color = count.mean(value + count.n / 2);
    }
    if constexpr (kReach == 2) {
        return {count.n * squares - value * value, color};
    } else {
        const uint64_t scaled_variance = uint64_t{count.n} * squares - uint64_t{value} * value;
        return {uint32_t(scaled_variance >> 8), __byte_perm(color, uint32_t(scaled_variance), kThreeAndOne)};
    }
}

/// Whether a's variance is lower than b's, where both have the same n. The bits of the color are set in a, so that they
/// decide nothing.
template <int kReach>
__device__ __forceinline__ bool has_lower_variance(const EvaluatedBox& a, const EvaluatedBox& b) {
    if constexpr (kReach == 2) return a.upper < b.upper;
    return ((uint64_t{a.upper} << 32) | (a.lower | kColorBits)) < ((uint64_t{b.upper} << 32) | b.lower);
}

/// The same, and where `or_equal` also whether the variances are equal.
template <int kReach>
__device__ __forceinline__ bool has_lower_variance(const EvaluatedBox& a, const EvaluatedBox& b, bool or_equal) {
    if constexpr (kReach == 2) return (uint64_t{a.upper} << 32) < ((uint64_t{b.upper} << 32) | uint32_t(or_equal));
    const uint32_t mask = or_equal ? ~kColorBits : ~0u;
    return ((uint64_t{a.upper} << 32) | ((a.lower | kColorBits) & mask)) < ((uint64_t{b.upper} << 32) | b.lower | 1);
}

/// The scaled variance times `factor`, for comparing boxes of different n crosswise: below 2^63 (../README.md).
template <int kReach>
__device__ __forceinline__ uint64_t scaled_variance_times(const EvaluatedBox& box, uint32_t factor) {
    if constexpr (kReach == 2) return uint64_t{box.upper} * factor;
    return ((uint64_t{box.upper} << 8) | (box.lower >> 24)) * factor;
}

/// The pixel that a box's color and `alpha` make.
template <int kReach>
__device__ __forceinline__ uint32_t with_alpha(uint32_t lower, uint32_t alpha) {
    if constexpr (kReach == 2) return lower + (alpha << 24);
    return __byte_perm(lower, alpha, kThreeAndOne);
}

}  // namespace tonescope::kuwahara::tuned
