// The image as the kernel sees it, and how a strip's columns are shared out among the lanes of a warp.
//
// A warp covers a strip of 256 columns: 8 chunks of 32 neighboring columns, each made of 2 spans of 16. PTX numbers
// the lanes of a matrix instruction as lane = 4 groupID + threadID_in_group, with groupID in 0 to 7 and
// threadID_in_group in 0 to 3. Here they are `group` and `thread`. The lanes of a group load a chunk,
// loaded_chunk(group): of each of its spans, pixels 4 thread to 4 thread + 3. README.md draws it.
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/pixels.cuh"

namespace tonescope::kuwahara::tuned {

inline constexpr int kChunks = 8;
inline constexpr int kSpans = 2;         // of a chunk
inline constexpr int kSpanColumns = 16;  // as deep as half a matrix instruction
inline constexpr int kChunkColumns = kSpans * kSpanColumns, kStripColumns = kChunks * kChunkColumns;
inline constexpr int kLaneColumns = kStripColumns / 32;

__device__ constexpr int group_of(int lane) {
    return lane / 4;
}
__device__ constexpr int thread_of(int lane) {
    return lane % 4;
}
/// Column n of the right-hand matrix is loaded by group n. So the sums of columns 2 thread and 2 thread + 1, which a
/// lane gets, are those of chunks `thread` and `thread` + 4.
__device__ constexpr int loaded_chunk(int group) {
    return group / 2 + 4 * (group % 2);
}
__device__ constexpr int group_that_loads(int chunk) {
    return 2 * (chunk % 4) + chunk / 4;
}

/// The columns whose sums a lane gets, numbered 4 span + 2 upper + odd: an even and an odd one of each span, in chunk
/// `thread` or, the upper ones, in chunk `thread` + 4.
struct LaneColumn {
    __device__ static constexpr int span(int i) { return i / 4; }
    __device__ static constexpr bool is_upper(int i) { return i / 2 % 2 != 0; }
    __device__ static constexpr bool is_odd(int i) { return i % 2 != 0; }
    /// Which of the span's four accumulators has its sum: c0 and c1 are row `group` of the product, c2 and c3 row
    /// `group` + 8.
    __device__ static constexpr int accumulator(int i) { return 2 * is_odd(i) + is_upper(i); }
    /// Columns from the lane's column 0.
    __device__ static constexpr int offset(int i) {
        return span(i) * kSpanColumns + is_upper(i) * 4 * kChunkColumns + is_odd(i);
    }
    /// The lane's column 0, from the strip's first.
    __device__ static int first(int lane) { return kChunkColumns * thread_of(lane) + 2 * group_of(lane); }
};

struct FilterImage {
    const uint8_t* d_input;
    size_t input_pitch_bytes;
    uint8_t* d_output;  // or
    size_t output_pitch_bytes;
    cudaSurfaceObject_t surface;  // where not 0
    int width, height, radius;
};

/// Where strips lie: strip s covers columns first(s) to first(s) + kStripColumns - 1, and writes `written_px` of them
/// from margin_px on. Strip 0 writes from column `begin` on.
struct StripShape {
    int begin, margin_px, written_px;
    __host__ __device__ StripShape(int begin_, int radius, int reach)
        : begin(begin_ / 8 * 8),
          margin_px((radius + 7) / 8 * 8),  // loads of four pixels and stores of whole sectors stay aligned
          written_px(kStripColumns - kSpanColumns * (reach - 1) - margin_px) {}
    __host__ __device__ int first(int strip) const { return begin + strip * written_px - margin_px; }
};

/// Has the compiler keep `x` in a register, where it would work it out again at every use.
template <class T>
__device__ __forceinline__ void prevent_rematerialization(T& x) {
    if constexpr (sizeof(T) == 8) {
        asm volatile("" : "+l"(x));
    } else {
        asm volatile("" : "+r"(x));
    }
}

template <class Pixel>
__device__ __forceinline__ void store_pixel(const FilterImage& image, int x, int y, Pixel pixel) {
    if (image.surface != 0) {
        SurfaceSink<Pixel>{image.surface}.store(x, y, pixel);
    } else {
        PitchedSink<Pixel>{image.d_output, image.output_pitch_bytes}.store(x, y, pixel);
    }
}

}  // namespace tonescope::kuwahara::tuned
