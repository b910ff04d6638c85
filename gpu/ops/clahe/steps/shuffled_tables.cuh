// Tables whose excess and prefix sums are added up in registers: lanes of a warp hand each other their sums, and shared
// memory only passes one sum for each warp (block_sum and block_inclusive_scan in gpu/cuda/kernels/block.cuh).
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/block.cuh"
#include "gpu/ops/clahe/steps/word_tables.cuh"

namespace tonescope::clahe {

/// Block (column, row) of 256 threads makes the table of that tile.
template <class Wide>
__global__ void clahe_table_shuffles_kernel(const __grid_constant__ StepPlane<Wide> p) {
    constexpr int kTeams = 4;
    __shared__ uint32_t s_histogram[kTeams * 256];
    __shared__ uint32_t s_warp_sums[32];
    const int thread = int(threadIdx.x);

    for (int team = 0; team < kTeams; ++team) s_histogram[team * 256 + thread] = 0;
    __syncthreads();
    count_words(p, thread, s_histogram + thread * kTeams / 256 * 256);
    __syncthreads();
    uint32_t count = 0;
    for (int team = 0; team < kTeams; ++team) count += s_histogram[team * 256 + thread];

    const uint32_t kept = min(count, p.clip), excess = block_sum(count - kept, s_warp_sums);
    count = kept + excess / 256 + gain_of_bin(uint32_t(thread), excess % 256, p.spread);
    const uint32_t cdf = block_inclusive_scan(count, s_warp_sums);

    const size_t tile = blockIdx.y * size_t(p.columns) + blockIdx.x;
    p.d_tables[tile * 256 + size_t(thread)] = p.by.entry(cdf);
}

inline void make_tables_with_shuffles(const TilePlane& p) {
    with_quotients(p, [&]<class Wide>(const TileQuotients<Wide>& by) {
        clahe_table_shuffles_kernel<Wide><<<p.tile_grid(), 256, 0, p.stream>>>(StepPlane<Wide>(p, by));
        TONESCOPE_LAUNCHED("clahe_table_shuffles_kernel");
    });
}

}  // namespace tonescope::clahe
