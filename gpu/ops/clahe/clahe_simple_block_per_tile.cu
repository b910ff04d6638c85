// CLAHE: one block makes the table of one tile, then one thread a pixel blends four tables.
#include "gpu/ops/clahe/clahe_tiles.cuh"

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
constexpr int kThreadsOfTile = 256;  // one a bin
constexpr int kThreadsOfLargeTile = 1024;
constexpr int kLargeTile_px = 256 * 256;

/// Block (tile, plane) makes a table.
template <class Map>
__global__ void clahe_table_simple_kernel(PaddedImage<Map> image, Geometry geometry, uint8_t* d_tables) {
    __shared__ uint32_t s_histogram[256];
    __shared__ uint32_t s_warp_sums[32];
    const int index = int(blockIdx.x), plane = int(blockIdx.y);
    const TileArea tile = tile_area(geometry, index);
    block_clear(s_histogram, 256);
    count_tile(image, tile, plane, s_histogram);

    uint32_t count = threadIdx.x < 256 ? s_histogram[threadIdx.x] : 0;
    count = clip_bin(count, geometry, s_warp_sums);
    const uint32_t cdf = block_inclusive_scan(count, s_warp_sums);
    if (threadIdx.x < 256) d_tables[table_offset(geometry, plane, index) + threadIdx.x] = table_entry(cdf, tile.pixels);
}

void run_simple(CudaJob& job) {
    run_stages(
        job,
        [](const auto& step) {
            const int threads = step.geometry.tile_pixels() < kLargeTile_px ? kThreadsOfTile : kThreadsOfLargeTile;
            clahe_table_simple_kernel<<<step.tile_grid(), unsigned(threads), 0, step.job.stream>>>(
                step.image, step.geometry, step.d_tables);
            TONESCOPE_LAUNCHED("clahe_table_simple_kernel");
        },
        [](const auto& step) { launch_blend(step, dim3(32, 8)); });
}
#endif

const VariantRegistration simple_block_per_tile_variant({
    .op = "clahe",
    .id = "simple",
    .name = "Simple CUDA",
    .follows = "branch-free",
    .idea = "One block a tile: its threads count the tile into shared memory, clip, and add up the bins with a "
            "parallel prefix sum; then one thread a pixel blends the four tables around it.",
    .cost =
        "The image is read twice and written once; a pixel costs four table look-ups and a division for each value.",
    .flaw = "A few large tiles keep only a few blocks busy, and look-ups in four tables are scattered over memory.",
    .work =
        [](const WorkCase& c) {
            const int32_t color = c.params.as<Params>().color;
            const double planes = plane_count(c.image, color);
            return pixel_work(c,
                              {{.operations = by_color(c, color, 40.4, 47.2, 130)},
                               {.shared_bytes = 23400 * planes, .operations = 70900 * planes}},
                              {{.operations = by_color(c, color, 129, 142, 202)}, {}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_simple),
});

}  // namespace
}  // namespace tonescope::clahe
