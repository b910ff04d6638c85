// What the variants of one thread a pixel share: sums over quadrants, the exact choice of the winner, and launches that
// stay short at any radius; and how `simple` gathers. Without nvcc this header is empty.
#pragma once

#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/ops/kuwahara/kuwahara.h"

namespace tonescope::kuwahara {

/// Sums over at most 65 x 65 pixels, which fit 32 bits. Of gray pixels only those of V.
struct PixelSums {
    uint32_t value = 0, value_squared = 0;  // S, Q
    uint32_t red = 0, green = 0, blue = 0;

    __device__ void add(uint32_t v, uchar4 pixel) {
        add(v, uint8_t{});
        red += pixel.x;
        green += pixel.y;
        blue += pixel.z;
    }
    __device__ void add(uint32_t v, uint8_t) {
        value += v;
        value_squared += v * v;
    }
    __device__ void add(const PixelSums& other) {
        value += other.value;
        value_squared += other.value_squared;
        red += other.red;
        green += other.green;
        blue += other.blue;
    }
    __device__ void subtract(const PixelSums& other) {
        value -= other.value;
        value_squared -= other.value_squared;
        red -= other.red;
        green -= other.green;
        blue -= other.blue;
    }
};

struct QuadrantSums {
    uint32_t n = 0;  // pixels
    PixelSums sums;

    /// n Q - S^2, the variance times n^2. At most (255 n)^2 / 4: times n^2, which has 25 bits, it stays below 2^63.
    __device__ uint64_t scaled_variance() const {
        return uint64_t(n) * sums.value_squared - uint64_t(sums.value) * sums.value;
    }
    __device__ bool has_lower_variance_than(const QuadrantSums& other) const {
        return scaled_variance() * (other.n * other.n) < other.scaled_variance() * (n * n);
    }
    __device__ uint8_t mean(uint32_t sum) const { return uint8_t((2 * sum + n) / (2 * n)); }
    /// What the filter makes of `pixel`.
    __device__ uchar4 result(uchar4 pixel) const {
        return make_uchar4(mean(sums.red), mean(sums.green), mean(sums.blue), pixel.w);
    }
    __device__ uint8_t result(uint8_t) const { return mean(sums.value); }
};

/// Replaces `best` by a quadrant whose variance is lower: on a tie the one before it in their order stays.
__device__ inline void keep_winner(QuadrantSums& best, const QuadrantSums& next) {
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
template <class Add>
__device__ QuadrantSums gather(int x0, int x1, int y0, int y1, Add&& add) {
    QuadrantSums quadrant{uint32_t(x1 - x0 + 1) * uint32_t(y1 - y0 + 1), {}};
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) add(x, y, quadrant.sums);
    return quadrant;
}

/// Sums up one quadrant after the other.
template <class Add>
__device__ QuadrantSums gather_winner(const Neighborhood& of, Add&& add) {
    QuadrantSums best = gather(of.left, of.x, of.top, of.y, add);
    keep_winner(best, gather(of.x, of.right, of.top, of.y, add));
    keep_winner(best, gather(of.left, of.x, of.y, of.bottom, add));
    keep_winner(best, gather(of.x, of.right, of.y, of.bottom, add));
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
        const auto add = [this](int near_x, int near_y, PixelSums& sums) { source.add(near_x, near_y, sums); };
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

/// Calls launch(grid, task), with a PixelGrid, for bands of rows that make up the image, where make_source(pixels)
/// makes the tasks' source.
template <class MakeSource, class Launch>
void gather_in_bands(const CudaJob& job, dim3 block, MakeSource&& make_source, Launch&& launch) {
    const int width = job.input_spec.width, height = job.input_spec.height;
    const int radius = job.params.as<Params>().radius, band_rows = rows_of_band(width, height, radius, int(block.y));
    with_source(job, [&]<class Pixel>(PitchedSource<Pixel> pixels) {
        with_sink<Pixel>(job.output, [&]<class Sink>(Sink sink) {
            for (int row = 0; row < height; row += band_rows) {
                const GatherTask<decltype(make_source(pixels)), Sink> task{
                    make_source(pixels), sink, width, height, radius, row, std::min(row + band_rows, height)};
                launch(PixelGrid(width, task.end_row - row, block), task);
            }
        });
    });
}

}  // namespace tonescope::kuwahara
#endif
