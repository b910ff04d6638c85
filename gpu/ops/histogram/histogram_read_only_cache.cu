// Report D, version 7: the words are `const` and `__restrict__`, which promises the compiler that nobody writes them
// through another pointer while the kernel runs; it may then move loads ahead of the atomic additions. And they are
// read with __ldg, by the way of the textures, whose cache need not be kept in step with writes. On GPUs since Volta
// both ways share one L1 cache, and what is left of the gain is the freer order.
#include "gpu/ops/histogram/histogram_stages.cuh"

namespace tonescope::histogram {
namespace {

#ifdef __CUDACC__
/// d_counts is zero before.
template <unsigned kThreads>
__global__ void histogram_count_read_only_kernel(const uint32_t* __restrict__ d_words, const uint32_t count,
                                                 uint32_t* __restrict__ d_counts) {
    __shared__ uint32_t s_counts[kFineBins];
    clear_unrolled<kThreads>(s_counts);
    count_by_fours<ReadOnlyLoad>(d_words, count, s_counts);
    flush_pruned<kThreads>(s_counts, d_counts);
}

void run_read_only(CudaJob& job) {
    with_block(job,
               [&](auto threads) { count_then_clamp(job, histogram_count_read_only_kernel<threads>, threads, 4); });
}
#endif

const VariantRegistration read_only_cache_variant({
    .op = "histogram",
    .id = "read-only",
    .name = "Read-only words",
    .source = "D 7",
    .follows = "separate-clamp",
    .builds_on = "separate-clamp",
    .params = kBlockTable,
    .idea = "The words are declared const and restrict and read through the read-only cache, so that loads may go "
            "ahead of additions.",
    .cost = "Nothing beyond a promise: no other pointer may write the words meanwhile.",
    .flaw = "In the flush, threads of a warp go separate ways wherever some of its bins are empty: 29 of 32 take part "
            "in an instruction (counted on an H200).",
    .work = [](const WorkCase& c) { return blocks_work(c, 3.8); },
    .run_cuda = TONESCOPE_CUDA_RUN(run_read_only),
});

}  // namespace
}  // namespace tonescope::histogram
