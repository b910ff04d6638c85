// Report D, version 8: the warp votes on its flush.
//
// What changed since version 7: in each round of the flush a warp has 32 neighbouring bins. Its threads vote: where all
// 32 are empty the warp skips the round, else all of them add, zeros included. The branch is the whole warp's and none
// of its threads goes a separate way; 32 additions to neighbouring words are one request to the L2 cache, which is
// about what a part of them would cost. What it costs: a vote in each round, and some additions of zero. An image that
// uses part of the range leaves most warps nothing to do.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/block.cuh"
#include "gpu/ops/histogram/histogram_block.cuh"

namespace tonescope::histogram {
namespace {

/// Begins with a barrier.
__device__ void flush_by_vote(const uint32_t* s_counts, uint32_t* d_counts) {
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < kFineBins / kBlockThreads; ++i) {
        const unsigned bin = i * kBlockThreads + threadIdx.x;
        const uint32_t count = s_counts[bin];
        if (__any_sync(kFullWarp, count != 0)) atomicAdd(&d_counts[bin], count);
    }
}

/// d_counts is zero before.
__global__ void histogram_count_vote_kernel(const uint32_t* __restrict__ d_words, const uint32_t count,
                                            uint32_t* __restrict__ d_counts) {
    __shared__ uint32_t s_counts[kFineBins];
    clear_unrolled(s_counts);
    count_by_fours<ReadOnlyLoad>(d_words, count, s_counts);
    flush_by_vote(s_counts, d_counts);
}

void run_warp_vote(CudaJob& job) {
    count_then_clamp(job, [&](const Words& words, uint32_t* d_counts) {
        histogram_count_vote_kernel<<<looping_blocks(job.device, words.count / 4), kBlockThreads, 0, job.stream>>>(
            words.d_words, words.count, d_counts);
        TONESCOPE_LAUNCHED("histogram_count_vote_kernel");
    });
}

}  // namespace
}  // namespace tonescope::histogram
#endif

namespace tonescope::histogram {

const VariantRegistration warp_vote_variant({
    .op = "histogram",
    .id = "warp-vote",
    .name = "Warp vote",
    .source = "D 8",
    .backend = BackendKind::cuda,
    .follows = "read-only",
    .idea = "A warp whose 32 bins are all empty skips its flush, by a vote of its threads; else all of them add.",
    .cost = "Four votes a warp, once a block.",
    .flaw = "The flush was a small part of the time: words of equal brightness still wait for each other in shared "
            "memory.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_warp_vote),
});

}  // namespace tonescope::histogram
