// RGB to HSV as a kernel of its own (report E): an array of structures, packed RGBA, becomes a structure of arrays,
// three planes of one byte a pixel. All variants of report E begin with it.
#pragma once

#include <cstddef>
#include <iterator>

#include "gpu/ops/kuwahara/gather.cuh"

namespace tonescope::kuwahara {

/// The variant parameter `block` of report E's versions: how many pixels a block of threads has, one a thread.
struct BlockParams {
    int32_t block;  // index of kBlocks
};

struct BlockSize {
    unsigned width, height;  // threads
};
inline constexpr BlockSize kBlocks[] = {{8, 8}, {16, 16}, {32, 8}};
inline constexpr std::string_view kBlockValues[] = {"8x8", "16x16", "32x8"};

inline constexpr ParamInfo kBlockTable[] = {
    {.id = "block",
     .label = "Block",
     .unit = "threads",
     .help = "Width \u00d7 height of a block of threads, one a pixel. A warp, 32 threads, has 4, 2 or 1 rows of it.",
     .kind = ParamKind::choice,
     .offset = offsetof(BlockParams, block),
     .max = std::size(kBlockValues) - 1,
     .default_value = 1,
     .values = kBlockValues},
};

}  // namespace tonescope::kuwahara

#ifdef __CUDACC__
#include <cstdint>

#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/memory.h"

namespace tonescope::kuwahara {

struct HsvPixel {
    uint8_t hue, saturation, value;  // hue: degrees / 2, 0 to 179; saturation and value: 0 to 255
};

__device__ inline HsvPixel to_hsv(uchar4 pixel) {
    const int r = pixel.x, g = pixel.y, b = pixel.z;
    const int most = max(max(r, g), b), chroma = most - min(min(r, g), b);
    int hue = 0;
    if (chroma > 0) {
        if (most == r) {
            hue = 60 * (g - b) / chroma;
        } else if (most == g) {
            hue = 120 + 60 * (b - r) / chroma;
        } else {
            hue = 240 + 60 * (r - g) / chroma;
        }
        if (hue < 0) hue += 360;
    }
    return {uint8_t(hue / 2), uint8_t(most > 0 ? 255 * chroma / most : 0), uint8_t(most)};
}

/// One thread a pixel. A warp reads 128 bytes in one go and writes 32 to each plane.
template <class Sink>
__global__ void kuwahara_hsv_kernel(PitchedSource<uchar4> source, Sink hue, Sink saturation, Sink value, int width,
                                    int height) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const HsvPixel hsv = to_hsv(source.load(x, y));
    hue.store(x, y, hsv.hue);
    saturation.store(x, y, hsv.saturation);
    value.store(x, y, hsv.value);
}

/// Stage "hsv": the plane V. A gray image is its own V, and has no such stage.
inline PitchedSource<uint8_t> make_values(CudaJob& job) {
    if (job.input_spec.format == PixelFormat::gray8) return source_of<uint8_t>(job);
    const int width = job.input_spec.width, height = job.input_spec.height;
    const size_t pitch_bytes = aligned_pitch_bytes({width, height, PixelFormat::gray8, false});
    const size_t plane_bytes = pitch_bytes * size_t(height);
    auto* d_planes = job.scratch.get<uint8_t>("kuwahara planes", 3 * plane_bytes);
    const auto plane = [&](size_t index) { return PitchedSink<uint8_t>{d_planes + index * plane_bytes, pitch_bytes}; };
    const auto stage = job.stage("hsv", job.input_bytes() + 3 * uint64_t(job.input_spec.pixels()));
    const PixelGrid grid(width, height);
    kuwahara_hsv_kernel<<<grid.grid, grid.block, 0, job.stream>>>(source_of<uchar4>(job), plane(0), plane(1), plane(2),
                                                                  width, height);
    TONESCOPE_LAUNCHED("kuwahara_hsv_kernel");
    return {plane(2).d_data, pitch_bytes};
}

/// Pixels whose V stands in a plane.
template <class Pixel>
struct PixelsAndValues {
    PitchedSource<Pixel> pixels;
    PitchedSource<uint8_t> values;
    __device__ void add(int x, int y, PixelSums& sums) const { sums.add(values.load(x, y), pixels.load(x, y)); }
};

/// Stages "hsv" and "filter": calls launch(grid, task) for bands of rows.
template <class Launch>
void filter_planes(CudaJob& job, Launch&& launch) {
    const PitchedSource<uint8_t> values = make_values(job);
    const auto stage = job.stage("filter", job.input_bytes() + job.output_bytes());
    const BlockSize& size = kBlocks[job.variant_params.as<BlockParams>().block];
    const auto make_source = [&]<class Pixel>(PitchedSource<Pixel> pixels) {
        return PixelsAndValues<Pixel>{pixels, values};
    };
    gather_in_bands(job, dim3(size.width, size.height), make_source, launch);
}

}  // namespace tonescope::kuwahara
#endif
