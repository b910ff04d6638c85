// CLAHE, report A, version 0: the loops of the CPU, a thread for each tile and a thread for each pixel. A tile's table
// needs nothing of another tile, and a pixel's blend nothing of another pixel: the two outer loops of the CPU version
// become threads, and what stands inside them stays as it is. The 256 counters of a thread are too many for registers,
// so they lie in local memory, that is, in the GPU's main memory behind the caches.
#include <string>

#include "gpu/core/error.h"
#include "gpu/core/text.h"
#include "gpu/ops/clahe/clahe_report_blend.cuh"

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
/// Thread (column, row) of the grid makes the table of that tile.
__global__ void clahe_table_thread_per_tile_kernel(const uint8_t* d_in, size_t in_pitch, int width, int height,
                                                   int tile_width, int tile_height, uint32_t clip, Excess spread,
                                                   uint8_t* d_tables) {
    const int column = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = int(blockIdx.y * blockDim.y + threadIdx.y);
    const int columns = (width + tile_width - 1) / tile_width;
    const int rows = (height + tile_height - 1) / tile_height;
    if (column >= columns || row >= rows) return;

    const int x0 = column * tile_width, y0 = row * tile_height;
    int x1 = x0 + tile_width, y1 = y0 + tile_height;
    if (x1 > width) x1 = width;
    if (y1 > height) y1 = height;
    uint32_t histogram[256] = {};
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) ++histogram[d_in[size_t(y) * in_pitch + size_t(x)]];

    uint32_t excess = 0;
    for (int v = 0; v < 256; ++v) {
        if (histogram[v] > clip) {
            excess += histogram[v] - clip;
            histogram[v] = clip;
        }
    }
    for (int v = 0; v < 256; ++v) histogram[v] += excess / 256 + gain_of_bin(uint32_t(v), excess % 256, spread);

    uint8_t* d_table = d_tables + (size_t(row) * size_t(columns) + size_t(column)) * 256;
    const uint32_t pixels = uint32_t(x1 - x0) * uint32_t(y1 - y0);
    uint32_t cdf = 0;
    for (int v = 0; v < 256; ++v) {
        cdf += histogram[v];
        d_table[v] = uint8_t(rounded_quotient(255 * uint64_t(cdf), pixels));
    }
}

/// A thread counts some tens of millions of pixels a second. A kernel of several seconds would freeze the desktop, and
/// many systems end it.
constexpr int64_t kMaxTilePixels = int64_t{1} << 24;

void run_baseline(CudaJob& job) {
    const Geometry geometry = make_geometry(job.input_spec, job.params.as<Params>());
    if (geometry.tile_pixels() > kMaxTilePixels)
        throw UserError("clahe baseline: one GPU thread would count a tile of " +
                        size_text(geometry.tile_width, geometry.tile_height) +
                        " pixels, and the GPU could do nothing else for seconds; take tiles of at most " +
                        std::to_string(kMaxTilePixels) + " pixels or another variant");
    run_on_planes(
        job,
        [](const TilePlane& p) {
            const PixelGrid tiles(p.columns, p.rows, p.block);
            clahe_table_thread_per_tile_kernel<<<tiles.grid, tiles.block, 0, p.stream>>>(
                p.d_in, p.in_pitch, p.width, p.height, p.tile_width, p.tile_height, p.clip, p.spread, p.d_tables);
            TONESCOPE_LAUNCHED("clahe_table_thread_per_tile_kernel");
        },
        blend_by_report);
}
#endif

const VariantRegistration baseline_thread_per_tile_variant({
    .op = "clahe",
    .id = "baseline",
    .name = "Baseline",
    .source = "A 0 (baseline)",
    .builds_on = "cpu",
    .memory = MemoryMode::pageable,
    .params = kBlockTable,
    .idea = "The CPU's outer loops become threads: one a tile makes its table with a histogram of its own, one a pixel "
            "blends four tables.",
    .cost = "A tile's pixels are counted one after the other, into 1 KiB of local memory a thread.",
    .flaw = "There are as many threads as tiles, far fewer than the GPU could run, and they wait for memory 94 % of "
            "the time (counted on an H200).",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{.operations = 5.8}, {.operations = 18600}}, kReportBlend);
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_baseline),
});

}  // namespace
}  // namespace tonescope::clahe
