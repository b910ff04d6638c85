// What the CUDA variants of histogram equalization share: the formula, and the stages of `simple` and of the variants
// behind it. Without nvcc this header is empty, so that the variants' files include it plainly.
#pragma once

#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/lightness_plane.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/check.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {

/// `cdf`: pixels of `value` or less; `first_count`: of the lowest value that occurs; `pixels`: of the image. With
/// d = pixels - first_count: floor((510 (cdf - first_count) + d) / (2 d)), in 64 bits since 510 * pixels passes 2^32.
TONESCOPE_HOST_DEVICE inline uint8_t equalized(uint32_t cdf, uint32_t first_count, uint32_t pixels, int value) {
    const uint64_t rest = pixels - first_count;
    if (rest == 0) return uint8_t(value);  // an image of one value stays as it is
    if (cdf == 0) return 0;                // below every pixel
    return uint8_t((510 * uint64_t(cdf - first_count) + rest) / (2 * rest));
}

/// Whether the stages here serve: those for 256 values, spread over all of 0 to 255.
inline bool takes_bytes(const CudaJob& job) {
    return !is_deep(job.input_spec.format) &&
           !takes_used_values(job.input_spec, job.params.as<Params>().range_choice());
}

constexpr int kTableScratch = 256 / 32 + 1;

/// Thread t of at least kPlanes x 256 passes the image's count of bin t % 256 in plane t / 256 and gets that bin's
/// table entry. Every thread of the block calls. s_scratch: kTableScratch words of shared memory a plane.
template <int kPlanes>
__device__ uint8_t table_entry(uint32_t count, uint32_t pixels, uint32_t* s_scratch) {
    constexpr unsigned kWarps = 256 / 32;  // of a plane
    uint32_t *const s_warp_sums = s_scratch, *const s_first_counts = s_scratch + kPlanes * kWarps;
    const unsigned plane = threadIdx.x / 256, bin = threadIdx.x % 256, warp = threadIdx.x / 32;
    const bool has_bin = plane < kPlanes;  // true for whole warps
    uint32_t cdf = 0;
    if (has_bin) {
        cdf = warp_inclusive_scan(count);
        if (bin % 32 == 31) s_warp_sums[warp] = cdf;
    }
    __syncthreads();
    if (has_bin) {
        for (unsigned before = plane * kWarps; before < warp; ++before) cdf += s_warp_sums[before];
        if (count > 0 && cdf == count) s_first_counts[plane] = count;  // true for the first non-empty bin alone
    }
    __syncthreads();
    return has_bin ? equalized(cdf, s_first_counts[plane], pixels, int(bin)) : uint8_t{0};
}

/// One block of kPlanes x 256 threads: from the histograms to the tables.
template <int kPlanes>
__global__ void he_table_kernel(const uint32_t* d_histograms, uint32_t pixels, uint8_t* d_tables) {
    __shared__ uint32_t s_scratch[kPlanes * kTableScratch];
    d_tables[threadIdx.x] = table_entry<kPlanes>(d_histograms[threadIdx.x], pixels, s_scratch);
}

/// Calls run(Map{}) with the map that the image and the parameters ask for.
template <class Run>
void with_map(const CudaJob& job, Run&& run) {
    with_color_map(job.input_spec, job.params.as<Params>().color, run);
}

/// Queues setting Map::kPlanes x 256 counters to zero.
template <class Map>
uint32_t* cleared_histograms(CudaJob& job) {
    auto* d_histograms = job.scratch.get<uint32_t>("he histograms", 3 * 256);
    TONESCOPE_CUDA(cudaMemsetAsync(d_histograms, 0, Map::kPlanes * 256 * sizeof(uint32_t), job.stream));
    return d_histograms;
}

/// Stage "table" with he_table_kernel.
template <class Map>
const uint8_t* tables_by_kernel(CudaJob& job, const uint32_t* d_histograms) {
    const auto stage = job.stage("table");
    auto* d_tables = job.scratch.get<uint8_t>("he tables", 3 * 256);
    he_table_kernel<Map::kPlanes>
        <<<1, Map::kPlanes * 256, 0, job.stream>>>(d_histograms, uint32_t(job.input_spec.pixels()), d_tables);
    TONESCOPE_LAUNCHED("he_table_kernel");
    return d_tables;
}

}  // namespace tonescope::he
#endif
