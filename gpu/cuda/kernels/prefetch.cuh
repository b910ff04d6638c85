// Reading ahead of a kernel's start: blocks of launch_pdl (launch.h) that stand ready before pdl_wait()
// (grid.cuh) may not read what an earlier kernel writes, but may ask the L2 cache for it. What is written afterwards
// arrives there too. Parts are asked for from compute capability 9.0 on: below it no kernel starts early.
#pragma once

#include <cstdint>

namespace tonescope {

/// Asks for what stands at an address of device memory.
__device__ __forceinline__ void prefetch_to_l2(const void* d_address) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(d_address));
}

/// Each block of the grid asks for one part of the `bytes` from d_begin on: `part_bytes`, or what is left. All are
/// multiples of 16.
__device__ inline void prefetch_parts(const void* d_begin, uint64_t bytes, uint32_t part_bytes) {
#if __CUDA_ARCH__ >= 900
    const uint64_t offset = uint64_t{blockIdx.x} * part_bytes;
    if (threadIdx.x != 0 || offset >= bytes) return;
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(static_cast<const char*>(d_begin) + offset),
                 "r"(uint32_t(min(uint64_t{part_bytes}, bytes - offset))));
#endif
}

}  // namespace tonescope
