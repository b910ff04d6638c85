// A quadrant is a box of (radius + 1)^2 pixels that four pixels have in common: one as its top left quadrant, one as
// its top right quadrant, and so on. Stage "boxes" evaluates each box once, variance and mean; stage "choose" takes the
// best of four for each pixel. The image cuts boxes off at its border: they begin up to `radius` pixels before it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/reciprocal.cuh"
#include "gpu/ops/kuwahara/color_frame.cuh"

namespace tonescope::kuwahara {

/// An evaluated box. Scaled: uint32_t, which holds n Q - S^2 up to radius 16, or uint64_t.
template <class Scaled>
struct Box {
    Scaled scaled_variance;  // n^2 times the variance
    uint32_t mean;           // red, green, blue
};

/// Where the boxes lie: that of the pixels (x, y) to (x + radius, y + radius) at d_boxes[at(x, y)].
template <class Scaled>
struct Boxes {
    ColorTask task;
    Box<Scaled>* d_boxes;
    int columns, rows;                // from -radius to the image's last ones
    Reciprocal<uint32_t> by_2_whole;  // 2 n of a box that nothing cuts off

    __device__ size_t at(int x, int y) const {
        return size_t(y + task.radius) * size_t(columns) + size_t(x + task.radius);
    }
    /// Pixels along an axis of `side` that a box from `begin` on has inside the image.
    __device__ int inside(int begin, int side) const { return min(begin + task.radius, side - 1) - max(begin, 0) + 1; }

    /// kWhole, here and below: it is known that the image cuts off none of the boxes.
    template <bool kWhole = false>
    __device__ uint32_t pixels(int x, int y) const {
        if constexpr (kWhole) return by_2_whole.divisor() / 2;
        return uint32_t(inside(x, task.width)) * uint32_t(inside(y, task.height));
    }

    template <bool kWhole = false>
    __device__ Box<Scaled> evaluated(int x, int y, const PixelSums& sums) const {
        const QuadrantSums box{pixels<kWhole>(x, y), sums};
        const uint32_t n2 = 2 * box.n;
        const bool whole = kWhole || n2 == by_2_whole.divisor();
        const auto mean = [&](uint32_t sum) {
            return whole ? by_2_whole.divide(2 * sum + box.n) : (2 * sum + box.n) / n2;
        };
        return {Scaled(box.scaled_variance()), mean(sums.red) | mean(sums.green) << 8 | mean(sums.blue) << 16};
    }
};

/// Whether a box of n pixels has a lower variance than another one of m. Without multiplications where nothing is cut
/// off.
template <class Scaled>
__device__ bool is_lower(const Box<Scaled>& box, uint32_t n, const Box<Scaled>& other, uint32_t m) {
    if (n == m) return box.scaled_variance < other.scaled_variance;
    return box.scaled_variance * (uint64_t(m) * m) < other.scaled_variance * (uint64_t(n) * n);
}

__device__ inline uchar4 color_of(uint32_t mean, uint8_t alpha) {
    return make_uchar4(uint8_t(mean), uint8_t(mean >> 8), uint8_t(mean >> 16), alpha);
}

/// One thread a pixel.
template <class Scaled>
__global__ void kuwahara_choose_kernel(const __grid_constant__ Boxes<Scaled> boxes) {
    const ColorTask& t = boxes.task;
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= t.width || y >= t.height) return;
    Box<Scaled> best = boxes.d_boxes[boxes.at(x - t.radius, y - t.radius)];
    uint32_t best_n = boxes.pixels(x - t.radius, y - t.radius);
#pragma unroll
    for (int quadrant = 1; quadrant < 4; ++quadrant) {  // top right, bottom left, bottom right
        const int box_x = quadrant % 2 == 0 ? x - t.radius : x, box_y = quadrant < 2 ? y - t.radius : y;
        const Box<Scaled> next = boxes.d_boxes[boxes.at(box_x, box_y)];
        const uint32_t n = boxes.pixels(box_x, box_y);
        if (is_lower(next, n, best, best_n)) {
            best = next;
            best_n = n;
        }
    }
    const uint8_t alpha = t.d_in[size_t(y) * t.in_pitch + size_t(x)].w;
    t.d_out[size_t(y) * t.out_pitch + size_t(x)] = color_of(best.mean, alpha);
}

/// 2 n of a box that nothing cuts off, for Boxes.
inline Reciprocal<uint32_t> by_2_whole(const ColorTask& t) {
    return Reciprocal<uint32_t>(2 * uint32_t(t.radius + 1) * uint32_t(t.radius + 1));
}

/// Calls evaluate(boxes) in the stage "boxes", then chooses.
template <class Evaluate>
void filter_boxes(CudaJob& job, const ColorTask& t, Evaluate&& evaluate) {
    const auto run = [&]<class Scaled>(Scaled) {
        const int columns = t.width + t.radius, rows = t.height + t.radius;
        const size_t count = size_t(columns) * size_t(rows);
        auto* d_boxes = job.scratch.get<Box<Scaled>>("kuwahara boxes", count);
        const Boxes<Scaled> boxes{t, d_boxes, columns, rows, by_2_whole(t)};
        {
            const auto stage = job.stage("boxes");
            evaluate(boxes);
        }
        const auto stage = job.stage("choose");
        const PixelGrid grid(t.width, t.height);
        kuwahara_choose_kernel<<<grid.grid, grid.block, 0, job.stream>>>(boxes);
        TONESCOPE_LAUNCHED("kuwahara_choose_kernel");
    };
    if (t.radius <= 16) {
        run(uint32_t{});
    } else {
        run(uint64_t{});
    }
}

}  // namespace tonescope::kuwahara
