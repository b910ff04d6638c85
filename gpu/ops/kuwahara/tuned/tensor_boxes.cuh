// Sums over boxes of (radius + 1)^2 pixels on the integer matrix units, exact in 32 bits and at the same cost for every
// radius up to 16 (32, 48, 64).
//
// The accumulators keep a box per column: the row that enters a box at the bottom is multiplied by a band matrix of
// ones, the one that leaves it at the top by the negative band. README.md draws the band and the fragments.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/tuned/strip_rows.cuh"

namespace tonescope::kuwahara::tuned {

/// sums += left (16 x 16, signed) x right (16 x 8, unsigned).
__device__ __forceinline__ void multiply_add(int (&sums)[4], const uint32_t (&left)[2], uint32_t right) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(left[0]), "r"(left[1]), "r"(right));
#else
    for (int half = 0; half < 2; ++half)
        asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
            : "+r"(sums[2 * half]), "+r"(sums[2 * half + 1])
            : "r"(left[half]), "r"(right));
#endif
}

/// The same with twice the depth: 16 x 32, 32 x 8.
__device__ __forceinline__ void multiply_add(int (&sums)[4], const uint32_t (&left0)[2], const uint32_t (&left1)[2],
                                             uint32_t right0, uint32_t right1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(left0[0]), "r"(left0[1]), "r"(left1[0]), "r"(left1[1]), "r"(right0), "r"(right1));
#else
    multiply_add(sums, left0, right0);
    multiply_add(sums, left1, right1);
#endif
}

/// The boxes of a strip's columns: a lane has four accumulators of each plane and span (LaneColumn::accumulator).
template <class Pixel>
struct BoxSums {
    int of[PlanesOf<Pixel>::kPlanes][kSpans][4];

    __device__ __forceinline__ uint32_t sum(int plane, int lane_column) const {
        return uint32_t(of[plane][LaneColumn::span(lane_column)][LaneColumn::accumulator(lane_column)]);
    }
    __device__ __forceinline__ void clear() {
        for (auto& plane : of)
            for (auto& span : plane)
                for (int& accumulator : span) accumulator = 0;
    }
    /// Adds `change` to all sums of colors.
    __device__ __forceinline__ void change_colors(int change) {
        for (int plane = kRed; plane < PlanesOf<Pixel>::kPlanes; ++plane)
            for (auto& span : of[plane])
                for (int& accumulator : span) accumulator += change;
    }
};

/// What a row does to the boxes, as a factor of the band's bytes, which are signed.
enum RowWeight : uint32_t { kRowStaysOut = 0, kRowEnters = 1, kRowLeaves = 255 };

/// The band matrix in a lane's registers. kReach: how many spans the boxes of a span touch, 1 + radius / 16 rounded up.
template <class Pixel, int kReach>
class BoxBand {
  public:
    __device__ BoxBand(int radius, int lane) {
        const int group = group_of(lane), thread = thread_of(lane);
        next_lane_ = 4 * group_that_loads((loaded_chunk(group) + 1) % kChunks) + thread;
        next_lane_ = __shfl_sync(kFullWarp, next_lane_, lane);  // prevents rematerialization
        for (int span = 0; span < kReach; ++span)
            for (int odd = 0; odd < 2; ++odd) {
                uint32_t ones = 0;
                for (int i = 0; i < 4; ++i) {
                    const int distance = kSpanColumns * span + 4 * thread + i - (2 * group + odd);
                    ones |= uint32_t(distance >= 0 && distance <= radius) << (8 * i);
                }
                prevent_rematerialization(ones);
                ones_[span][odd] = ones;
            }
    }

    /// Adds a row to the boxes or takes it away. What a strip's last 16 (kReach - 1) columns get is of no use: their
    /// boxes reach into the next strip.
    __device__ __forceinline__ void add(BoxSums<Pixel>& sums, const RowPlanes<Pixel>& row, uint32_t weight) const {
        constexpr int kTouchedSpans = kSpans + kReach - 1;  // a chunk's own, and those of the next one
        uint32_t band[kReach][2];
#pragma unroll
        for (int span = 0; span < kReach; ++span)
            for (int odd = 0; odd < 2; ++odd) band[span][odd] = ones_[span][odd] * weight;
#pragma unroll
        for (int plane = 0; plane < PlanesOf<Pixel>::kPlanes; ++plane) {
            uint32_t bytes[kTouchedSpans];
#pragma unroll
            for (int span = 0; span < kTouchedSpans; ++span)
                bytes[span] =
                    span < kSpans ? row.of[span][plane] : __shfl_sync(kFullWarp, bytes[span - kSpans], next_lane_);
#pragma unroll
            for (int span = 0; span < kSpans; ++span) {
                int(&to)[4] = sums.of[plane][span];
#pragma unroll
                for (int k = 0; k + 1 < kReach; k += 2)
                    multiply_add(to, band[k], band[k + 1], bytes[span + k], bytes[span + k + 1]);
                if constexpr (kReach % 2 != 0) multiply_add(to, band[kReach - 1], bytes[span + kReach - 1]);
            }
        }
    }

  private:
    int next_lane_;  // holds the same columns of the next chunk
    uint32_t ones_[kReach][2];
};

/// Brings the alpha of a row from the lanes that loaded it to those that have the sums: the row times the unit matrix.
class AlphaCarrier {
  public:
    __device__ explicit AlphaCarrier(int lane) {
        const int group = group_of(lane), thread = thread_of(lane);
        for (int odd = 0; odd < 2; ++odd) {
            unit_[odd] = thread == group / 2 ? 1u << (16 * (group % 2) + 8 * odd) : 0;
            prevent_rematerialization(unit_[odd]);
        }
    }
    /// alpha[span]: laid out as BoxSums has a span. Gray pixels have none.
    __device__ __forceinline__ void carry(const RowPlanes<uchar4>& row, int (&alpha)[kSpans][4]) const {
#pragma unroll
        for (int span = 0; span < kSpans; ++span) multiply_add(alpha[span], unit_, row.alpha[span]);
    }
    __device__ __forceinline__ void carry(const RowPlanes<uint8_t>&, int (&)[kSpans][4]) const {}

  private:
    uint32_t unit_[2];
};

}  // namespace tonescope::kuwahara::tuned
