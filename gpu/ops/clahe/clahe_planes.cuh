// What the variants of report A share, and the steps after them (steps/): gray planes cut into tiles, the two stages of
// a run, exact rounding and the rest of the excess. Their kernels work on plain gray planes
// (gpu/cuda/kernels/gray_planes.cuh). Without nvcc this header is empty.
#pragma once

#include "gpu/ops/block_param.h"
#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/color_param.h"

namespace tonescope::clahe {

/// `tables`, `blend`: beyond the bytes of pixels and tables.
inline Work plane_work(const WorkCase& c, StageAmounts tables, StageAmounts blend) {
    const auto params = c.params.as<Params>();
    const Geometry g = make_geometry(c.image, params);
    const double planes = plane_count(c.image, params.color), in = bytes_per_pixel(c.image.format);
    const bool is_padded = g.padded_width > c.image.width || g.padded_height > c.image.height;
    tables.pixel.bytes = 1;
    blend.pixel.bytes = 2;
    return work_on_planes(
        c, 1, !c.is_gray() || is_padded, {.bytes = in + planes, .operations = by_color(c, params.color, 100, 112, 228)},
        {.bytes = in + planes + color_output_bytes<Params>(c), .operations = by_color(c, params.color, 40, 57, 50)},
        tile_work(c, int(planes), tables, blend));
}

/// Of a stage that counts in shared memory: instructions for a pixel and for a tile, and what a tile moves there.
inline StageAmounts counting(const WorkCase& c, double pixel_operations, double tile_operations,
                             double tile_shared_bytes) {
    return {addition_by_value(c) + Amounts{.operations = pixel_operations},
            {.shared_bytes = tile_shared_bytes, .operations = tile_operations}};
}

/// Of the blend with packed tables (steps/packed_blend.cuh).
inline constexpr StageAmounts kPackedBlend{{.shared_bytes = 13.1, .operations = 39.3},
                                           {.shared_bytes = 1450, .operations = 12100}};

/// Of report A's versions; the report's blocks have 16 x 16 threads.
inline constexpr ParamInfo kBlockTable[] = {block_param(1)};

}  // namespace tonescope::clahe

#ifdef __CUDACC__
#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/gray_planes.cuh"
#include "gpu/cuda/kernels/lightness_plane.cuh"
#include "gpu/cuda/runtime/check.h"

namespace tonescope::clahe {

/// floor(n / d + 1/2). The report divided in floating point; exact results take integers, and 64 bits where a tile has
/// millions of pixels.
__device__ inline uint32_t rounded_quotient(uint64_t n, uint64_t d) {
    n += d / 2;
    return n <= UINT32_MAX ? uint32_t(n) / uint32_t(d) : uint32_t(n / d);
}

/// Where element i of a tree of prefix sums stands from report A's version 4 on: one word in 33 stays free.
__device__ inline int padded(int i) {
    return i + (i >> 5);
}

/// What a bin gains of the rest of the excess, less than 256. Spread: bins 0, s, 2 s, ... (rest - 1) s gain 1 each,
/// s = 256 / rest; evenly: those where bin * rest passes a multiple of 256.
__device__ inline uint32_t gain_of_bin(uint32_t bin, uint32_t rest, Excess spread) {
    if (rest == 0 || spread == excess_drop) return 0;
    if (spread == excess_evenly) return (bin * rest % 256 + rest) / 256;
    const uint32_t stride = 256 / rest;
    return bin % stride == 0 && bin / stride < rest ? 1 : 0;
}

/// One plane of a run. Where tiles are a grid that reaches beyond the image, the plane does too: the image mirrored.
struct TilePlane {
    cudaStream_t stream;
    dim3 block;  // of report A's versions: threads
    const uint8_t* d_in;
    size_t in_pitch;  // bytes
    uint8_t* d_out;
    size_t out_pitch;
    int width, height;            // pixels
    int tile_width, tile_height;  // the border cuts off the last tiles
    int columns, rows;            // tiles
    uint32_t clip;                // pixels a bin; where nothing is clipped, more than any bin has
    Excess spread;                // of the rest of the excess
    uint8_t* d_tables;            // 256 bytes a tile, tile by tile

    int64_t tile_pixels() const { return int64_t{tile_width} * tile_height; }
    /// A block for each tile.
    dim3 tile_grid() const { return {unsigned(columns), unsigned(rows)}; }
};

/// Where a plane that reaches beyond the image finds its pixels.
struct MirroredPlace {
    int width, height;  // of the image
    __device__ int x(int x) const { return mirror_index(x, width); }
    __device__ int y(int y) const { return mirror_index(y, height); }
};

/// Stages "tables" and "blend" between "split colors" and "join colors": tables(plane) fills d_tables, blend(plane)
/// writes d_out.
template <class Tables, class Blend>
void run_on_planes(CudaJob& job, Tables&& tables, Blend&& blend) {
    const auto params = job.params.as<Params>();
    const Geometry g = make_geometry(job.input_spec, params);
    const GrayPlanes planes(job, params.change(), g.padded_width, g.padded_height,
                            MirroredPlace{job.input_spec.width, job.input_spec.height});
    const size_t table_bytes = size_t(g.columns) * size_t(g.rows) * 256;
    auto* d_tables = job.scratch.get<uint8_t>("clahe tables", size_t(planes.count()) * table_bytes);
    const BlockSize block = block_size(job.variant_params);
    const auto plane = [&](int index) {
        return TilePlane{.stream = job.stream,
                         .block = {block.width, block.height},
                         .d_in = planes.d_in(index),
                         .in_pitch = planes.in_pitch_bytes(),
                         .d_out = planes.d_out(index),
                         .out_pitch = planes.out_pitch_bytes(),
                         .width = g.padded_width,
                         .height = g.padded_height,
                         .tile_width = g.tile_width,
                         .tile_height = g.tile_height,
                         .columns = g.columns,
                         .rows = g.rows,
                         .clip = g.clips ? uint32_t(g.clip) : UINT32_MAX,
                         .spread = g.excess,
                         .d_tables = d_tables + size_t(index) * table_bytes};
    };
    {
        const auto stage = job.stage("tables");
        for (int index = 0; index < planes.count(); ++index) tables(plane(index));
    }
    {
        const auto stage = job.stage("blend");
        for (int index = 0; index < planes.count(); ++index) blend(plane(index));
    }
    planes.join();
}

/// Report A, version 4, whose kernels version 5 launches.
void run_scan_padded(CudaJob& job);

}  // namespace tonescope::clahe
#endif
