// Report C's way of histogram equalization, with the prefix sum left open: its three variants differ only there.
//
// Histogram in shared memory by blocks of 16x16; prefix sum; a reduction for the smallest sum that is not zero, which
// is the count of the first value that occurs; then every pixel evaluates the formula for itself, without a table.
#pragma once

#include "gpu/ops/he/he_stages.cuh"

#ifdef __CUDACC__
namespace tonescope::he {

/// One block of 256 threads, one a sum, for each plane: d_smallest[plane] is the least of the plane's 256 sums that is
/// not zero. In each of 8 steps the lower half of the threads that are left keeps the smaller of two values.
template <unsigned kThreads>
__global__ void he_smallest_kernel(const uint32_t* __restrict__ d_cdfs, uint32_t* d_smallest) {
    __shared__ uint32_t s_least[kThreads];
    const uint32_t cdf = d_cdfs[blockIdx.x * kThreads + threadIdx.x];
    s_least[threadIdx.x] = cdf == 0 ? UINT32_MAX : cdf;
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) s_least[threadIdx.x] = min(s_least[threadIdx.x], s_least[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) d_smallest[blockIdx.x] = s_least[0];
}

/// In place of a table: a division of 64 bits a value.
struct Formula {
    const uint32_t* __restrict__ d_cdfs;
    const uint32_t* __restrict__ d_smallest;
    uint32_t pixels;
    __device__ int operator()(int plane, int value) const {
        return equalized(d_cdfs[plane * 256 + value], d_smallest[plane], pixels, value);
    }
};

/// Runs the whole of it. scan(planes, d_histograms, d_cdfs) launches the prefix sum of `planes` histograms.
template <class Scan>
void run_with_scan(CudaJob& job, Scan&& scan) {
    with_map(job, [&]<class Map>(Map) {
        const uint32_t* d_histograms = histograms_by_blocks<Map>(job, {16, 16});
        auto* d_cdfs = job.scratch.get<uint32_t>("he cdfs", Map::kPlanes * 256);
        auto* d_smallest = job.scratch.get<uint32_t>("he smallest", Map::kPlanes);
        {
            const auto stage = job.stage("prefix sum");
            scan(unsigned(Map::kPlanes), d_histograms, d_cdfs);
        }
        {
            const auto stage = job.stage("smallest");
            he_smallest_kernel<256><<<Map::kPlanes, 256, 0, job.stream>>>(d_cdfs, d_smallest);
            TONESCOPE_LAUNCHED("he_smallest_kernel");
        }
        apply<Map>(job, Formula{d_cdfs, d_smallest, uint32_t(job.input_spec.pixels())});
    });
}

/// One block of 128 threads a plane, two bins a thread.
template <class Scan>
__global__ void he_scan_pairs_kernel(const uint2* __restrict__ d_histograms, uint2* __restrict__ d_cdfs) {
    __shared__ uint32_t s_words[Scan::kSharedWords];
    const unsigned pair = blockIdx.x * 128 + threadIdx.x;
    d_cdfs[pair] = Scan::inclusive_pair(d_histograms[pair], s_words);
}

template <class Scan>
void run_with_pair_scan(CudaJob& job) {
    run_with_scan(job, [&](unsigned planes, const uint32_t* d_histograms, uint32_t* d_cdfs) {
        he_scan_pairs_kernel<Scan><<<planes, 128, 0, job.stream>>>(reinterpret_cast<const uint2*>(d_histograms),
                                                                   reinterpret_cast<uint2*>(d_cdfs));
        TONESCOPE_LAUNCHED("he_scan_pairs_kernel");
    });
}

}  // namespace tonescope::he
#endif
