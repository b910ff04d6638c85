// CLAHE: one block makes the table of one tile, then one thread a pixel blends four tables.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include <algorithm>

#include "gpu/cuda/block.cuh"
#include "gpu/cuda/color.cuh"
#include "gpu/cuda/pixels.cuh"
#include "gpu/ops/clahe/clahe.h"
#endif

namespace tonescope {
namespace {

#ifdef __CUDACC__

constexpr int kThreads = 256;  // one a bin
constexpr int kThreadsOfLargeTile = 1024;
constexpr int kLargeTile_px = 256 * 256;

/// Clips one tile's histogram and spreads the excess. Every thread of the block calls; threads from 256 on have no bin
/// and pass 0. Returns the thread's bin afterwards.
__device__ uint32_t clip_bin(uint32_t count, uint32_t clip, bool spread, uint32_t* s_warp_sums) {
    const uint32_t excess = block_sum(count > clip ? count - clip : 0, s_warp_sums);
    const unsigned bin = threadIdx.x;
    if (bin >= 256) return 0;
    count = min(count, clip) + excess / 256;
    const unsigned rest = excess % 256;
    if (spread && rest > 0) {
        const unsigned stride = max(256 / rest, 1u);
        if (bin % stride == 0 && bin / stride < rest) ++count;
    }
    return count;
}

/// Block (tile, plane) makes d_tables[plane][tile]. Coordinates outside the image (grid mode pads it) are mirrored.
template <class Map>
__global__ void clahe_table_kernel(PitchedSource<typename Map::In> source, int width, int height,
                                   ClaheGeometry geometry, bool spread, uint8_t* d_tables) {
    __shared__ uint32_t s_histogram[256];
    __shared__ uint32_t s_warp_sums[32];
    const int tile = int(blockIdx.x), plane = int(blockIdx.y);
    const int x0 = tile % geometry.columns * geometry.tile_width;
    const int y0 = tile / geometry.columns * geometry.tile_height;
    const uint32_t tile_width = uint32_t(min(geometry.tile_width, geometry.padded_width - x0));
    const uint32_t tile_height = uint32_t(min(geometry.tile_height, geometry.padded_height - y0));
    const uint32_t pixels = tile_width * tile_height;  // A: below 2^30, padding included

    block_clear(s_histogram, 256);
    for (uint32_t i = threadIdx.x; i < pixels; i += blockDim.x) {
        int x = x0 + int(i % tile_width), y = y0 + int(i / tile_width);
        if (x >= width) x = mirror_index(x, width);
        if (y >= height) y = mirror_index(y, height);
        atomicAdd(&s_histogram[Map::value(source.load(x, y), plane)], 1u);
    }
    __syncthreads();

    uint32_t count = threadIdx.x < 256 ? s_histogram[threadIdx.x] : 0;
    if (geometry.clips) count = clip_bin(count, uint32_t(geometry.clip), spread, s_warp_sums);
    const uint64_t cdf = block_inclusive_scan(count, s_warp_sums);
    if (threadIdx.x < 256) {
        const uint64_t value = (510 * cdf + pixels) / (2 * uint64_t(pixels));
        d_tables[(size_t(plane) * gridDim.x + tile) * 256 + threadIdx.x] = uint8_t(min(value, uint64_t(255)));
    }
}

/// Which two tables a coordinate lies between along one axis; `weight` of the second one, in parts of 2 * tile_px.
struct Between {
    int first, second;
    uint32_t weight;
};
__device__ Between between(int position, int tile_px, int tiles) {
    const uint32_t shifted = 2 * uint32_t(position) + uint32_t(tile_px);  // u + 2 T: never negative
    const int second = int(shifted / (2 * uint32_t(tile_px)));
    return {max(second - 1, 0), min(second, tiles - 1), shifted % (2 * uint32_t(tile_px))};
}

/// Wide holds 255 * 4 Tx Ty + 2 Tx Ty.
template <class Map, class Wide, class Sink>
__global__ void clahe_blend_kernel(PitchedSource<typename Map::In> source, Sink sink, int width, int height,
                                   ClaheGeometry geometry, const uint8_t* __restrict__ d_tables) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const Between bx = between(x, geometry.tile_width, geometry.columns);
    const Between by = between(y, geometry.tile_height, geometry.rows);
    const Wide width2 = 2 * Wide(geometry.tile_width), height2 = 2 * Wide(geometry.tile_height);
    const Wide right = bx.weight, left = width2 - right, bottom = by.weight, top = height2 - bottom;
    const size_t columns = size_t(geometry.columns);
    const size_t row1 = by.first * columns, row2 = by.second * columns;
    const size_t tables_per_plane = columns * size_t(geometry.rows);

    const typename Map::In pixel = source.load(x, y);
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane) {
        const uint8_t* d_entry = d_tables + plane * tables_per_plane * 256 + Map::value(pixel, plane);
        const Wide sum =
            d_entry[(row1 + bx.first) * 256] * (left * top) + d_entry[(row1 + bx.second) * 256] * (right * top) +
            d_entry[(row2 + bx.first) * 256] * (left * bottom) + d_entry[(row2 + bx.second) * 256] * (right * bottom);
        values[plane] = int((sum + width2 * height2 / 2) / (width2 * height2));
    }
    sink.store(x, y, Map::result(pixel, values));
}

template <class Map>
void run_with(CudaJob& job, const ClaheParams& params) {
    const int width = job.input_spec.width, height = job.input_spec.height;
    const ClaheGeometry geometry = clahe_geometry(job.input_spec, params);
    const auto source = source_of<typename Map::In>(job);
    const size_t tiles = size_t(geometry.columns) * size_t(geometry.rows);
    const int64_t tile_pixels = int64_t{geometry.tile_width} * geometry.tile_height;
    auto* d_tables = job.scratch.get<uint8_t>("clahe tables", Map::kPlanes * tiles * 256);
    {
        const auto stage = job.stage("tables", Map::kPlanes * (job.input_bytes() + tiles * 256));
        const int threads = tile_pixels < kLargeTile_px ? kThreads : kThreadsOfLargeTile;
        const dim3 grid(unsigned(tiles), Map::kPlanes);  // millions of small tiles: only x may be that large
        clahe_table_kernel<Map><<<grid, unsigned(threads), 0, job.stream>>>(source, width, height, geometry,
                                                                            params.excess == excess_spread, d_tables);
        TONESCOPE_LAUNCHED("clahe_table_kernel");
    }
    const auto stage = job.stage("blend", job.input_bytes() + job.output_bytes());
    with_sink<typename Map::Out>(job.output, [&](auto sink) {
        using Sink = decltype(sink);
        const PixelGrid grid(width, height);
        const bool narrow = (255 * 4 + 2) * tile_pixels <= int64_t{UINT32_MAX};
        if (narrow) {
            clahe_blend_kernel<Map, uint32_t, Sink>
                <<<grid.grid, grid.block, 0, job.stream>>>(source, sink, width, height, geometry, d_tables);
        } else {
            clahe_blend_kernel<Map, uint64_t, Sink>
                <<<grid.grid, grid.block, 0, job.stream>>>(source, sink, width, height, geometry, d_tables);
        }
        TONESCOPE_LAUNCHED("clahe_blend_kernel");
    });
}

void run_clahe_simple(CudaJob& job) {
    const auto params = job.params.as<ClaheParams>();
    with_color_map(job.input_spec, params.color, [&](auto map) { run_with<decltype(map)>(job, params); });
}

#endif

const RungRegistration registration({
    .op = "clahe",
    .id = "simple",
    .name = "Simple CUDA",
    .source = "",
    .backend = BackendKind::cuda,
    .order = 500,
    .preferred = true,
    .idea =
        "One block a tile: its threads count the tile into shared memory, clip, and add up the bins with a parallel "
        "prefix sum; then one thread a pixel blends the four tables around it.",
    .cost =
        "The image is read twice and written once; a pixel costs four table look-ups and a division for each value.",
    .flaw = "A few large tiles keep only a few blocks busy, and look-ups in four tables are scattered over memory.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_clahe_simple),
});

}  // namespace
}  // namespace tonescope
