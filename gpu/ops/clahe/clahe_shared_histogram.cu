// CLAHE, report A, version 1: one block a tile, with one histogram in shared memory, so that the GPU has 256 times the
// threads of version 0, and neighboring threads read neighboring pixels. As threads now meet at its bins, they add
// with atomic operations, and so they do at the one word that sums up the excess. The prefix sum, with the rounding and
// the writing of the table, is left to one thread. The report calls this step failed, slower than the baseline.
#include "gpu/ops/clahe/clahe_report_blend.cuh"

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
/// Block (column, row) makes the table of that tile.
__global__ void clahe_table_shared_kernel(const uint8_t* d_in, size_t in_pitch, int width, int height, int tile_width,
                                          int tile_height, uint32_t clip, Excess spread, uint8_t* d_tables) {
    __shared__ uint32_t s_histogram[256];
    __shared__ uint32_t s_excess;
    const int thread = int(threadIdx.y * blockDim.x + threadIdx.x), threads = int(blockDim.x * blockDim.y);
    const int columns = (width + tile_width - 1) / tile_width;
    const int x0 = int(blockIdx.x) * tile_width, y0 = int(blockIdx.y) * tile_height;
    int x1 = x0 + tile_width, y1 = y0 + tile_height;
    if (x1 > width) x1 = width;
    if (y1 > height) y1 = height;

    for (int bin = thread; bin < 256; bin += threads) s_histogram[bin] = 0;
    if (thread == 0) s_excess = 0;
    __syncthreads();
    for (int y = y0 + int(threadIdx.y); y < y1; y += int(blockDim.y))
        for (int x = x0 + int(threadIdx.x); x < x1; x += int(blockDim.x))
            atomicAdd(&s_histogram[d_in[size_t(y) * in_pitch + size_t(x)]], 1u);
    __syncthreads();

    for (int bin = thread; bin < 256; bin += threads) {
        if (s_histogram[bin] > clip) {
            atomicAdd(&s_excess, s_histogram[bin] - clip);
            s_histogram[bin] = clip;
        }
    }
    __syncthreads();
    for (int bin = thread; bin < 256; bin += threads)
        s_histogram[bin] += s_excess / 256 + gain_of_bin(uint32_t(bin), s_excess % 256, spread);
    __syncthreads();

    if (thread == 0) {
        uint8_t* d_table = d_tables + (size_t(blockIdx.y) * size_t(columns) + blockIdx.x) * 256;
        const uint32_t pixels = uint32_t(x1 - x0) * uint32_t(y1 - y0);
        uint32_t cdf = 0;
        for (int v = 0; v < 256; ++v) {
            cdf += s_histogram[v];
            d_table[v] = uint8_t(rounded_quotient(255 * uint64_t(cdf), pixels));
        }
    }
}

void run_shared(CudaJob& job) {
    run_on_planes(
        job,
        [](const TilePlane& p) {
            clahe_table_shared_kernel<<<p.tile_grid(), p.block, 0, p.stream>>>(
                p.d_in, p.in_pitch, p.width, p.height, p.tile_width, p.tile_height, p.clip, p.spread, p.d_tables);
            TONESCOPE_LAUNCHED("clahe_table_shared_kernel");
        },
        blend_by_report);
}
#endif

const VariantRegistration shared_histogram_variant({
    .op = "clahe",
    .id = "shared",
    .name = "Shared histogram",
    .source = "A 1",
    .follows = "baseline",
    .builds_on = "baseline",
    .memory = MemoryMode::pageable,
    .params = kBlockTable,
    .idea = "One block a tile: its 256 threads count together into one histogram in shared memory, and one thread adds "
            "up the bins and writes the table.",
    .cost = "A shared atomic addition for each pixel and each clipped bin, and 256 bins in a row while 255 threads "
            "wait.",
    .flaw =
        "Threads of a warp meet at the banks of the one histogram: 2.2 more turns for each of its additions, on noise "
        "(counted on an H200).",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, counting(c, 13.3, 32100 + 48 * block_threads(c), 43400), kReportBlend);
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_shared),
});

}  // namespace
}  // namespace tonescope::clahe
