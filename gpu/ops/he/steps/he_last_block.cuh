// Histogram equalization in two kernels: the block that is the last to have added its sums makes the table from the
// image's counts, and sets these back to zero for the next run, so that nobody clears them before it. A counter of
// finished blocks says which block is the last (CUDA's sample threadFenceReduction does it so).
#pragma once

#include "gpu/ops/he/he_vectors.cuh"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/runtime/scratch.h"

namespace tonescope::he {

/// d_words: Map::kPlanes x 256 counters and the number of blocks that have added to them, zero before and after.
template <class Map>
__global__ void __launch_bounds__(kVectorThreads, 1)
    he_last_block_histogram_kernel(PitchedVectors<typename Map::In> image, uint32_t pixels, uint32_t* d_words,
                                   uint8_t* d_tables) {
    constexpr int kEntries = Map::kPlanes * 256, kReplicas = replicas_for(Map::kPlanes);
    using Words = PlaneWords<Map, kReplicas>;
    __shared__ uint4 s_memory[Words::kCount / 4];
    auto* s_words = reinterpret_cast<uint32_t*>(s_memory);
    clear_words(s_words, Words::kCount);
    __syncthreads();
    count_vectors<Map>(image, plane_words<Map, kReplicas>(s_words));
    for_each_sum_in_order<kEntries, kReplicas>(s_words, [&](unsigned entry, uint32_t sum) {
        if (sum != 0) atomicAdd(&d_words[entry], sum);
    });
    __syncthreads();
    const bool is_last = threadIdx.x == 0 && add_in_order(&d_words[kEntries], 1) == gridDim.x - 1;
    if (!__syncthreads_or(is_last)) return;
    const bool has_entry = threadIdx.x < kEntries;
    const uint8_t entry = table_entry<Map::kPlanes>(has_entry ? __ldcg(&d_words[threadIdx.x]) : 0, pixels, s_words);
    if (has_entry) {
        d_tables[threadIdx.x] = entry;
        d_words[threadIdx.x] = 0;
    }
    if (threadIdx.x == 0) d_words[kEntries] = 0;
}

template <class Map>
void run_with_last_block(CudaJob& job) {
    uint32_t* d_words = job.scratch.keep<ZeroedWords>("he last block").get(3 * 256 + 1, job.stream);
    auto* d_tables = job.scratch.get<uint8_t>("he tables", 3 * 256);
    {
        const auto stage = job.stage("histogram");
        const auto image = vectors_of<Map>(job);
        const unsigned blocks = image.blocks(kVectorThreads, job.device.multiProcessorCount);
        he_last_block_histogram_kernel<Map>
            <<<blocks, kVectorThreads, 0, job.stream>>>(image, uint32_t(job.input_spec.pixels()), d_words, d_tables);
        TONESCOPE_LAUNCHED("he_last_block_histogram_kernel");
    }
    apply_by_vectors<Map, replicas_for(Map::kPlanes)>(job, d_tables);
}

}  // namespace tonescope::he
#endif
