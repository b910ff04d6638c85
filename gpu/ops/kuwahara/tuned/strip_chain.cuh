// Segments of a strip that follow one another form a chain: warps of one block filter them, every other one from the
// bottom up. So neighbours start at the border between them, or end there, at the same time, and what pixels on both
// sides need of the other stands in the other's shared memory just then: no box is evaluated twice within a chain.
#pragma once

#include <cstdint>
#include <utility>

#include "gpu/ops/kuwahara/tuned/policy.h"

namespace tonescope::kuwahara::tuned {

/// A neighbour of a segment in its chain.
struct ChainLink {
    int barrier = 0;        // 0: there is no neighbour
    uint32_t distance = 0;  // from the warp's shared memory to the neighbour's, bytes, modulo 2^32
    int rows = 0;           // that the neighbour evaluates
    __device__ explicit operator bool() const { return barrier != 0; }
    /// Waits for the neighbour. All lanes of both warps call.
    __device__ void meet() const { wait_at(barrier); }
    /// The same at another barrier, for the second time may come before all lanes have left the first (radius 1).
    __device__ void meet_again() const { wait_at(barrier + kBorders); }

  private:
    static constexpr int kBorders = Policy::kStripWarps - 1;
    __device__ static void wait_at(int barrier) {
        __syncwarp();
        wait_at_one_of(barrier, std::make_integer_sequence<int, 2 * kBorders>{});
    }
    /// The instructions have constant numbers: with one in a register, the compiler would take all barriers there are.
    template <int... kIndices>
    __device__ static void wait_at_one_of(int barrier, std::integer_sequence<int, kIndices...>) {
        ((barrier == kIndices + 1 ? wait<kIndices + 1>() : void()), ...);
    }
    template <int kBarrier>
    __device__ static void wait() {
        asm volatile("bar.sync %0, 64;" ::"n"(kBarrier) : "memory");
    }
};

/// `segments`, 1 to Policy::kStripWarps, share the boxes' rows `begin` to `end` - 1.
struct Chain {
    int begin, end, segments, radius;

    /// The first row of segment `at`; the end, where `at` is the number of segments. A segment has `radius` rows at
    /// least.
    __device__ int row(int at) const {
        const int rows = end - begin, even = begin + int(int64_t{at} * rows / segments);
        const int fewer = min(Policy::rows_for_second_neighbour(radius),
                              max(rows / segments - max(radius, Policy::kMinSegmentRows), 0));
        return segments < 4 || at % 2 == 0 ? even : at == 1 ? even + fewer : even - fewer;
    }
    /// Whether a segment is filtered from the bottom up.
    __device__ static bool is_upward(int at) { return at % 2 == 0; }
    /// The neighbour where segment `at`, filtered by warp `warp` of the block, starts. Warps have `warp_bytes` each.
    __device__ ChainLink at_start(int at, int warp, int warp_bytes) const {
        return link(at, is_upward(at) ? at + 1 : at - 1, warp, warp_bytes);
    }
    /// The neighbour where it ends.
    __device__ ChainLink at_end(int at, int warp, int warp_bytes) const {
        return link(at, is_upward(at) ? at - 1 : at + 1, warp, warp_bytes);
    }

  private:
    __device__ ChainLink link(int at, int other, int warp, int warp_bytes) const {
        if (other < 0 || other >= segments) return {};
        return {1 + warp + min(other - at, 0), uint32_t((other - at) * warp_bytes), row(other + 1) - row(other)};
    }
};

}  // namespace tonescope::kuwahara::tuned
