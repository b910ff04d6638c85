// Report D, version 2: 32-bit counters in global memory hold any image's counts (2^29 pixels), and a second kernel
// stops them at 255. That makes the result right. Increments of one bin are carried out one after another in the L2
// cache: an image that is mostly one brightness waits at one counter. In the report this was slower than the CPU.
#include "gpu/ops/histogram/histogram_stages.cuh"

namespace tonescope::histogram {
namespace {

#ifdef __CUDACC__
/// One thread a word. d_counts is zero before.
__global__ void histogram_count_global_kernel(const uint32_t* d_words, uint32_t count, uint32_t* d_counts) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) atomicAdd(&d_counts[d_words[i]], 1u);
}

void run_global_32bit(CudaJob& job) {
    with_block(job, [&](auto threads) { count_then_clamp(job, histogram_count_global_kernel, threads, 0); });
}
#endif

const VariantRegistration global_32bit_clamp_variant({
    .op = "histogram",
    .id = "global-32bit",
    .name = "32-bit counters in global memory",
    .source = "D 2",
    .follows = "global-8bit",
    .builds_on = "global-8bit",
    .params = kBlockTable,
    .idea = "One thread a word increments a 32-bit counter in global memory; a second kernel clamps the counters to 8 "
            "bits.",
    .cost = "One atomic addition in global memory a word.",
    .flaw = "Words of equal brightness wait for each other at one counter: an image of one value takes 8 times as "
            "long as noise (counted on an H200).",
    .work =
        [](const WorkCase& c) {
            return words_work(c,
                              {.operations = 16,
                               .global_atomics = c.values.additions_of_fourth / 32,
                               .word_atomics = c.values.most_frequent},
                              false);
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_global_32bit),
});

}  // namespace
}  // namespace tonescope::histogram
