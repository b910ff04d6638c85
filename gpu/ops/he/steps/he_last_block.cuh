// Histogram equalization in two kernels: the block that is the last to have added its sums makes the table from the
// image's counts, and sets these back to zero for the next run, so that nobody clears them before it. A counter of
// finished blocks says which block is the last (CUDA's sample threadFenceReduction does it so).
//
// kEarly: the kernels may start while the one before them in the stream still runs, and wait where they need it.
#pragma once

#include "gpu/ops/he/he_vectors.cuh"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/runtime/scratch.h"

namespace tonescope::he {

/// d_words: Map::kPlanes x 256 counters and the number of blocks that have added to them, zero before and after.
template <class Map, bool kEarly>
__global__ void __launch_bounds__(kVectorThreads, 1)
    he_last_block_histogram_kernel(PitchedVectors<typename Map::In> image, uint32_t pixels, uint32_t* d_words,
                                   uint8_t* d_tables) {
    if constexpr (kEarly) pdl_trigger();
    constexpr int kEntries = Map::kPlanes * 256, kReplicas = replicas_for(Map::kPlanes);
    using Words = PlaneWords<Map, kReplicas>;
    __shared__ uint4 s_memory[Words::kCount / 4];
    auto* s_words = reinterpret_cast<uint32_t*>(s_memory);
    clear_words(s_words, Words::kCount);
    __syncthreads();
    if constexpr (kEarly) pdl_wait();  // for the run before, which may still use its counters and its table
    count_vectors<Map>(image, plane_words<Map, kReplicas>(s_words));
    for_each_sum<kEntries, kReplicas>(s_words, [&](unsigned entry, uint32_t sum) {
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

template <class Map, class Sink, bool kEarly>
__global__ void __launch_bounds__(kVectorThreads, 1)
    he_last_block_apply_kernel(ImageFor<Map, Sink> image, Sink sink, uint32_t amount, const uint8_t* d_tables) {
    if constexpr (kEarly) pdl_trigger();
    constexpr int kReplicas = replicas_for(Map::kPlanes);
    __shared__ uint4 s_memory[PlaneWords<Map, kReplicas>::kCount / 4];
    auto* s_words = reinterpret_cast<uint32_t*>(s_memory);
    apply_vectors<Map>(image, sink, plane_words<Map, kReplicas>(s_words), amount, [&] {
        if constexpr (kEarly) pdl_wait();
        fill_table_words<Map, kReplicas>(d_tables, s_words);
    });
}

template <bool kEarly>
void run_with_last_block(CudaJob& job) {
    with_map(job, [&]<class Map>(Map) {
        uint32_t* d_words = job.scratch.keep<ZeroedWords>("he last block").get(3 * 256 + 1, job.stream);
        auto* d_tables = job.scratch.get<uint8_t>("he tables", 3 * 256);
        const auto launch = [&](auto* kernel, const auto& image, auto... arguments) {
            const LaunchShape shape{.blocks = image.blocks(kVectorThreads, job.device.multiProcessorCount),
                                    .threads = kVectorThreads,
                                    .stream = job.stream};
            if constexpr (kEarly)
                launch_pdl(job.device, shape, kernel, image, arguments...);
            else
                TONESCOPE_CUDA(queue_launch(shape, nullptr, 0, kernel, image, arguments...));
        };
        {
            const auto stage = job.stage("histogram");
            launch(&he_last_block_histogram_kernel<Map, kEarly>, vectors_of<Map>(job),
                   uint32_t(job.input_spec.pixels()), d_words, d_tables);
        }
        const auto stage = job.stage("apply");
        with_sink<typename Map::Out>(job.output, [&]<class Sink>(Sink sink) {
            launch(&he_last_block_apply_kernel<Map, Sink, kEarly>, vectors_of<Map, Sink>(job), sink, amount_of(job),
                   d_tables);
        });
    });
}

}  // namespace tonescope::he
#endif
