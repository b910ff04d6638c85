// Report D, version 8: the warp votes on its flush, in each round of which it has 32 neighboring bins. The branch is
// the whole warp's and none of its threads goes a separate way; 32 additions to neighboring words, zeros among them,
// are one request to the L2 cache, which is about what a part of them would cost.
#include "gpu/ops/histogram/histogram_stages.cuh"

namespace tonescope::histogram {
namespace {

#ifdef __CUDACC__
/// Begins with a barrier.
template <unsigned kThreads>
__device__ void flush_by_vote(const uint32_t* s_counts, uint32_t* d_counts) {
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < kFineBins / kThreads; ++i) {
        const unsigned bin = i * kThreads + threadIdx.x;
        const uint32_t count = s_counts[bin];
        if (__any_sync(kFullWarp, count != 0)) atomicAdd(&d_counts[bin], count);
    }
}

/// d_counts is zero before.
template <unsigned kThreads>
__global__ void histogram_count_vote_kernel(const uint32_t* __restrict__ d_words, const uint32_t count,
                                            uint32_t* __restrict__ d_counts) {
    __shared__ uint32_t s_counts[kFineBins];
    clear_unrolled<kThreads>(s_counts);
    count_by_fours<ReadOnlyLoad>(d_words, count, s_counts);
    flush_by_vote<kThreads>(s_counts, d_counts);
}

void run_warp_vote(CudaJob& job) {
    with_block(job, [&](auto threads) { count_then_clamp(job, histogram_count_vote_kernel<threads>, threads, 4); });
}
#endif

const VariantRegistration warp_vote_variant({
    .op = "histogram",
    .id = "warp-vote",
    .name = "Warp vote",
    .source = "D 8",
    .follows = "read-only",
    .builds_on = "read-only",
    .params = kBlockTable,
    .idea = "A warp whose 32 bins are all empty skips its flush, by a vote of its threads; else all of them add.",
    .cost = "Four votes a warp, once a block.",
    .flaw = "All 32 threads take part, and the time stays: what the flush takes are additions in global memory, where "
            "one bin of a sector costs as much as all eight (22 \u00b5s at 4K; 12 on an image of one value, counted "
            "on an H200).",
    .work = [](const WorkCase& c) { return blocks_work(c, 3.9); },
    .run_cuda = TONESCOPE_CUDA_RUN(run_warp_vote),
});

}  // namespace
}  // namespace tonescope::histogram
