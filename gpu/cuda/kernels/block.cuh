// Pieces that the threads of one block do together. Blocks are one-dimensional, with a multiple of 32 threads, at most
// 1024; every thread of the block calls.
#pragma once

#include <cstdint>

namespace tonescope {

inline constexpr unsigned kFullWarp = 0xffffffffu;

/// The sum over the threads of a warp, for each of them.
__device__ inline uint32_t warp_sum(uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(kFullWarp, value);
#else
    for (unsigned offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(kFullWarp, value, int(offset));
    return value;
#endif
}

/// The greatest value of the threads of a warp, for each of them.
__device__ inline uint32_t warp_max(uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(kFullWarp, value);
#else
    for (unsigned offset = 16; offset > 0; offset /= 2)
        value = max(value, __shfl_xor_sync(kFullWarp, value, int(offset)));
    return value;
#endif
}

/// Inclusive sums over the threads of a warp.
__device__ inline uint32_t warp_inclusive_scan(uint32_t value) {
    const unsigned lane = threadIdx.x % 32;
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        const uint32_t left = __shfl_up_sync(kFullWarp, value, offset);
        if (lane >= offset) value += left;
    }
    return value;
}

/// Inclusive sums over the threads of the block: thread t gets value[0] + ... + value[t]. s_warp_sums: 32 words of
/// shared memory, free again on return.
__device__ inline uint32_t block_inclusive_scan(uint32_t value, uint32_t* s_warp_sums) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    value = warp_inclusive_scan(value);
    if (lane == 31) s_warp_sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        const uint32_t sum = lane < blockDim.x / 32 ? s_warp_sums[lane] : 0;
        const uint32_t scanned = warp_inclusive_scan(sum);
        __syncwarp();
        s_warp_sums[lane] = scanned;
    }
    __syncthreads();
    const uint32_t before = warp > 0 ? s_warp_sums[warp - 1] : 0;
    __syncthreads();
    return before + value;
}

/// The sum over the threads of the block, for every thread. s_warp_sums as above.
__device__ inline uint32_t block_sum(uint32_t value, uint32_t* s_warp_sums) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(kFullWarp, value, int(offset));
    if (lane == 0) s_warp_sums[warp] = value;
    __syncthreads();
    uint32_t sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += s_warp_sums[w];
    __syncthreads();
    return sum;
}

/// Sets `count` counters in shared memory to zero. Ends with a barrier.
__device__ inline void block_clear(uint32_t* s_counters, unsigned count) {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) s_counters[i] = 0;
    __syncthreads();
}

/// Adds `count` counters in shared memory to those in global memory. Begins with a barrier.
__device__ inline void block_flush(const uint32_t* s_counters, unsigned count, uint32_t* d_counters) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        if (s_counters[i] != 0) atomicAdd(&d_counters[i], s_counters[i]);
}

/// Calls visit(x, y) for every pixel once: blocks take rows in turn, threads the pixels of a row.
template <class Visit>
__device__ void for_each_pixel(int width, int height, Visit&& visit) {
    for (int y = int(blockIdx.x); y < height; y += int(gridDim.x))
        for (int x = int(threadIdx.x); x < width; x += int(blockDim.x)) visit(x, y);
}

}  // namespace tonescope
