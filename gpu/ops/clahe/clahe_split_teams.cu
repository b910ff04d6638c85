// CLAHE, report A, version 2: the block's threads form teams of neighbors, each with a histogram of its own, and of 256
// threads thread v adds up bin v of all of them. With 8 teams or fewer a team is one warp or more; beyond that even the
// threads of a warp part. The more shared memory a block takes, the fewer blocks fit on a multiprocessor. The report
// was fastest with 4 teams, and its 64 did not fit: a block gets 48 KiB unless the program asks for more, which is done
// here. 1 team is version 1 again.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "gpu/core/error.h"
#include "gpu/ops/clahe/clahe_report_blend.cuh"
#ifdef __CUDACC__
#include "gpu/cuda/kernels/launch.h"
#endif

namespace tonescope::clahe {
namespace {

struct SplitParams {
    BlockParams block;
    int32_t teams;  // index of kTeamsValues: 2^teams
};
constexpr std::string_view kTeamsValues[] = {"1", "2", "4", "8", "16", "32", "64"};
constexpr ParamInfo kSplitTable[] = {
    kBlockTable[0],
    {.id = "teams",
     .label = "Teams",
     .help = "Histograms that the threads of a block share out among themselves. Where 64 do not fit into a block's "
             "shared memory, they are refused.",
     .kind = ParamKind::choice,
     .offset = offsetof(SplitParams, teams),
     .max = std::size(kTeamsValues) - 1,
     .default_value = 2,
     .values = kTeamsValues},
};

#ifdef __CUDACC__
/// Block (column, row) makes the table of that tile. Shared memory: 1 KiB for each team.
__global__ void clahe_table_split_kernel(const uint8_t* d_in, size_t in_pitch, int width, int height, int tile_width,
                                         int tile_height, uint32_t clip, Excess spread, int teams, uint8_t* d_tables) {
    extern __shared__ uint32_t s_histogram[];  // of the first team; the others' follow it
    __shared__ uint32_t s_excess;
    const int thread = int(threadIdx.y * blockDim.x + threadIdx.x), threads = int(blockDim.x * blockDim.y);
    const int columns = (width + tile_width - 1) / tile_width;
    const int x0 = int(blockIdx.x) * tile_width, y0 = int(blockIdx.y) * tile_height;
    int x1 = x0 + tile_width, y1 = y0 + tile_height;
    if (x1 > width) x1 = width;
    if (y1 > height) y1 = height;

    uint32_t* s_team_histogram = s_histogram + thread * teams / threads * 256;
    for (int i = thread; i < teams * 256; i += threads) s_histogram[i] = 0;
    if (thread == 0) s_excess = 0;
    __syncthreads();
    for (int y = y0 + int(threadIdx.y); y < y1; y += int(blockDim.y))
        for (int x = x0 + int(threadIdx.x); x < x1; x += int(blockDim.x))
            atomicAdd(&s_team_histogram[d_in[size_t(y) * in_pitch + size_t(x)]], 1u);
    __syncthreads();
    for (int bin = thread; bin < 256; bin += threads)
        for (int team = 1; team < teams; ++team) s_histogram[bin] += s_histogram[team * 256 + bin];

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

/// Throws UserError when a block of this GPU cannot have so much shared memory, even where it is asked for.
void run_split(CudaJob& job) {
    const int teams = 1 << job.variant_params.as<SplitParams>().teams;
    const size_t shared_bytes = size_t(teams) * 256 * sizeof(uint32_t);
    constexpr size_t kExcess_bytes = 16;  // s_excess, with what aligns it
    if (const size_t most = job.device.sharedMemPerBlockOptin; shared_bytes + kExcess_bytes > most)
        throw UserError("clahe split: " + std::to_string(teams) + " teams need " +
                        std::to_string(shared_bytes + kExcess_bytes) + " bytes of shared memory in a block, and " +
                        job.device.name + " gives it at most " + std::to_string(most) + "; take fewer teams");
    run_on_planes(
        job,
        [&](const TilePlane& p) {
            allow_shared_memory(job.device, {.shared_bytes = shared_bytes}, clahe_table_split_kernel);
            clahe_table_split_kernel<<<p.tile_grid(), p.block, shared_bytes, p.stream>>>(
                p.d_in, p.in_pitch, p.width, p.height, p.tile_width, p.tile_height, p.clip, p.spread, teams,
                p.d_tables);
            TONESCOPE_LAUNCHED("clahe_table_split_kernel");
        },
        blend_by_report);
}
#endif

const VariantRegistration split_teams_variant({
    .op = "clahe",
    .id = "split",
    .name = "Split histogram",
    .source = "A 2",
    .follows = "shared",
    .builds_on = "shared",
    .memory = MemoryMode::pageable,
    .params = kSplitTable,
    .idea = "Teams of threads count into a histogram each, so that fewer threads meet at a bin; then the histograms "
            "are added up.",
    .cost = "1 KiB of shared memory for each team, cleared and summed for every tile.",
    .flaw = "While one thread adds up the 256 bins and writes the table, the other 255 wait: 13 of 32 take part in an "
            "instruction (counted on an H200).",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, counting(c, 14.5, 49000 + 48 * block_threads(c), 53800), kReportBlend);
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_split),
});

}  // namespace
}  // namespace tonescope::clahe
