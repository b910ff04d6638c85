// Segments of a strip that follow one another are filtered by warps of one block, every other one from the bottom up.
// So neighbours start at the border between them, or end there, at the same time, and what pixels on both sides need of
// the other stands in the other's shared memory just then: nothing is computed twice within a chain.
#pragma once

#include <cstdint>

namespace tonescope {

/// A neighbour of a segment in its chain.
struct ChainLink {
    int barrier = 0;        // 0: there is no neighbour
    uint32_t distance = 0;  // from the warp's shared memory to the neighbour's, bytes, modulo 2^32
    int rows = 0;           // that the neighbour judges
    __device__ explicit operator bool() const { return barrier != 0; }
    /// All lanes of both warps.
    __device__ void meet() const { wait_at(barrier); }
    /// Another barrier, for a second time that may come at once (radius 1).
    __device__ void meet_again() const { wait_at(barrier + kWarps - 1); }

    static constexpr int kWarps = 4;  // of a block, at most

  private:
    /// With the number in a register, the compiler would take all barriers there are.
    template <int kNumber>
    __device__ static void wait_if(int number) {
        if (number == kNumber) asm volatile("bar.sync %0, 64;" ::"n"(kNumber) : "memory");
    }
    __device__ static void wait_at(int number) {
        static_assert(2 * (kWarps - 1) == 6);
        __syncwarp();
        wait_if<1>(number);
        wait_if<2>(number);
        wait_if<3>(number);
        wait_if<4>(number);
        wait_if<5>(number);
        wait_if<6>(number);
    }
};

/// `segments`, 1 to 4, share the boxes' rows `begin` to `end` - 1.
struct Chain {
    int begin, end, segments, radius;

    /// First row of segment `at`; of `segments`: the end. Those with two neighbours have a little more to do at their
    /// end, and get fewer rows.
    __device__ int row(int at) const {
        const int rows = end - begin, even = begin + int(int64_t{at} * rows / segments);
        const int fewer = min(radius / 16, max(rows / segments - max(radius, kMinRows), 0));
        return segments < 4 || at % 2 == 0 ? even : at == 1 ? even + fewer : even - fewer;
    }
    /// Whether it is filtered from the bottom up.
    __device__ static bool is_upward(int at) { return at % 2 == 0; }
    /// Segment `at` is warp `warp` of the block, and warps have `warp_bytes` each.
    __device__ ChainLink at_start(int at, int warp, int warp_bytes) const {
        return link(at, is_upward(at) ? at + 1 : at - 1, warp, warp_bytes);
    }
    __device__ ChainLink at_end(int at, int warp, int warp_bytes) const {
        return link(at, is_upward(at) ? at - 1 : at + 1, warp, warp_bytes);
    }

    static constexpr int kMinRows = 8;  // of a segment, which has at least `radius`

  private:
    __device__ ChainLink link(int at, int other, int warp, int warp_bytes) const {
        if (other < 0 || other >= segments) return {};
        return {1 + warp + min(other - at, 0), uint32_t((other - at) * warp_bytes), row(other + 1) - row(other)};
    }
};

}  // namespace tonescope
