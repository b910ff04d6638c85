// CLAHE, report A, version 1: one block a tile, with one histogram in shared memory, so that the GPU has 256 times the
// threads of version 0, and neighboring threads read neighboring pixels. As threads now meet at its bins, they add
// with atomic operations. Clipping takes a thread for each bin; the prefix sum after it is left to one thread. The
// report calls this step failed, slower than the baseline.
#include "gpu/ops/clahe/clahe_tiles.cuh"

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
constexpr int kThreads = 256;  // one a bin

/// Block (tile, plane) makes a table.
template <class Map>
__global__ void clahe_table_shared_kernel(PaddedImage<Map> image, Geometry geometry, uint8_t* d_tables) {
    __shared__ uint32_t s_histogram[256];
    __shared__ uint32_t s_warp_sums[32];
    const int index = int(blockIdx.x), plane = int(blockIdx.y);
    const TileArea tile = tile_area(geometry, index);

    block_clear(s_histogram, 256);
    count_tile(image, tile, plane, s_histogram);
    uint32_t count = s_histogram[threadIdx.x];
    count = clip_bin(count, geometry, s_warp_sums);
    const uint32_t cdf = OneThreadScan::inclusive(count, s_histogram);
    d_tables[table_offset(geometry, plane, index) + threadIdx.x] = table_entry(cdf, tile.pixels);
}

void run_shared(CudaJob& job) {
    run_stages(
        job,
        [](const auto& step) {
            clahe_table_shared_kernel<<<step.tile_grid(), kThreads, 0, step.job.stream>>>(step.image, step.geometry,
                                                                                          step.d_tables);
            TONESCOPE_LAUNCHED("clahe_table_shared_kernel");
        },
        kReportBlend);
}
#endif

const VariantRegistration shared_histogram_variant({
    .op = "clahe",
    .id = "shared",
    .name = "Shared histogram",
    .source = "A 1",
    .follows = "baseline",
    .builds_on = "baseline",
    .idea = "One block a tile: its 256 threads count together into one histogram in shared memory, and one thread adds "
            "up the bins.",
    .cost = "A shared atomic operation for each pixel, and 255 additions in a row while 255 threads wait.",
    .flaw = "Neighboring pixels have similar values: the threads of a warp queue at the same few bins.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_shared),
});

}  // namespace
}  // namespace tonescope::clahe
