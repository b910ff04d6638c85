// The image as the tuned rung's kernel sees it, and where a strip's columns lie in it and in shared memory.
#pragma once

#include <cstdint>

#include "gpu/cuda/pixels.cuh"
#include "gpu/ops/kuwahara/tensor_boxes.cuh"

namespace tonescope {

struct FilterImage {
    const uint8_t* d_input;
    size_t input_pitch_bytes;
    uint8_t* d_output;  // or
    size_t output_pitch_bytes;
    cudaSurfaceObject_t surface;  // where not 0
    int width, height, radius;
};

template <class Pixel>
__device__ __forceinline__ void store_pixel(const FilterImage& image, int x, int y, Pixel pixel) {
    if (image.surface != 0) {
        SurfaceSink<Pixel>{image.surface}.store(x, y, pixel);
    } else {
        PitchedSink<Pixel>{image.d_output, image.output_pitch_bytes}.store(x, y, pixel);
    }
}

/// Two pixels side by side, where `written`. A predicate in place of a branch: the compiler would make a row of them.
__device__ __forceinline__ void store_pair_if(bool written, uint8_t* at, uint32_t even, uint32_t odd, uchar4) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %3, 0; @p st.global.v2.u32 [%0], {%1, %2};}" ::"l"(at), "r"(even),
                 "r"(odd), "r"(uint32_t(written))
                 : "memory");
}
__device__ __forceinline__ void store_pair_if(bool written, uint8_t* at, uint32_t even, uint32_t odd, uint8_t) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.u16 [%0], %1;}" ::"l"(at),
                 "h"(uint16_t((even & 0xff) | odd << 8)), "r"(uint32_t(written))
                 : "memory");
}

/// Has the 32 bytes around `at` brought into the L2 cache.
__device__ __forceinline__ void prefetch_to_l2(const void* at) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

template <class Pixel>
__device__ __forceinline__ Pixel pixel_of(uint32_t bytes) {
    if constexpr (sizeof(Pixel) == 4) {
        return make_uchar4(uint8_t(bytes), uint8_t(bytes >> 8), uint8_t(bytes >> 16), uint8_t(bytes >> 24));
    } else {
        return uint8_t(bytes);
    }
}

/// Where strips lie: strip s covers columns first(s) to first(s) + kStripColumns - 1, and writes those from
/// margin_px on, `written_px` of them. Strip 0 writes from column `begin` on.
struct StripShape {
    int begin, margin_px, written_px;
    __host__ __device__ StripShape(int begin_, int radius, int reach)
        : begin(begin_ / 8 * 8),
          margin_px((radius + 7) / 8 * 8),  // loads of four pixels and stores of whole sectors stay aligned
          written_px(kStripColumns - kTileColumns * (reach - 1) - margin_px) {}
    __host__ __device__ int first(int strip) const { return begin + strip * written_px - margin_px; }
};

/// Boxes of one row, shared by the lanes of a warp: even columns, then odd ones. Each chunk is rotated by 4 boxes more
/// than the one before it, so that neither the lanes' own columns nor those `radius` to the left collide in a bank.
struct BoxRow {
    static constexpr int kChunkPitch = kChunkColumns / 2, kParityPitch = kChunks * kChunkPitch;
    static constexpr int kBoxes = 2 * kParityPitch;
    /// column: from -kChunkColumns on. What stands before the first ones is of no use, but is read.
    __device__ static int index(int column) {
        static_assert(kChunkColumns == 32);
        const int chunk = column >> 5;
        return (column & 1) * kParityPitch + chunk * kChunkPitch +
               ((((column & 31) >> 1) + 4 * chunk) & (kChunkPitch - 1));
    }
};

/// What is kept of a row: the best boxes of the columns that may be written, in pairs of slots. Pair p = 2 tile + upper
/// four chunks. Where a whole tile is margin, 8 of the lanes keep nothing.
struct KeptRow {
    int margin_px, reach;
    /// Whether 24 lanes keep the pair: those that do not have the first chunk's lower or the last one's upper columns.
    __host__ __device__ bool is_short(int pair) const {
        const int tile = pair / 2;
        return pair % 2 == 0 ? margin_px >= kTileColumns * (tile + 1) : tile >= kTiles - (reach - 1);
    }
    /// With some margin.
    __host__ __device__ static constexpr bool may_be_short(int pair, int reach) {
        return pair % 2 == 0 ? pair == 0 || reach > 2 : pair / 2 >= kTiles - (reach - 1);
    }
    __host__ __device__ int lanes(int pair) const { return is_short(pair) ? 24 : 32; }
    /// Pairs of boxes.
    __host__ __device__ int pairs() const {
        int sum = 0;
        for (int pair = 0; pair < kSlots / 2; ++pair) sum += lanes(pair);
        return sum;
    }
};

/// Shared memory of a warp, boxes: `kept_rows` rows of the upper half's best, none where they are computed twice, and
/// behind them a BoxRow.
__host__ __device__ constexpr int kept_boxes(int kept_rows, int kept_pairs) {
    return kept_rows == 0 ? BoxRow::kChunkPitch : kept_rows * kept_pairs * 2;
}

}  // namespace tonescope
