// Histogram lab: words of 32 bits, a privatized histogram in shared memory for each block, then a clamping pass.
#include "gpu/ops/histogram/histogram_stages.cuh"

namespace tonescope::histogram {
namespace {

#ifdef __CUDACC__
/// Counts the words; d_counts is zero before.
__global__ void histogram_count_kernel(const uint32_t* d_words, uint32_t count, uint32_t* d_counts) {
    __shared__ uint32_t s_counts[kFineBins];
    block_clear(s_counts, kFineBins);
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&s_counts[d_words[i]], 1u);
    block_flush(s_counts, kFineBins, d_counts);
}

#endif

}  // namespace

#ifdef __CUDACC__
void run_simple(CudaJob& job) {
    count_then_clamp(job, histogram_count_kernel, 256, 1);
}
#endif

namespace {

const VariantRegistration simple_shared_variant({
    .op = "histogram",
    .id = "simple",
    .name = "Simple CUDA",
    .follows = "warp-vote",
    .any_depth = true,
    .idea = "Each block counts into 1024 32-bit counters in shared memory and adds them to global memory; a second "
            "kernel clamps them to 8 bits.",
    .cost = "The words are read once, 4 bytes a thread; every block adds up to 1024 sums to global memory.",
    .flaw = "A thread has one load of 4 bytes under way at a time, and its warp waits for it 78 % of the time "
            "(counted on an H200).",
    .work = [](const WorkCase& c) { return blocks_work(c, 8.6, 256); },
    .run_cuda = TONESCOPE_CUDA_RUN(run_simple),
});

}  // namespace
}  // namespace tonescope::histogram
