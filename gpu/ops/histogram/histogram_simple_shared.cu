// Histogram lab: words of 32 bits, a privatised histogram in shared memory for each block, then a clamping pass.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include <algorithm>

#include "gpu/core/histogram.h"
#include "gpu/cuda/block.cuh"
#include "gpu/cuda/lab_words.cuh"
#include "gpu/cuda/pixels.cuh"
#endif

namespace tonescope {
namespace {

#ifdef __CUDACC__

constexpr int kThreads = 256;
constexpr int kBlocksPerProcessor = 8;

/// One thread a pixel writes its word. d_words: width x height without gaps.
template <class Pixel>
__global__ void histogram_words_kernel(PitchedSource<Pixel> source, int width, int height, uint32_t* d_words) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    d_words[size_t(y) * size_t(width) + size_t(x)] = lab_word(source.load(x, y));
}

/// Counts the words; d_counts is zero before. An image has at most 2^29 pixels, so 32-bit indices never overflow.
__global__ void histogram_count_kernel(const uint32_t* d_words, uint32_t count, uint32_t* d_counts) {
    __shared__ uint32_t s_counts[kLabBins];
    block_clear(s_counts, kLabBins);
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&s_counts[d_words[i]], 1u);
    block_flush(s_counts, kLabBins, d_counts);
}

__global__ void histogram_clamp_kernel(const uint32_t* d_counts, uint8_t* d_bins) {
    const unsigned bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin < kLabBins) d_bins[bin] = uint8_t(min(d_counts[bin], 255u));
}

template <class Pixel>
void run_with(CudaJob& job) {
    const int width = job.input_spec.width, height = job.input_spec.height;
    const uint32_t count = uint32_t(job.input_spec.pixels());
    auto* d_words = job.scratch.get<uint32_t>("histogram words", count);
    auto* d_counts = job.scratch.get<uint32_t>("histogram counts", kLabBins);
    {
        const auto stage = job.stage("words", job.input_bytes() + count * uint64_t{4});
        const PixelGrid grid(width, height);
        histogram_words_kernel<<<grid.grid, grid.block, 0, job.stream>>>(source_of<Pixel>(job), width, height, d_words);
        TONESCOPE_LAUNCHED("histogram_words_kernel");
    }
    {
        const auto stage = job.stage("histogram", count * uint64_t{4});
        TONESCOPE_CUDA(cudaMemsetAsync(d_counts, 0, kLabBins * sizeof(uint32_t), job.stream));
        const uint32_t blocks =
            std::min((count + kThreads - 1) / kThreads, uint32_t(job.facts.multiprocessors * kBlocksPerProcessor));
        histogram_count_kernel<<<blocks, kThreads, 0, job.stream>>>(d_words, count, d_counts);
        TONESCOPE_LAUNCHED("histogram_count_kernel");
    }
    const auto stage = job.stage("clamp");
    histogram_clamp_kernel<<<kLabBins / kThreads, kThreads, 0, job.stream>>>(d_counts, job.d_bins);
    TONESCOPE_LAUNCHED("histogram_clamp_kernel");
}

void run_histogram_simple(CudaJob& job) {
    if (job.input_spec.format == PixelFormat::gray8) {
        run_with<uint8_t>(job);
    } else {
        run_with<uchar4>(job);
    }
}

#endif

const RungRegistration registration({
    .op = "histogram",
    .id = "simple",
    .name = "Simple CUDA",
    .source = "",
    .backend = BackendKind::cuda,
    .order = 500,
    .preferred = true,
    .idea =
        "Each block counts into 1024 32-bit counters in shared memory and adds them to global memory; a second kernel "
        "clamps them to 8 bits.",
    .cost = "The words are read once, 4 bytes a thread; every block adds up to 1024 sums to global memory.",
    .flaw = "Words that fall into the same bin wait for each other, and one load a thread leaves memory waiting.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_histogram_simple),
});

}  // namespace
}  // namespace tonescope
