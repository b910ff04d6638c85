// What the variants of report E share, and the steps after them (steps/): packed pixels in plain memory, whatever the
// image and the output are, launches that stay short at any radius, and the parameter `block`. The report has no gray
// images: gray pixels become colors in a stage of their own, "to color", and "from color" takes the result from there;
// the latter also writes surfaces.
#pragma once

#include <utility>

#include "gpu/ops/block_param.h"
#include "gpu/ops/kuwahara/gather.cuh"
#include "gpu/ops/kuwahara/kuwahara.h"

namespace tonescope::kuwahara {

inline constexpr ParamInfo kBlockTable[] = {block_param(1, 2)};

/// `stages`: what they take for a pixel. Gray images become color ones before and gray again behind them.
inline Work color_work(const WorkCase& c, const Work& stages) {
    Work work;
    if (c.is_gray()) work.push_back({"to color", c.pixels() * Amounts{.bytes = 5, .operations = 37}});
    for (const StageWork& stage : stages) work.push_back({stage.stage, c.pixels() * stage.amounts});
    if (c.is_gray()) work.push_back({"from color", c.pixels() * Amounts{.bytes = 5, .operations = 33}});
    return work;
}
inline Amounts hsv_amounts(const WorkCase& c) {
    return {.bytes = 7, .operations = c.is_gray() ? 77.0 : 108.0};
}
inline constexpr Amounts kFloats{.bytes = 16, .operations = 41};
/// Bytes of an evaluated box (boxes.cuh).
inline double box_bytes(const WorkCase& c) {
    return c.params.as<Params>().radius <= 16 ? 8 : 16;
}
inline Amounts choose_amounts(const WorkCase& c) {
    return {.bytes = 8 + box_bytes(c), .operations = 104};
}
/// With running sums (running_columns.cuh), whose boxes take so many instructions.
inline Work running_sums_work(const WorkCase& c, QuadrantCost operations) {
    return color_work(c, {{"boxes",
                           {.bytes = 4 + box_bytes(c),
                            .shared_bytes = QuadrantCost{0, 12.7, 16.7}.at(c),
                            .operations = operations.at(c)}},
                          {"choose", choose_amounts(c)}});
}
inline Work inner_strips_work(const WorkCase& c) {
    return running_sums_work(c, {0, 7.6, 143});
}

}  // namespace tonescope::kuwahara

#ifdef __CUDACC__
#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/memory.h"

namespace tonescope::kuwahara {

/// What a variant filters.
struct ColorTask {
    const uchar4* d_in;
    size_t in_pitch;  // pixels from row to row
    uchar4* d_out;
    size_t out_pitch;
    int width, height, radius;  // pixels

    size_t pixels() const { return size_t(width) * size_t(height); }
    /// Whether all of these pixels lie inside the image.
    __device__ bool holds(int x, int y, int columns, int rows) const {
        return x >= 0 && y >= 0 && x + columns <= width && y + rows <= height;
    }
};

/// One thread a pixel.
template <class Gray>
__global__ void kuwahara_to_color_kernel(PitchedSource<Gray> image, uchar4* d_colors, size_t pitch, int width,
                                         int height) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const uint8_t value = image.load(x, y);
    d_colors[size_t(y) * pitch + size_t(x)] = make_uchar4(value, value, value, 255);
}

/// One thread a pixel.
template <class Sink>
__global__ void kuwahara_from_color_kernel(const uchar4* d_colors, size_t pitch, Sink sink, int width, int height) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const uchar4 pixel = d_colors[size_t(y) * pitch + size_t(x)];
    if constexpr (sizeof(typename Sink::Pixel) == 1) {
        sink.store(x, y, pixel.x);
    } else {
        sink.store(x, y, pixel);
    }
}

/// Calls filter(task) between the stages "to color" and "from color", where these are needed.
template <class Filter>
void run_on_colors(CudaJob& job, Filter&& filter) {
    const int width = job.input_spec.width, height = job.input_spec.height;
    const bool gray = job.input_spec.format == PixelFormat::gray8, moves = gray || job.output.surface != 0;
    const size_t pitch = aligned_pitch_bytes({width, height, PixelFormat::rgba8, false}) / sizeof(uchar4);
    ColorTask task{.d_in = reinterpret_cast<const uchar4*>(job.d_input),
                   .in_pitch = job.input_pitch_bytes / sizeof(uchar4),
                   .d_out = reinterpret_cast<uchar4*>(job.output.d_data),
                   .out_pitch = job.output.pitch_bytes / sizeof(uchar4),
                   .width = width,
                   .height = height,
                   .radius = job.params.as<Params>().radius};
    if (gray) {
        auto* d_colors = job.scratch.get<uchar4>("kuwahara colors in", pitch * size_t(height));
        const auto stage = job.stage("to color");
        const PixelGrid grid(width, height);
        kuwahara_to_color_kernel<<<grid.grid, grid.block, 0, job.stream>>>(source_of<uint8_t>(job), d_colors, pitch,
                                                                           width, height);
        TONESCOPE_LAUNCHED("kuwahara_to_color_kernel");
        task.d_in = d_colors;
        task.in_pitch = pitch;
    }
    if (moves) {
        task.d_out = job.scratch.get<uchar4>("kuwahara colors out", pitch * size_t(height));
        task.out_pitch = pitch;
    }
    filter(std::as_const(task));
    if (!moves) return;
    const auto stage = job.stage("from color");
    const PixelGrid grid(width, height);
    const auto launch = [&](auto sink) {
        kuwahara_from_color_kernel<<<grid.grid, grid.block, 0, job.stream>>>(task.d_out, pitch, sink, width, height);
        TONESCOPE_LAUNCHED("kuwahara_from_color_kernel");
    };
    if (gray) {
        with_sink<uint8_t>(job.output, launch);
    } else {
        with_sink<uchar4>(job.output, launch);
    }
}

/// How a piece of a block's surroundings lies in shared memory. Where the radius is large, they pass through shared
/// memory in pieces, whole rows from top to bottom.
struct PieceShape {
    int rows, stride;  // stride: pixels from row to row
};

/// A piece gets a quarter of what a multiprocessor has, so that four blocks are under way and some compute while others
/// load. Shared memory has 32 banks of 4 bytes, and a warp has 32 / block width rows of pixels: rows stand so far
/// apart, a multiple of 32 pixels and one block width, that the words of one kind that a warp reads at a time lie in 32
/// different banks.
inline PieceShape piece_shape(const DeviceProperties& device, dim3 block, int radius, int bytes_per_pixel) {
    constexpr size_t kReservedBytes = 1024;  // CUDA takes them of each block's shared memory
    const size_t max_bytes =
        std::min(device.sharedMemPerMultiprocessor / 4 - kReservedBytes, device.sharedMemPerBlockOptin);
    const int stride = int(block.x) + (2 * radius + 31) / 32 * 32, all_rows = int(block.y) + 2 * radius;
    const int max_rows = std::max(1, int(max_bytes) / (stride * bytes_per_pixel));
    const int pieces = (all_rows + max_rows - 1) / max_rows;
    return {(all_rows + pieces - 1) / pieces, stride};  // about equal
}

/// Stage "filter": calls launch(grid, block, first_row) for bands of rows that make up the image, with a thread for
/// each pixel and blocks as the parameter `block` says.
template <class Launch>
void filter_in_bands(CudaJob& job, const ColorTask& task, Launch&& launch) {
    const BlockSize size = block_size(job.variant_params);
    const dim3 block(size.width, size.height);
    const int band_rows = rows_of_band(task.width, task.height, task.radius, int(block.y));
    const auto stage = job.stage("filter");
    for (int row = 0; row < task.height; row += band_rows)
        launch(PixelGrid(task.width, std::min(band_rows, task.height - row), block).grid, block, row);
}

}  // namespace tonescope::kuwahara
#endif
