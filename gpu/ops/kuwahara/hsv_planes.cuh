// The forms that report E's variants bring pixels into before they filter. RGB to HSV is a kernel of its own: an array
// of structures, packed RGBA, becomes a structure of arrays, three planes of one byte a pixel. Colors become an array
// of floats, [y][x][3].
#pragma once

#include "gpu/ops/kuwahara/color_frame.cuh"

#ifdef __CUDACC__
#include <cstdint>

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

/// One thread a pixel. A warp reads 128 bytes in one go and writes 32 to each plane; planes have no gaps between rows.
template <class Pixel>
__global__ void kuwahara_hsv_kernel(const Pixel* d_in, size_t in_pitch, int width, int height, uint8_t* d_hues,
                                    uint8_t* d_saturations, uint8_t* d_values) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const HsvPixel hsv = to_hsv(d_in[size_t(y) * in_pitch + size_t(x)]);
    const size_t at = size_t(y) * size_t(width) + size_t(x);
    d_hues[at] = hsv.hue;
    d_saturations[at] = hsv.saturation;
    d_values[at] = hsv.value;
}

/// One thread a pixel.
template <class Pixel>
__global__ void kuwahara_floats_kernel(const Pixel* d_in, size_t in_pitch, int width, int height, float* d_colors) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const Pixel pixel = d_in[size_t(y) * in_pitch + size_t(x)];
    float* d_color = d_colors + (size_t(y) * size_t(width) + size_t(x)) * 3;
    d_color[0] = pixel.x;
    d_color[1] = pixel.y;
    d_color[2] = pixel.z;
}

/// Stage "hsv": the plane V, width bytes a row.
inline const uint8_t* make_values(CudaJob& job, const ColorTask& task) {
    const size_t plane_bytes = task.pixels();
    auto* d_planes = job.scratch.get<uint8_t>("kuwahara planes", 3 * plane_bytes);
    const auto stage = job.stage("hsv");
    const PixelGrid grid(task.width, task.height);
    kuwahara_hsv_kernel<<<grid.grid, grid.block, 0, job.stream>>>(task.d_in, task.in_pitch, task.width, task.height,
                                                                  d_planes, d_planes + plane_bytes,
                                                                  d_planes + 2 * plane_bytes);
    TONESCOPE_LAUNCHED("kuwahara_hsv_kernel");
    return d_planes + 2 * plane_bytes;
}

/// Stage "floats": [y][x][3].
inline const float* make_floats(CudaJob& job, const ColorTask& task) {
    auto* d_colors = job.scratch.get<float>("kuwahara floats", 3 * task.pixels());
    const auto stage = job.stage("floats");
    const PixelGrid grid(task.width, task.height);
    kuwahara_floats_kernel<<<grid.grid, grid.block, 0, job.stream>>>(task.d_in, task.in_pitch, task.width, task.height,
                                                                     d_colors);
    TONESCOPE_LAUNCHED("kuwahara_floats_kernel");
    return d_colors;
}

}  // namespace tonescope::kuwahara
#endif
