// Report D, version 5: shared loops unrolled, and empty bins not flushed.
//
// What changed since version 4: the loops over the shared histogram have a length that the compiler knows, 1024 bins by
// 256 threads, so it writes their four rounds out, without counter, comparison and jump (clear_unrolled). In the last
// one, a bin in which the block has counted nothing is left out (flush_pruned): an image seldom has all 1024
// brightnesses, and a gray one at most 256 of them, as its words are 4 v. What it costs: a comparison a bin, and the
// block must have 256 threads.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/histogram/histogram_block.cuh"

namespace tonescope::histogram {
namespace {

/// The counters are zero before.
__global__ void histogram_count_pruned_kernel(const uint32_t* d_words, uint32_t count, Counters counters,
                                              uint8_t* d_bins) {
    __shared__ uint32_t s_counts[kFineBins];
    clear_unrolled(s_counts);
    count_by_fours<PlainLoad>(d_words, count, s_counts);
    flush_pruned(s_counts, counters.d_counts);
    clamp_by_last_block(counters, d_bins);
}

void run_unrolled_pruned(CudaJob& job) {
    count_in_one_kernel(job, [&](const Words& words, const Counters& counters) {
        histogram_count_pruned_kernel<<<looping_blocks(job.device, words.count / 4), kBlockThreads, 0, job.stream>>>(
            words.d_words, words.count, counters, job.d_bins);
        TONESCOPE_LAUNCHED("histogram_count_pruned_kernel");
    });
}

}  // namespace
}  // namespace tonescope::histogram
#endif

namespace tonescope::histogram {

const VariantRegistration unrolled_pruned_variant({
    .op = "histogram",
    .id = "unrolled-pruned",
    .name = "Unrolled and pruned",
    .source = "D 5",
    .backend = BackendKind::cuda,
    .follows = "vectorized",
    .idea = "The loops over the shared histogram are unrolled, and bins in which the block has counted nothing are not "
            "added to global memory.",
    .cost = "A comparison a bin in place of an addition in global memory.",
    .flaw = "Every block pays for the fence and the count of finished blocks, and one block clamps while all others "
            "are gone.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_unrolled_pruned),
});

}  // namespace tonescope::histogram
