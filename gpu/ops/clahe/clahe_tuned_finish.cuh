// From a tile's counts to its table, by one warp. A lane holds eight bins: four from 4 * lane on and four from
// 128 + 4 * lane on, so that lanes next to each other read vectors next to each other.
#pragma once

#include <cstdint>

#include "gpu/cuda/block.cuh"
#include "gpu/cuda/packed_color.cuh"

namespace tonescope {

/// Spreading e excess pixels adds min(e, floor(b / s) + 1) to the inclusive sum of bin b, s = floor(256 / e). For e
/// from 1 on: ceil(2^16 / s), whose products with b + s, shifted down by 16, are the second term: b is below 256, and
/// the rounding of the factor below 1.
struct SpreadSteps {
    uint32_t step[256];
    constexpr SpreadSteps() : step{} {
        for (uint32_t e = 0; e < 256; ++e) {
            const uint32_t stride = e == 0 ? 256 : 256 / e;
            step[e] = (65536 + stride - 1) / stride;
        }
    }
};
__constant__ constexpr SpreadSteps kSpreadSteps{};

/// The sum over the warp's lanes.
__device__ inline uint32_t warp_sum(uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(kFullWarp, value);
#else
    for (unsigned offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(kFullWarp, value, int(offset));
    return value;
#endif
}

/// The first bin of four, in the lower half of the bins (0) or in the upper (1).
__device__ inline unsigned first_bin(int half) {
    return 128 * unsigned(half) + threadIdx.x % 32 * 4;
}

/// The eight bins become inclusive sums over all 256, after `lift` was added to each.
__device__ inline void scan_bins(uint32_t (&bins)[8], uint32_t lift) {
#pragma unroll
    for (int i = 0; i < 8; ++i) bins[i] += i % 4 == 0 ? lift : bins[i - 1] + lift;
    const uint32_t lower = warp_inclusive_scan(bins[3]), upper = warp_inclusive_scan(bins[7]);
    const uint32_t before_lower = lower - bins[3];
    const uint32_t before_upper = upper - bins[7] + __shfl_sync(kFullWarp, lower, 31);
#pragma unroll
    for (int i = 0; i < 8; ++i) bins[i] += i < 4 ? before_lower : before_upper;
}

/// Writes the lane's entries, which stand in the lowest bytes.
__device__ inline void store_entries(const uint32_t (&entries)[8], uint8_t* d_table) {
    auto* d_words = reinterpret_cast<uint32_t*>(d_table) + threadIdx.x % 32;
    d_words[0] = pack_bytes(entries[0], entries[1], entries[2], entries[3]);
    d_words[32] = pack_bytes(entries[4], entries[5], entries[6], entries[7]);
}

}  // namespace tonescope
