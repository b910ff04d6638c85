// CLAHE, report A, version 0: the loops of the CPU, a thread for each tile and a thread for each pixel. A tile's table
// needs nothing of another tile, and a pixel's blend nothing of another pixel: the two outer loops of the CPU version
// become threads, and what stands inside them stays as it is. The 256 counters of a thread are too many for registers,
// so they lie in local memory, that is, in the GPU's main memory behind the caches.
#include <string>

#include "gpu/core/error.h"
#include "gpu/core/text.h"
#include "gpu/ops/clahe/clahe_tiles.cuh"

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
/// A thread counts some tens of millions of pixels a second. A kernel of several seconds would freeze the desktop, and
/// many systems end it.
constexpr int64_t kMaxTilePixels = int64_t{1} << 24;

/// Clips and spreads as the definition does, by one thread.
__device__ void clip_histogram(uint32_t (&histogram)[256], const Geometry& geometry) {
    const uint32_t clip = uint32_t(geometry.clip);
    uint32_t excess = 0;
    for (uint32_t& count : histogram) {
        if (count > clip) {
            excess += count - clip;
            count = clip;
        }
    }
    for (uint32_t& count : histogram) count += excess / 256;
    const uint32_t rest = excess % 256;
    if (!geometry.spreads || rest == 0) return;
    const uint32_t stride = 256 / rest;  // at least 1: rest is at most 255
    for (uint32_t k = 0; k < rest; ++k) ++histogram[k * stride];
}

/// Thread (column, row) of the grid makes the table of that tile; the grid's z is the plane.
template <class Map>
__global__ void clahe_table_thread_per_tile_kernel(PaddedImage<Map> image, Geometry geometry, uint8_t* d_tables) {
    const int column = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = int(blockIdx.y * blockDim.y + threadIdx.y);
    const int plane = int(blockIdx.z);
    if (column >= geometry.columns || row >= geometry.rows) return;
    const int index = row * geometry.columns + column;
    const TileArea tile = tile_area(geometry, index);

    uint32_t histogram[256] = {};
    for (int y = tile.y; y < tile.y + int(tile.height); ++y)
        for (int x = tile.x; x < tile.x + int(tile.width); ++x) ++histogram[image.value(x, y, plane)];
    if (geometry.clips) clip_histogram(histogram, geometry);

    uint8_t* d_table = d_tables + table_offset(geometry, plane, index);
    uint32_t cdf = 0;
    for (int v = 0; v < 256; ++v) {
        cdf += histogram[v];
        d_table[v] = table_entry(cdf, tile.pixels);
    }
}

void run_baseline(CudaJob& job) {
    const Geometry geometry = make_geometry(job.input_spec, job.params.as<Params>());
    if (geometry.tile_pixels() > kMaxTilePixels)
        throw UserError("clahe baseline: one GPU thread would count a tile of " +
                        size_text(geometry.tile_width, geometry.tile_height) +
                        " pixels, and the GPU could do nothing else for seconds; take tiles of at most " +
                        std::to_string(kMaxTilePixels) + " pixels or another variant");
    run_stages(
        job,
        [](const auto& step) {
            PixelGrid tiles(step.geometry.columns, step.geometry.rows, dim3(kReportBlock_px, kReportBlock_px));
            tiles.grid.z = step.tile_grid().y;
            clahe_table_thread_per_tile_kernel<<<tiles.grid, tiles.block, 0, step.job.stream>>>(
                step.image, step.geometry, step.d_tables);
            TONESCOPE_LAUNCHED("clahe_table_thread_per_tile_kernel");
        },
        kReportBlend);
}
#endif

const VariantRegistration baseline_thread_per_tile_variant({
    .op = "clahe",
    .id = "baseline",
    .name = "Baseline",
    .source = "A 0 (baseline)",
    .idea = "The CPU's outer loops become threads: one a tile makes its table with a histogram of its own, one a pixel "
            "blends four tables.",
    .cost = "A tile's pixels are counted one after the other, into 1 KiB of local memory a thread.",
    .flaw = "There are as many threads as tiles, far fewer than the GPU could run, and each reads pixels that no "
            "neighbor reads.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_baseline),
});

}  // namespace
}  // namespace tonescope::clahe
