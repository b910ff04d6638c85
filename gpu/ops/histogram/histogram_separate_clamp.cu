// Report D, version 6: a kernel of four blocks, launched behind the counting one in the same stream, clamps. A kernel
// starts when the one before it has ended and its writes are visible, which is all that the fence and the count of
// finished blocks were for. The launch takes a few microseconds, which small images notice.
#include "gpu/ops/histogram/histogram_stages.cuh"

namespace tonescope::histogram {
namespace {

#ifdef __CUDACC__
/// d_counts is zero before.
template <unsigned kThreads>
__global__ void histogram_count_only_kernel(const uint32_t* d_words, uint32_t count, uint32_t* d_counts) {
    __shared__ uint32_t s_counts[kFineBins];
    clear_unrolled<kThreads>(s_counts);
    count_by_fours<PlainLoad>(d_words, count, s_counts);
    flush_pruned<kThreads>(s_counts, d_counts);
}

void run_separate_clamp(CudaJob& job) {
    with_block(job, [&](auto threads) { count_then_clamp(job, histogram_count_only_kernel<threads>, threads, 4); });
}
#endif

const VariantRegistration separate_clamp_variant({
    .op = "histogram",
    .id = "separate-clamp",
    .name = "Clamping kernel",
    .source = "D 6",
    .follows = "unrolled-pruned",
    .builds_on = "unrolled-pruned",
    .params = kBlockTable,
    .idea = "32-bit counters in shared and in global memory; a second kernel clamps them, so that the first needs no "
            "fence and no count of finished blocks.",
    .cost = "One more launch, and 4 KiB written and read again.",
    .flaw = "The compiler must assume that counting may change the words, and reads them by the ordinary path.",
    .work = [](const WorkCase& c) { return blocks_work(c, 3.8); },
    .run_cuda = TONESCOPE_CUDA_RUN(run_separate_clamp),
});

}  // namespace
}  // namespace tonescope::histogram
