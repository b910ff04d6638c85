// What a block of kBlockThreads threads does with its histogram in shared memory. Each piece comes up in one of report
// D's versions and stays in those after it.
#pragma once

#include "gpu/ops/histogram/histogram_stages.cuh"

#ifdef __CUDACC__

namespace tonescope::histogram {

/// How words are read. Version 7 changes it.
struct PlainLoad {
    template <class T>
    __device__ static T load(const T* d_from) {
        return *d_from;
    }
};
/// Through the read-only cache: nobody may write the words while the kernel runs.
struct ReadOnlyLoad {
    template <class T>
    __device__ static T load(const T* d_from) {
        return __ldg(d_from);
    }
};

/// Version 4: a thread counts four words at a time, 16 bytes in one load, up to the last whole four; the 1 to 3 words
/// that may be left are the first threads' of the first block.
template <class Load>
__device__ void count_by_fours(const uint32_t* d_words, uint32_t count, uint32_t* s_counts) {
    const uint32_t first = blockIdx.x * blockDim.x + threadIdx.x, fours = count / 4;
    const auto* d_fours = reinterpret_cast<const uint4*>(d_words);
    for (uint32_t i = first; i < fours; i += gridDim.x * blockDim.x) {
        const uint4 four = Load::load(&d_fours[i]);
        atomicAdd(&s_counts[four.x], 1u);
        atomicAdd(&s_counts[four.y], 1u);
        atomicAdd(&s_counts[four.z], 1u);
        atomicAdd(&s_counts[four.w], 1u);
    }
    if (first < count % 4) atomicAdd(&s_counts[Load::load(&d_words[fours * 4 + first])], 1u);
}

/// Version 3: every bin is added, empty or not. Begins with a barrier.
__device__ inline void flush_every_bin(const uint32_t* s_counts, uint32_t* d_counts) {
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kFineBins; bin += blockDim.x) atomicAdd(&d_counts[bin], s_counts[bin]);
}

/// Version 5: the same number of bins for every thread, known to the compiler, which leaves no loop. Ends with a
/// barrier.
__device__ inline void clear_unrolled(uint32_t* s_counts) {
#pragma unroll
    for (unsigned i = 0; i < kFineBins / kBlockThreads; ++i) s_counts[i * kBlockThreads + threadIdx.x] = 0;
    __syncthreads();
}

/// Version 5: bins that this block has not met are left out. Begins with a barrier.
__device__ inline void flush_pruned(const uint32_t* s_counts, uint32_t* d_counts) {
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < kFineBins / kBlockThreads; ++i) {
        const unsigned bin = i * kBlockThreads + threadIdx.x;
        if (s_counts[bin] != 0) atomicAdd(&d_counts[bin], s_counts[bin]);
    }
}

}  // namespace tonescope::histogram
#endif
