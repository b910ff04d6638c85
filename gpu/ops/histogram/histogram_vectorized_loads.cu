// Report D, version 4: four words a load (count_by_fours in histogram_stages.cuh). A warp asks for 512 bytes at once
// where it asked for 128, and there is a quarter of the index computations and loop tests. The array must start at a
// multiple of 16 bytes, and the 1 to 3 words behind the last whole four need code of their own.
#include "gpu/ops/histogram/histogram_stages.cuh"

namespace tonescope::histogram {
namespace {

#ifdef __CUDACC__
/// The counters are zero before.
__global__ void histogram_count_vectors_kernel(const uint32_t* d_words, uint32_t count, Counters counters,
                                               uint8_t* d_bins) {
    __shared__ uint32_t s_counts[kFineBins];
    block_clear(s_counts, kFineBins);
    count_by_fours<PlainLoad>(d_words, count, s_counts);
    flush_every_bin(s_counts, counters.d_counts);
    clamp_by_last_block(counters, d_bins);
}

void run_vectorized(CudaJob& job) {
    with_block(job, [&](auto threads) { count_in_one_kernel(job, histogram_count_vectors_kernel, threads, 4); });
}
#endif

const VariantRegistration vectorized_loads_variant({
    .op = "histogram",
    .id = "vectorized",
    .name = "Four words a load",
    .source = "D 4",
    .follows = "shared",
    .builds_on = "shared",
    .params = kBlockTable,
    .idea = "A thread reads four words, 16 bytes, in one load and counts them into the block's shared histogram.",
    .cost = "A quarter of the loads; the additions are as many as before.",
    .flaw = "Each block adds all 1024 bins to global memory, also those in which it has counted nothing.",
    .work = [](const WorkCase& c) { return blocks_work(c, 5.5); },
    .run_cuda = TONESCOPE_CUDA_RUN(run_vectorized),
});

}  // namespace
}  // namespace tonescope::histogram
