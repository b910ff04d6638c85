// The blend of report A's versions 0 to 5. Without nvcc this header holds nothing.
#pragma once

#include "gpu/ops/clahe/clahe_planes.cuh"

namespace tonescope::clahe {

inline constexpr StageAmounts kReportBlend{{.operations = 192}, {}};

}  // namespace tonescope::clahe

#ifdef __CUDACC__
namespace tonescope::clahe {
namespace {  // a kernel of its own in each file that includes this one

/// One thread a pixel blends the tables of the four nearest tiles.
__global__ void clahe_blend_report_kernel(const uint8_t* d_in, size_t in_pitch, uint8_t* d_out, size_t out_pitch,
                                          int width, int height, int tile_width, int tile_height,
                                          const uint8_t* d_tables) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const int columns = (width + tile_width - 1) / tile_width;
    const int rows = (height + tile_height - 1) / tile_height;

    // The pixel lies between the centers of the tiles x1 and x2, wx / (2 T) of the way from the first to the second.
    int x1 = (2 * x + tile_width) / (2 * tile_width) - 1;
    int y1 = (2 * y + tile_height) / (2 * tile_height) - 1;
    const uint32_t wx = uint32_t((2 * x + tile_width) % (2 * tile_width));
    const uint32_t wy = uint32_t((2 * y + tile_height) % (2 * tile_height));
    int x2 = x1 + 1, y2 = y1 + 1;
    if (x1 < 0) x1 = 0;
    if (y1 < 0) y1 = 0;
    if (x2 > columns - 1) x2 = columns - 1;
    if (y2 > rows - 1) y2 = rows - 1;

    const size_t v = d_in[size_t(y) * in_pitch + size_t(x)];
    const uint32_t top_left = d_tables[(size_t(y1) * size_t(columns) + size_t(x1)) * 256 + v];
    const uint32_t top_right = d_tables[(size_t(y1) * size_t(columns) + size_t(x2)) * 256 + v];
    const uint32_t bottom_left = d_tables[(size_t(y2) * size_t(columns) + size_t(x1)) * 256 + v];
    const uint32_t bottom_right = d_tables[(size_t(y2) * size_t(columns) + size_t(x2)) * 256 + v];
    const uint32_t top = top_left * (2 * uint32_t(tile_width) - wx) + top_right * wx;
    const uint32_t bottom = bottom_left * (2 * uint32_t(tile_width) - wx) + bottom_right * wx;
    const uint64_t sum = uint64_t(top) * (2 * uint32_t(tile_height) - wy) + uint64_t(bottom) * wy;
    d_out[size_t(y) * out_pitch + size_t(x)] =
        uint8_t(rounded_quotient(sum, 4 * uint64_t(tile_width) * uint64_t(tile_height)));
}

void blend_by_report(const TilePlane& p) {
    const PixelGrid grid(p.width, p.height, p.block);
    clahe_blend_report_kernel<<<grid.grid, grid.block, 0, p.stream>>>(
        p.d_in, p.in_pitch, p.d_out, p.out_pitch, p.width, p.height, p.tile_width, p.tile_height, p.d_tables);
    TONESCOPE_LAUNCHED("clahe_blend_report_kernel");
}

}  // namespace
}  // namespace tonescope::clahe
#endif
