// What the variants of one thread a pixel share: sums over quadrants, the exact choice of the winner, and launches that
// stay short at any radius; and how `simple` gathers. Without nvcc this header is empty.
#pragma once

#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/ops/kuwahara/kuwahara.h"

namespace tonescope::kuwahara {

/// Sums over at most 65 x 65 pixels, which fit 32 bits; of deep images the squares' sum takes 45. Of gray pixels only
/// those of V.
template <class Squares>
struct PixelSumsOf {
    uint32_t value = 0;         // S
    Squares value_squared = 0;  // Q
    uint32_t red = 0, green = 0, blue = 0;

    __device__ void add(uint32_t v, uchar4 pixel) { add_color(v, pixel); }
    __device__ void add(uint32_t v, ushort4 pixel) { add_color(v, pixel); }
    __device__ void add(uint32_t v, uint8_t) { add_value(v); }
    __device__ void add(uint32_t v, uint16_t) { add_value(v); }
    __device__ void add(const PixelSumsOf& other) {
        value += other.value;
        value_squared += other.value_squared;
        red += other.red;
        green += other.green;
        blue += other.blue;
    }
    __device__ void subtract(const PixelSumsOf& other) {
        value -= other.value;
        value_squared -= other.value_squared;
        red -= other.red;
        green -= other.green;
        blue -= other.blue;
    }

  private:
    __device__ void add_value(uint32_t v) {
        value += v;
        value_squared += Squares{v} * v;
    }
    template <class Pixel>
    __device__ void add_color(uint32_t v, Pixel pixel) {
        add_value(v);
        red += pixel.x;
        green += pixel.y;
        blue += pixel.z;
    }
};
using PixelSums = PixelSumsOf<uint32_t>;

template <class Squares>
struct QuadrantSumsOf {
    uint32_t n = 0;  // pixels
    PixelSumsOf<Squares> sums;

    /// n Q - S^2, the variance times n^2. At most (M n)^2 / 4: with M = 255, times n^2, which has 25 bits, it stays
    /// below 2^63; of deep images it has 55 bits.
    __device__ uint64_t scaled_variance() const {
        return uint64_t(n) * sums.value_squared - uint64_t(sums.value) * sums.value;
    }
    __device__ bool has_lower_variance_than(const QuadrantSumsOf& other) const {
        const uint64_t own = scaled_variance(), others = other.scaled_variance();
        const uint64_t own_factor = other.n * other.n, others_factor = n * n;
        if constexpr (sizeof(Squares) == 8) {
            const uint64_t high = __umul64hi(own, own_factor), others_high = __umul64hi(others, others_factor);
            if (high != others_high) return high < others_high;
        }
        return own * own_factor < others * others_factor;
    }
    __device__ uint32_t mean(uint32_t sum) const { return (2 * sum + n) / (2 * n); }
    /// What the filter makes of `pixel`.
    __device__ uchar4 result(uchar4 pixel) const { return color_result(pixel); }
    __device__ ushort4 result(ushort4 pixel) const { return color_result(pixel); }
    __device__ uint8_t result(uint8_t) const { return uint8_t(mean(sums.value)); }
    __device__ uint16_t result(uint16_t) const { return uint16_t(mean(sums.value)); }

  private:
    template <class Pixel>
    __device__ Pixel color_result(Pixel pixel) const {
        using Sample = decltype(pixel.x);
        return {Sample(mean(sums.red)), Sample(mean(sums.green)), Sample(mean(sums.blue)), pixel.w};
    }
};
using QuadrantSums = QuadrantSumsOf<uint32_t>;

/// Replaces `best` by a quadrant whose variance is lower: on a tie the one before it in their order stays.
template <class Squares>
__device__ void keep_winner(QuadrantSumsOf<Squares>& best, const QuadrantSumsOf<Squares>& next) {
    if (next.has_lower_variance_than(best)) best = next;
}

/// What the quadrants of pixel (x, y) cover together, cut off by the image.
struct Neighborhood {
    int x, y, left, right, top, bottom;  // pixels, all inclusive

    __device__ Neighborhood(int x_, int y_, int radius, int width, int height)
        : x(x_),
          y(y_),
          left(max(x - radius, 0)),
          right(min(x + radius, width - 1)),
          top(max(y - radius, 0)),
          bottom(min(y + radius, height - 1)) {}
};

/// Calls add(x, y, sums) for each pixel of a rectangle.
template <class Squares, class Add>
__device__ QuadrantSumsOf<Squares> gather(int x0, int x1, int y0, int y1, Add&& add) {
    QuadrantSumsOf<Squares> quadrant{uint32_t(x1 - x0 + 1) * uint32_t(y1 - y0 + 1), {}};
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) add(x, y, quadrant.sums);
    return quadrant;
}

/// Sums up one quadrant after the other.
template <class Squares, class Add>
__device__ QuadrantSumsOf<Squares> gather_winner(const Neighborhood& of, Add&& add) {
    QuadrantSumsOf<Squares> best = gather<Squares>(of.left, of.x, of.top, of.y, add);
    keep_winner(best, gather<Squares>(of.x, of.right, of.top, of.y, add));
    keep_winner(best, gather<Squares>(of.left, of.x, of.y, of.bottom, add));
    keep_winner(best, gather<Squares>(of.x, of.right, of.y, of.bottom, add));
    return best;
}

/// What a kernel of one thread a pixel gets: it writes rows first_row to end_row - 1. The source has a function
/// add(x, y, sums), and `pixels`.
template <class Source, class Sink>
struct GatherTask {
    Source source;
    Sink sink;
    int width, height, radius, first_row, end_row;

    /// Writes what winner(neighborhood, add) makes of the thread's pixel.
    template <class Winner>
    __device__ void filter(Winner&& winner) const {
        const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
        const int y = first_row + int(blockIdx.y * blockDim.y + threadIdx.y);
        if (x >= width || y >= end_row) return;
        const auto add = [this](int near_x, int near_y, auto& sums) { source.add(near_x, near_y, sums); };
        sink.store(x, y, winner(Neighborhood(x, y, radius, width, height), add).result(source.pixels.load(x, y)));
    }
};

/// Pixels that one launch gathers at most: well under a second on any GPU, so that no watchdog ends it.
inline constexpr int64_t kMaxGathersPerLaunch = int64_t{1} << 34;

/// Rows that a launch with a thread for each pixel takes at most: a multiple of its blocks' rows.
inline int rows_of_band(int width, int height, int radius, int block_rows) {
    const int64_t gathers = 4 * int64_t{radius + 1} * int64_t{radius + 1};  // for a pixel
    const int64_t rows = kMaxGathersPerLaunch / (int64_t{width} * gathers);
    return int(std::clamp<int64_t>(rows, block_rows, height + block_rows)) / block_rows * block_rows;
}

/// Calls launch(grid, task), with a PixelGrid, for bands of rows that make up the image. `source`: the tasks' source.
template <class Pixel, class Source, class Launch>
void gather_in_bands(const CudaJob& job, dim3 block, const Source& source, Launch&& launch) {
    const int width = job.input_spec.width, height = job.input_spec.height;
    const int radius = job.params.as<Params>().radius, band_rows = rows_of_band(width, height, radius, int(block.y));
    with_sink<Pixel>(job.output, [&]<class Sink>(Sink sink) {
        for (int row = 0; row < height; row += band_rows) {
            const GatherTask<Source, Sink> task{
                source, sink, width, height, radius, row, std::min(row + band_rows, height)};
            launch(PixelGrid(width, task.end_row - row, block), task);
        }
    });
}

}  // namespace tonescope::kuwahara
#endif
