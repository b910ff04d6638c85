#include <cub/device/device_histogram.cuh>
#include <cub/version.cuh>

#include "bench/cuda/peer_kernels.h"
#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/runtime/check.h"
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::bench {
namespace {

constexpr int kLevels = 257;  // ends of 256 bins

/// One block, a thread a bin.
__global__ void peer_table_kernel(const uint32_t* d_counts, uint32_t pixels, uint8_t* d_table) {
    __shared__ uint32_t s_warp_sums[32];
    __shared__ uint32_t s_first_count;
    const uint32_t count = d_counts[threadIdx.x];
    const uint32_t cdf = block_inclusive_scan(count, s_warp_sums);
    if (count > 0 && cdf == count) s_first_count = count;
    __syncthreads();
    d_table[threadIdx.x] = he::equalized(cdf, s_first_count, pixels, int(threadIdx.x));
}

}  // namespace

std::string cub_name() {
    return "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
           std::to_string(CUB_SUBMINOR_VERSION);
}

size_t cub_scratch_bytes(int64_t pixels) {
    size_t bytes = 0;
    TONESCOPE_CUDA(cub::DeviceHistogram::HistogramEven(nullptr, bytes, static_cast<const uint8_t*>(nullptr),
                                                       static_cast<uint32_t*>(nullptr), kLevels, 0, 256, int(pixels)));
    return bytes;
}

void cub_histogram(const uint8_t* d_pixels, int64_t pixels, uint32_t* d_counts, void* d_scratch, size_t scratch_bytes,
                   cudaStream_t stream) {
    TONESCOPE_CUDA(cub::DeviceHistogram::HistogramEven(d_scratch, scratch_bytes, d_pixels, d_counts, kLevels, 0, 256,
                                                       int(pixels), stream));
}

void make_he_table(const uint32_t* d_counts, uint32_t pixels, uint8_t* d_table, cudaStream_t stream) {
    peer_table_kernel<<<1, 256, 0, stream>>>(d_counts, pixels, d_table);
    TONESCOPE_LAUNCHED("peer_table_kernel");
}

}  // namespace tonescope::bench
