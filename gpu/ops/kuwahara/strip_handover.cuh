// Neighbouring segments of a strip share the rows of pixels whose upper boxes the one judges and whose lower boxes the
// other. The lower segment hands its first `radius` rows of bests up through device memory, early; the upper one comes
// for them at its end.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/strip_layout.cuh"

namespace tonescope {

/// A border between two segments: `radius` rows of bests with the alpha of the pixels there, and a word that is 0
/// before and after.
struct Handover {
    static constexpr int kPairs = kSlots / 2;
    struct Row {
        uint4 pairs[kPairs][32];  // of slots, [pair][lane]
        uint2 alpha[32];          // a byte a slot
    };
    Row* d_rows = nullptr;
    uint32_t* d_ready = nullptr;

    __device__ explicit operator bool() const { return d_rows != nullptr; }

    /// Has a row brought into the L2 cache: by its end, the upper segment may find it in device memory.
    __device__ void prefetch(int row, int lane) const {
        const auto* const d_at = reinterpret_cast<const uint8_t*>(d_rows + row) + 32 * lane;
        static_assert(sizeof(Row) == 2304);
        prefetch_to_l2(d_at);
        prefetch_to_l2(d_at + 1024);
        if (lane < 8) prefetch_to_l2(d_at + 2048);
    }
    /// All lanes, after the last row.
    __device__ void release(int lane) const {
        __syncwarp();
        if (lane == 0) asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(d_ready), "r"(1u) : "memory");
    }
    /// All lanes. The other segment's warp must be running or have run: it has the lower number.
    __device__ void acquire(int lane) const {
        uint32_t ready = 0;
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(ready) : "l"(d_ready) : "memory");
        } while (ready == 0);
        __syncwarp();
        if (lane == 0) *d_ready = 0;
    }
};

}  // namespace tonescope
