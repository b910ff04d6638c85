// Tables of tiles whose pixels are read four at a time; otherwise those of the variant `reciprocals`.
#pragma once

#include <cstdint>

#include "gpu/ops/clahe/steps/step_plane.cuh"

namespace tonescope::clahe {

/// Adds the block's tile, block (column, row), to the histograms that its 256 threads name.
__device__ inline void count_words(const TilePlane& p, int thread, uint32_t* s_histogram) {
    const int x0 = int(blockIdx.x) * p.tile_width, y0 = int(blockIdx.y) * p.tile_height;
    const int x1 = min(x0 + p.tile_width, p.width), y1 = min(y0 + p.tile_height, p.height);
    for (int y = y0 + thread / 16; y < y1; y += 16) {
        for (int word = x0 / 4 + thread % 16; 4 * word < x1; word += 16) {
            const uint32_t four = load_four(p, y, word);
            const bool whole = 4 * word >= x0 && 4 * word + 4 <= x1;
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (whole || (4 * word + k >= x0 && 4 * word + k < x1))
                    atomicAdd(&s_histogram[four >> (8 * k) & 255], 1u);
        }
    }
}

/// Block (column, row) of 256 threads makes the table of that tile.
template <class Wide>
__global__ void clahe_table_words_kernel(const __grid_constant__ StepPlane<Wide> p) {
    constexpr int kTeams = 4;
    __shared__ uint32_t s_histogram[kTeams * 256];
    __shared__ uint32_t s_excess;
    __shared__ uint32_t s_tree[256 + 256 / 32];
    const int thread = int(threadIdx.x);

    for (int team = 0; team < kTeams; ++team) s_histogram[team * 256 + thread] = 0;
    if (thread == 0) s_excess = 0;
    __syncthreads();
    count_words(p, thread, s_histogram + thread * kTeams / 256 * 256);
    __syncthreads();
    uint32_t count = 0;
    for (int team = 0; team < kTeams; ++team) count += s_histogram[team * 256 + thread];

    atomicAdd(&s_excess, max(count, p.clip) - p.clip);
    __syncthreads();
    const uint32_t excess = s_excess;
    count = min(count, p.clip) + excess / 256 + gain_of_bin(uint32_t(thread), excess % 256, p.spread);

    s_tree[padded(thread)] = count;
    for (int half = 1; half < 256; half *= 2) {  // up
        __syncthreads();
        const int right = (thread + 1) * 2 * half - 1;
        if (right < 256) s_tree[padded(right)] += s_tree[padded(right - half)];
    }
    __syncthreads();
    if (thread == 0) s_tree[padded(255)] = 0;
    for (int half = 128; half > 0; half /= 2) {  // down
        __syncthreads();
        const int right = (thread + 1) * 2 * half - 1;
        if (right < 256) {
            const uint32_t left_sum = s_tree[padded(right - half)];
            s_tree[padded(right - half)] = s_tree[padded(right)];
            s_tree[padded(right)] += left_sum;
        }
    }
    __syncthreads();

    const size_t tile = blockIdx.y * size_t(p.columns) + blockIdx.x;
    p.d_tables[tile * 256 + size_t(thread)] = p.by.entry(s_tree[padded(thread)] + count);
}

inline void make_tables_from_words(const TilePlane& p) {
    with_quotients(p, [&]<class Wide>(const TileQuotients<Wide>& by) {
        clahe_table_words_kernel<<<p.tile_grid(), 256, 0, p.stream>>>(StepPlane<Wide>(p, by));
        TONESCOPE_LAUNCHED("clahe_table_words_kernel");
    });
}

}  // namespace tonescope::clahe
