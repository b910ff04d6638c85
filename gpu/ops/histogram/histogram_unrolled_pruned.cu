// Report D, version 5: loops over the shared histogram have a length that the compiler knows, 1024 bins by 256 threads,
// so it writes their four rounds out (clear_unrolled), and a bin in which the block has counted nothing is left out of
// the flush (flush_pruned): an image seldom has all 1024 brightnesses, and a gray one at most 256 of them, as its words
// are 4 v.
#include "gpu/ops/histogram/histogram_stages.cuh"

namespace tonescope::histogram {
namespace {

#ifdef __CUDACC__
/// The counters are zero before.
template <unsigned kThreads>
__global__ void histogram_count_pruned_kernel(const uint32_t* d_words, uint32_t count, Counters counters,
                                              uint8_t* d_bins) {
    __shared__ uint32_t s_counts[kFineBins];
    clear_unrolled<kThreads>(s_counts);
    count_by_fours<PlainLoad>(d_words, count, s_counts);
    flush_pruned<kThreads>(s_counts, counters.d_counts);
    clamp_by_last_block(counters, d_bins);
}

void run_unrolled_pruned(CudaJob& job) {
    with_block(job,
               [&](auto threads) { count_in_one_kernel(job, histogram_count_pruned_kernel<threads>, threads, 4); });
}
#endif

const VariantRegistration unrolled_pruned_variant({
    .op = "histogram",
    .id = "unrolled-pruned",
    .name = "Unrolled and pruned",
    .source = "D 5",
    .follows = "vectorized",
    .builds_on = "vectorized",
    .params = kBlockTable,
    .idea = "The loops over the shared histogram are unrolled, and bins in which the block has counted nothing are not "
            "added to global memory.",
    .cost = "A comparison a bin in place of an addition in global memory.",
    .flaw = "Every block pays for the fence and the count of finished blocks, and one block clamps after all others "
            "have ended.",
    .work = [](const WorkCase& c) { return blocks_work(c, 4.3); },
    .run_cuda = TONESCOPE_CUDA_RUN(run_unrolled_pruned),
});

}  // namespace
}  // namespace tonescope::histogram
