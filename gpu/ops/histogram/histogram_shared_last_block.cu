// Report D, version 3: each block counts into 1024 counters of its own, in shared memory (privatization), where only
// its 256 threads can meet. For the sums to be few, there are no more blocks than the GPU holds at a time, and their
// threads loop over the words. The last block to finish clamps (clamp_by_last_block in histogram_stages.cuh), so that
// there is no second launch, but a fence and a count of finished blocks.
#include "gpu/ops/histogram/histogram_stages.cuh"

namespace tonescope::histogram {
namespace {

#ifdef __CUDACC__
/// The counters are zero before.
__global__ void histogram_count_shared_kernel(const uint32_t* d_words, uint32_t count, Counters counters,
                                              uint8_t* d_bins) {
    __shared__ uint32_t s_counts[kFineBins];
    block_clear(s_counts, kFineBins);
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&s_counts[d_words[i]], 1u);
    flush_every_bin(s_counts, counters.d_counts);
    clamp_by_last_block(counters, d_bins);
}

void run_shared(CudaJob& job) {
    with_block(job, [&](auto threads) { count_in_one_kernel(job, histogram_count_shared_kernel, threads, 1); });
}
#endif

const VariantRegistration shared_last_block_variant({
    .op = "histogram",
    .id = "shared",
    .name = "Shared memory",
    .source = "D 3",
    .follows = "global-32bit",
    .builds_on = "global-32bit",
    .params = kBlockTable,
    .idea = "Each block counts into a histogram of its own in shared memory and adds it to the one in global memory; "
            "the last block to finish clamps.",
    .cost = "One atomic addition in shared memory a word, and 1024 in global memory a block.",
    .flaw = "A thread has one load of 4 bytes under way at a time, and its warp waits for it 77 % of the time "
            "(counted on an H200).",
    .work = [](const WorkCase& c) { return blocks_work(c, 9); },
    .run_cuda = TONESCOPE_CUDA_RUN(run_shared),
});

}  // namespace
}  // namespace tonescope::histogram
