// From a tile's counts to its table, by one warp. A lane holds eight bins next to each other.
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/packed_color.cuh"

namespace tonescope::clahe {

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

/// The first of a lane's eight bins.
__device__ inline unsigned first_bin() {
    return threadIdx.x % 32 * 8;
}

/// Adds `lift` to every bin and makes prefix sums of the lane's bins. Returns the sum of the lanes before.
__device__ inline uint32_t scan_bins(uint32_t (&bins)[8], uint32_t lift) {
#pragma unroll
    for (int i = 0; i < 8; ++i) bins[i] += i == 0 ? lift : bins[i - 1] + lift;
    return warp_inclusive_scan(bins[7]) - bins[7];
}

/// Writes the lane's entries, four to a word.
__device__ inline void store_entries(uint32_t first_four, uint32_t last_four, uint8_t* d_table) {
    reinterpret_cast<uint2*>(d_table)[threadIdx.x % 32] = make_uint2(first_four, last_four);
}

__device__ inline void store_entries(const uint32_t (&entries)[8], uint8_t* d_table) {
    store_entries(pack_bytes(entries[0], entries[1], entries[2], entries[3]),
                  pack_bytes(entries[4], entries[5], entries[6], entries[7]), d_table);
}

}  // namespace tonescope::clahe
