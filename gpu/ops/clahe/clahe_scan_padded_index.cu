// CLAHE, report A, version 4: version 3 with one free word after every 32 elements of the tree. Elements 32 apart,
// which all lay in one of shared memory's 32 banks, now lie in neighboring ones, so that the threads of a warp reach
// them at once.
#include "gpu/ops/clahe/clahe_report_blend.cuh"

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
/// Block (column, row) makes the table of that tile.
__global__ void clahe_table_padded_scan_kernel(const uint8_t* d_in, size_t in_pitch, int width, int height,
                                               int tile_width, int tile_height, uint32_t clip, Excess spread,
                                               uint8_t* d_tables) {
    constexpr int kTeams = 4;
    __shared__ uint32_t s_histogram[kTeams * 256];
    __shared__ uint32_t s_excess;
    __shared__ uint32_t s_tree[256 + 256 / 32];
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

    for (int bin = thread; bin < 256; bin += threads) s_tree[padded(bin)] = s_histogram[bin];
    for (int half = 1; half < 256; half *= 2) {  // up
        __syncthreads();
        for (int right = (thread + 1) * 2 * half - 1; right < 256; right += threads * 2 * half)
            s_tree[padded(right)] += s_tree[padded(right - half)];
    }
    __syncthreads();
    if (thread == 0) s_tree[padded(255)] = 0;
    for (int half = 128; half > 0; half /= 2) {  // down
        __syncthreads();
        for (int right = (thread + 1) * 2 * half - 1; right < 256; right += threads * 2 * half) {
            const uint32_t left_sum = s_tree[padded(right - half)];
            s_tree[padded(right - half)] = s_tree[padded(right)];
            s_tree[padded(right)] += left_sum;
        }
    }
    __syncthreads();

    uint8_t* d_table = d_tables + (size_t(blockIdx.y) * size_t(columns) + blockIdx.x) * 256;
    const uint32_t pixels = uint32_t(x1 - x0) * uint32_t(y1 - y0);
    for (int bin = thread; bin < 256; bin += threads) {
        const uint32_t cdf = s_tree[padded(bin)] + s_histogram[bin];
        d_table[bin] = uint8_t(rounded_quotient(255 * uint64_t(cdf), pixels));
    }
}
#endif

}  // namespace

#ifdef __CUDACC__
void run_scan_padded(CudaJob& job) {
    run_on_planes(
        job,
        [](const TilePlane& p) {
            clahe_table_padded_scan_kernel<<<p.tile_grid(), p.block, 0, p.stream>>>(
                p.d_in, p.in_pitch, p.width, p.height, p.tile_width, p.tile_height, p.clip, p.spread, p.d_tables);
            TONESCOPE_LAUNCHED("clahe_table_padded_scan_kernel");
        },
        blend_by_report);
}
#endif

namespace {

const VariantRegistration scan_padded_index_variant({
    .op = "clahe",
    .id = "scan-padded",
    .name = "Padded prefix sum",
    .source = "A 4",
    .follows = "scan",
    .builds_on = "scan",
    .memory = MemoryMode::pageable,
    .params = kBlockTable,
    .idea = "Element i of the tree stands at i + (i >> 5), so that strides of 32 bins no longer fall into one bank.",
    .cost = "8 words more, and a shift and an addition for every access.",
    .flaw = "The image lies in pageable memory: the driver copies it through a buffer of its own, and the CPU waits.",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, counting(c, 13.8, 75400 + 240 * block_threads(c), 37800), kReportBlend);
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_scan_padded),
});

}  // namespace
}  // namespace tonescope::clahe
