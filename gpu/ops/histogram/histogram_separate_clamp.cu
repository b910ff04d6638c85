// Report D, version 6: a second kernel clamps.
//
// What changed since version 5: the counting kernel ends with its additions, and a kernel of four blocks, launched
// behind it in the same stream, turns the 32-bit counters into 8-bit ones. A kernel starts when the one before it has
// ended and its writes are visible, which is all that the fence and the count of finished blocks were for; the counting
// kernel is rid of both. What it costs: one more launch, a few microseconds, which small images notice.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/histogram/histogram_block.cuh"

namespace tonescope::histogram {
namespace {

/// d_counts is zero before.
__global__ void histogram_count_only_kernel(const uint32_t* d_words, uint32_t count, uint32_t* d_counts) {
    __shared__ uint32_t s_counts[kFineBins];
    clear_unrolled(s_counts);
    count_by_fours<PlainLoad>(d_words, count, s_counts);
    flush_pruned(s_counts, d_counts);
}

void run_separate_clamp(CudaJob& job) {
    count_then_clamp(job, [&](const Words& words, uint32_t* d_counts) {
        histogram_count_only_kernel<<<looping_blocks(job.device, words.count / 4), kBlockThreads, 0, job.stream>>>(
            words.d_words, words.count, d_counts);
        TONESCOPE_LAUNCHED("histogram_count_only_kernel");
    });
}

}  // namespace
}  // namespace tonescope::histogram
#endif

namespace tonescope::histogram {

const VariantRegistration separate_clamp_variant({
    .op = "histogram",
    .id = "separate-clamp",
    .name = "Clamping kernel",
    .source = "D 6",
    .backend = BackendKind::cuda,
    .follows = "unrolled-pruned",
    .idea = "32-bit counters in shared and in global memory; a second kernel clamps them, so that the first needs no "
            "fence and no count of finished blocks.",
    .cost = "One more launch, and 4 KiB written and read again.",
    .flaw = "The compiler must assume that counting may change the words, and reads them by the common way.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_separate_clamp),
});

}  // namespace tonescope::histogram
