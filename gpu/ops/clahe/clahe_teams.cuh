// The split histogram of report A's versions 2 to 6, with the prefix sum left open: versions 3 and 4 change only that.
#pragma once

#include "gpu/ops/clahe/clahe_tiles.cuh"

#ifdef __CUDACC__
#include <algorithm>
#include <cstdint>
#include <string>

#include "gpu/core/error.h"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/kernels/scan.cuh"

namespace tonescope::clahe {

inline constexpr int kTeamThreads = 256;  // of a block: one a bin
inline constexpr int kBestTeams = 4;      // the report's fastest number; its later versions keep it

/// Words of shared memory for `teams` histograms, and for the sums that use the same memory after them.
template <class Scan>
constexpr int team_words(int teams) {
    return std::max({teams * 256, Scan::kSharedWords, 32});
}

/// The histogram of the calling thread's team: neighbouring threads form a team.
__device__ inline uint32_t* team_histogram(uint32_t* s_histograms, int teams) {
    return s_histograms + int(threadIdx.x) * teams / kTeamThreads * 256;
}

/// What all teams counted in the calling thread's bin. Ends with a barrier: the histograms' memory is free then.
__device__ inline uint32_t sum_of_teams(const uint32_t* s_histograms, int teams) {
    uint32_t count = 0;
    for (int team = 0; team < teams; ++team) count += s_histograms[team * 256 + int(threadIdx.x)];
    __syncthreads();
    return count;
}

/// Block (tile, plane) makes a table. Shared memory: team_words<Scan>(teams).
template <class Map, class Scan>
__global__ void clahe_team_table_kernel(PaddedImage<Map> image, Geometry geometry, int teams, uint8_t* d_tables) {
    extern __shared__ uint32_t s_words[];
    const int index = int(blockIdx.x), plane = int(blockIdx.y);
    const TileArea tile = tile_area(geometry, index);

    block_clear(s_words, unsigned(teams) * 256);
    count_tile(image, tile, plane, team_histogram(s_words, teams));
    uint32_t count = sum_of_teams(s_words, teams);
    count = clip_bin(count, geometry, s_words);
    const uint32_t cdf = Scan::inclusive(count, s_words);
    d_tables[table_offset(geometry, plane, index) + threadIdx.x] = table_entry(cdf, tile.pixels);
}

/// Throws UserError when a block of this GPU cannot have so much shared memory, even where it is asked for.
template <class Scan>
void run_teams(CudaJob& job, int teams) {
    const size_t shared_bytes = size_t(team_words<Scan>(teams)) * sizeof(uint32_t);
    if (const size_t most = job.device.shared_per_block_optin_bytes; shared_bytes > most)
        throw UserError("clahe split: " + std::to_string(teams) + " teams need " + std::to_string(shared_bytes) +
                        " bytes of shared memory in a block, and " + job.device.name + " gives it at most " +
                        std::to_string(most) + "; take fewer teams");
    run_stages(
        job,
        [&]<class Map>(const Step<Map>& step) {
            allow_shared_memory(job.device, {.shared_bytes = shared_bytes}, clahe_team_table_kernel<Map, Scan>);
            clahe_team_table_kernel<Map, Scan><<<step.tile_grid(), kTeamThreads, shared_bytes, job.stream>>>(
                step.image, step.geometry, teams, step.d_tables);
            TONESCOPE_LAUNCHED("clahe_team_table_kernel");
        },
        kReportBlend);
}

template <class Scan>
void run_best_teams(CudaJob& job) {
    run_teams<Scan>(job, kBestTeams);
}

}  // namespace tonescope::clahe
#endif
