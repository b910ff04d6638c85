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

template <class Pixel>
__device__ __forceinline__ Pixel pixel_of(uint32_t bytes) {
    if constexpr (sizeof(Pixel) == 4) {
        return make_uchar4(uint8_t(bytes), uint8_t(bytes >> 8), uint8_t(bytes >> 16), uint8_t(bytes >> 24));
    } else {
        return uint8_t(bytes);
    }
}

/// Where strips lie: strip s covers columns first(s) to first(s) + kStripColumns - 1, and writes those from
/// margin_px on, `written_px` of them.
struct StripShape {
    int margin_px, written_px;
    __host__ __device__ StripShape(int radius, int reach)
        : margin_px((radius + 7) / 8 * 8),  // loads of four pixels and stores of whole sectors stay aligned
          written_px(kStripColumns - kTileColumns * (reach - 1) - margin_px) {}
    __host__ __device__ int first(int strip) const { return strip * written_px - margin_px; }
};

/// Boxes of one row, shared by the lanes of a warp: even columns, then odd ones, a chunk padded so that neither the
/// lanes' own columns nor those `radius` to the left collide in a bank.
struct BoxRow {
    static constexpr int kChunkPitch = kChunkColumns / 2 + 4, kParityPitch = kChunks * kChunkPitch;
    static constexpr int kBoxes = 2 * kParityPitch;
    __device__ static int index(int column) {
        return column % 2 * kParityPitch + column / kChunkColumns * kChunkPitch + column % kChunkColumns / 2;
    }
};

/// Shared memory of a warp, boxes. `kept_rows`: rows of the upper half's best, 0 where they are computed twice.
__host__ __device__ constexpr int strip_boxes(int kept_rows) {
    return BoxRow::kBoxes + kept_rows * kSlots * 32;
}

}  // namespace tonescope
