// The four quadrants of a pixel: their sums, the exact choice of the calmest, two orders of summing, and launches that
// stay short at any radius.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/ops/kuwahara/kuwahara.h"
#include "gpu/ops/kuwahara/kuwahara_block.h"

namespace tonescope {

__device__ inline uint8_t value_of(uchar4 pixel) {
    return max(max(pixel.x, pixel.y), pixel.z);
}
__device__ inline uint8_t value_of(uint8_t pixel) {
    return pixel;
}

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
    __device__ void take(const PixelSums& other) {
        value -= other.value;
        value_squared -= other.value_squared;
        red -= other.red;
        green -= other.green;
        blue -= other.blue;
    }
};

struct Quadrant {
    uint32_t n = 0;  // pixels
    PixelSums sums;

    /// n Q - S^2, the variance times n^2. At most (255 n)^2 / 4: times n^2 again it stays below 2^63.
    __device__ uint64_t spread() const { return uint64_t(n) * sums.value_squared - uint64_t(sums.value) * sums.value; }
    __device__ bool calmer_than(const Quadrant& other) const {
        return spread() * (uint64_t(other.n) * other.n) < other.spread() * (uint64_t(n) * n);
    }
    __device__ uint8_t mean(uint32_t sum) const { return uint8_t((2 * sum + n) / (2 * n)); }
    /// What the filter makes of `pixel`.
    __device__ uchar4 result(uchar4 pixel) const {
        return make_uchar4(mean(sums.red), mean(sums.green), mean(sums.blue), pixel.w);
    }
    __device__ uint8_t result(uint8_t) const { return mean(sums.value); }
};

/// What the quadrants of pixel (x, y) cover together, cut off by the image.
struct Window {
    int x, y, left, right, top, bottom;  // pixels, all inclusive

    __device__ Window(int x_, int y_, int radius, int width, int height)
        : x(x_),
          y(y_),
          left(max(x - radius, 0)),
          right(min(x + radius, width - 1)),
          top(max(y - radius, 0)),
          bottom(min(y + radius, height - 1)) {}
};

/// add(x, y, sums) for each pixel of a rectangle.
template <class Add>
__device__ Quadrant gather(int x0, int x1, int y0, int y1, Add&& add) {
    Quadrant quadrant{uint32_t(x1 - x0 + 1) * uint32_t(y1 - y0 + 1), {}};
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) add(x, y, quadrant.sums);
    return quadrant;
}

/// Sums up one quadrant after the other.
template <class Add>
__device__ Quadrant calmest_quadrant(const Window& w, Add&& add) {
    Quadrant best = gather(w.left, w.x, w.top, w.y, add);
    // Strictly calmer only: on a tie the first quadrant wins.
    const Quadrant top_right = gather(w.x, w.right, w.top, w.y, add);
    if (top_right.calmer_than(best)) best = top_right;
    const Quadrant bottom_left = gather(w.left, w.x, w.y, w.bottom, add);
    if (bottom_left.calmer_than(best)) best = bottom_left;
    const Quadrant bottom_right = gather(w.x, w.right, w.y, w.bottom, add);
    if (bottom_right.calmer_than(best)) best = bottom_right;
    return best;
}

/// Sums up all four at once, row after row in any order, so that each pixel of the window is read once.
class FourQuadrants {
  public:
    __device__ explicit FourQuadrants(const Window& w) {
        const auto left = uint32_t(w.x - w.left + 1), right = uint32_t(w.right - w.x + 1);
        const auto top = uint32_t(w.y - w.top + 1), bottom = uint32_t(w.bottom - w.y + 1);
        top_left_.n = left * top;
        top_right_.n = right * top;
        bottom_left_.n = left * bottom;
        bottom_right_.n = right * bottom;
    }

    /// Row `row` of the window: add(x, row, sums) for each of its pixels. The pixel's own column and row belong to
    /// either side.
    template <class Add>
    __device__ void add_row(const Window& w, int row, Add&& add) {
        PixelSums left, own, right;
        for (int x = w.left; x < w.x; ++x) add(x, row, left);
        add(w.x, row, own);
        for (int x = w.x + 1; x <= w.right; ++x) add(x, row, right);
        left.add(own);
        right.add(own);
        if (row <= w.y) {
            top_left_.sums.add(left);
            top_right_.sums.add(right);
        }
        if (row >= w.y) {
            bottom_left_.sums.add(left);
            bottom_right_.sums.add(right);
        }
    }

    __device__ Quadrant calmest() const {
        Quadrant best = top_left_;
        if (top_right_.calmer_than(best)) best = top_right_;
        if (bottom_left_.calmer_than(best)) best = bottom_left_;
        if (bottom_right_.calmer_than(best)) best = bottom_right_;
        return best;
    }

  private:
    Quadrant top_left_, top_right_, bottom_left_, bottom_right_;
};

/// Pixels that one launch gathers at most: well under a second on any GPU, so that no watchdog ends it.
inline constexpr int64_t kGathersPerLaunch = int64_t{1} << 34;

/// Calls launch(grid, first_row, end_row) for bands of rows that make up the image; one thread a pixel.
template <class Launch>
void for_each_band(const CudaJob& job, dim3 block, Launch&& launch) {
    const int width = job.input_spec.width, height = job.input_spec.height, block_rows = int(block.y);
    const int64_t side = job.params.as<KuwaharaParams>().radius + 1;
    const int64_t rows = kGathersPerLaunch / (int64_t{width} * 4 * side * side);
    const int band_rows = int(std::clamp<int64_t>(rows, block_rows, height + block_rows)) / block_rows * block_rows;
    for (int row = 0; row < height; row += band_rows) {
        const int end_row = std::min(row + band_rows, height);
        const dim3 grid((unsigned(width) + block.x - 1) / block.x, (unsigned(end_row - row) + block.y - 1) / block.y);
        launch(grid, row, end_row);
    }
}

/// The block that the variant parameter `block` names.
inline dim3 kuwahara_block(const CudaJob& job) {
    const KuwaharaBlock& block = kKuwaharaBlocks[job.variant_params.as<KuwaharaBlockParams>().block];
    return {block.width, block.height};
}

/// Calls run(Pixel{}) with the pixel that the image has.
template <class Run>
void with_pixel(const CudaJob& job, Run&& run) {
    if (job.input_spec.format == PixelFormat::gray8) {
        run(uint8_t{});
    } else {
        run(uchar4{});
    }
}

}  // namespace tonescope
