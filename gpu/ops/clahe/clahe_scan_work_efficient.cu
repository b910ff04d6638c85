// CLAHE, report A, version 3: version 2 with its best number of teams, 4, and a parallel prefix sum in place of one
// thread's loop. The sum is a tree over the 256 bins (Blelloch): upwards, each pair's sum takes the place of its right
// end; downwards, each node hands its left child what stands before itself, and its right child that and the left
// child's sum. The result is exclusive, and adding the own bin makes it inclusive. Each level ends at a barrier, with
// half as many threads at work as the level before. As every thread has the sum of its bin then, it rounds and writes
// that entry itself.
#include "gpu/ops/clahe/clahe_report_blend.cuh"

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
/// Block (column, row) makes the table of that tile.
__global__ void clahe_table_scan_kernel(const uint8_t* d_in, size_t in_pitch, int width, int height, int tile_width,
                                        int tile_height, uint32_t clip, Excess spread, uint8_t* d_tables) {
    constexpr int kTeams = 4;
    __shared__ uint32_t s_histogram[kTeams * 256];
    __shared__ uint32_t s_excess;
    __shared__ uint32_t s_tree[256];
    const int thread = int(threadIdx.y * blockDim.x + threadIdx.x), threads = int(blockDim.x * blockDim.y);
    const int columns = (width + tile_width - 1) / tile_width;
    const int x0 = int(blockIdx.x) * tile_width, y0 = int(blockIdx.y) * tile_height;
    int x1 = x0 + tile_width, y1 = y0 + tile_height;
    if (x1 > width) x1 = width;
    if (y1 > height) y1 = height;

    uint32_t* s_team_histogram = s_histogram + thread * kTeams / threads * 256;
    for (int i = thread; i < kTeams * 256; i += threads) s_histogram[i] = 0;
    if (thread == 0) s_excess = 0;
    __syncthreads();
    for (int y = y0 + int(threadIdx.y); y < y1; y += int(blockDim.y))
        for (int x = x0 + int(threadIdx.x); x < x1; x += int(blockDim.x))
            atomicAdd(&s_team_histogram[d_in[size_t(y) * in_pitch + size_t(x)]], 1u);
    __syncthreads();
    for (int bin = thread; bin < 256; bin += threads)
        for (int team = 1; team < kTeams; ++team) s_histogram[bin] += s_histogram[team * 256 + bin];

    for (int bin = thread; bin < 256; bin += threads) {
        if (s_histogram[bin] > clip) {
            atomicAdd(&s_excess, s_histogram[bin] - clip);
            s_histogram[bin] = clip;
        }
    }
    __syncthreads();
    for (int bin = thread; bin < 256; bin += threads)
        s_histogram[bin] += s_excess / 256 + gain_of_bin(uint32_t(bin), s_excess % 256, spread);

    for (int bin = thread; bin < 256; bin += threads) s_tree[bin] = s_histogram[bin];
    for (int half = 1; half < 256; half *= 2) {  // up
        __syncthreads();
        for (int right = (thread + 1) * 2 * half - 1; right < 256; right += threads * 2 * half)
            s_tree[right] += s_tree[right - half];
    }
    __syncthreads();
    if (thread == 0) s_tree[255] = 0;
    for (int half = 128; half > 0; half /= 2) {  // down
        __syncthreads();
        for (int right = (thread + 1) * 2 * half - 1; right < 256; right += threads * 2 * half) {
            const uint32_t left_sum = s_tree[right - half];
            s_tree[right - half] = s_tree[right];
            s_tree[right] += left_sum;
        }
    }
    __syncthreads();

    uint8_t* d_table = d_tables + (size_t(blockIdx.y) * size_t(columns) + blockIdx.x) * 256;
    const uint32_t pixels = uint32_t(x1 - x0) * uint32_t(y1 - y0);
    for (int bin = thread; bin < 256; bin += threads) {
        const uint32_t cdf = s_tree[bin] + s_histogram[bin];
        d_table[bin] = uint8_t(rounded_quotient(255 * uint64_t(cdf), pixels));
    }
}

void run_scan(CudaJob& job) {
    run_on_planes(
        job,
        [](const TilePlane& p) {
            clahe_table_scan_kernel<<<p.tile_grid(), p.block, 0, p.stream>>>(
                p.d_in, p.in_pitch, p.width, p.height, p.tile_width, p.tile_height, p.clip, p.spread, p.d_tables);
            TONESCOPE_LAUNCHED("clahe_table_scan_kernel");
        },
        blend_by_report);
}
#endif

const VariantRegistration scan_work_efficient_variant({
    .op = "clahe",
    .id = "scan",
    .name = "Parallel prefix sum",
    .source = "A 3",
    .follows = "split",
    .builds_on = "split",
    .memory = MemoryMode::pageable,
    .params = kBlockTable,
    .idea = "The bins are added up by a tree: sums of pairs upwards, then what stands before each pair downwards.",
    .cost = "About 510 additions in 16 steps with a barrier each, in place of 255 in a row.",
    .flaw = "At strides of 2 to 32 bins the threads of a warp meet in the same banks of shared memory: two more turns "
            "for each pixel than with padding (counted on an H200).",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, counting(c, 13.7, 60100 + 240 * block_threads(c), 65500), kReportBlend);
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_scan),
});

}  // namespace
}  // namespace tonescope::clahe
