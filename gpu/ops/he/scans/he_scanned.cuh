// Report C's way of histogram equalization, with the prefix sum left open: its variants differ only there.
//
// Histogram in shared memory, by blocks of 16x16 unless `block` says otherwise; prefix sum; a reduction for the
// smallest sum that is not zero, which is the count of the first value that occurs; then every pixel evaluates the
// formula for itself, without a table.
#pragma once

#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {

/// Prefix sum and reduction are the work of one block.
inline Work scanned_work(const WorkCase& c) {
    // Numbers that pass 32 bits are divided in 64.
    const double divided = 510 * c.pixels() > UINT32_MAX ? 99 : 67;
    return plane_work(c, {{"histogram", count_by_block(c)},
                          {"apply", {.bytes = 2, .requests = 2 * requests_of_rows(c), .operations = divided}}});
}

inline constexpr ParamInfo kScanBlockTable[] = {block_param(1)};

}  // namespace tonescope::he

#ifdef __CUDACC__
#include "gpu/cuda/kernels/scan.cuh"

namespace tonescope::he {
namespace {

/// One block of 256 threads, one a sum: the least of a plane's 256 sums that is not zero. In each of 8 steps the lower
/// half of the threads that are left keeps the smaller of two values.
__global__ void he_smallest_kernel(const uint32_t* d_cdf, uint32_t* d_smallest) {
    __shared__ uint32_t s_least[256];
    const uint32_t cdf = d_cdf[threadIdx.x];
    s_least[threadIdx.x] = cdf == 0 ? UINT32_MAX : cdf;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) s_least[threadIdx.x] = min(s_least[threadIdx.x], s_least[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) *d_smallest = s_least[0];
}

/// The formula for one pixel a thread, in place of a table: a division of 64 bits each.
__global__ void he_apply_formula_kernel(const uint8_t* d_in, size_t in_pitch, uint8_t* d_out, size_t out_pitch,
                                        int width, int height, const uint32_t* d_cdf, const uint32_t* d_smallest) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const int value = d_in[size_t(y) * in_pitch + x];
    const uint32_t pixels = uint32_t(width) * uint32_t(height);
    d_out[size_t(y) * out_pitch + x] = equalized(d_cdf[value], *d_smallest, pixels, value);
}

/// Runs the whole of it. scan(d_histogram, d_cdf) launches the prefix sum of 256 bins.
template <class Scan>
void run_with_scan(CudaJob& job, Scan&& scan) {
    with_planes(job, [&](const Planes& planes) {
        const size_t count = planes.all().size();
        const uint32_t* d_histograms = count_by_blocks(job, planes);
        auto* d_cdfs = job.scratch.get<uint32_t>("he cdfs", 3 * 256);
        auto* d_smallest = job.scratch.get<uint32_t>("he smallest", 3);
        {
            const auto stage = job.stage("prefix sum");
            for (size_t k = 0; k < count; ++k) scan(d_histograms + k * 256, d_cdfs + k * 256);
        }
        {
            const auto stage = job.stage("smallest");
            for (size_t k = 0; k < count; ++k) {
                he_smallest_kernel<<<1, 256, 0, job.stream>>>(d_cdfs + k * 256, d_smallest + k);
                TONESCOPE_LAUNCHED("he_smallest_kernel");
            }
        }
        apply_planes(job, planes, [&](const Plane& plane, const PixelGrid& grid, int k) {
            he_apply_formula_kernel<<<grid.grid, grid.block, 0, job.stream>>>(
                plane.d_in, plane.in_pitch, plane.d_out, plane.out_pitch, plane.width, plane.height, d_cdfs + k * 256,
                d_smallest + k);
            TONESCOPE_LAUNCHED("he_apply_formula_kernel");
        });
    });
}

/// One block of 128 threads, two bins a thread.
template <class Scan>
__global__ void he_scan_pairs_kernel(const uint2* d_histogram, uint2* d_cdf) {
    __shared__ uint32_t s_words[Scan::kSharedWords];
    d_cdf[threadIdx.x] = Scan::inclusive_pair(d_histogram[threadIdx.x], s_words);
}

template <class Scan>
void run_with_pair_scan(CudaJob& job) {
    run_with_scan(job, [&](const uint32_t* d_histogram, uint32_t* d_cdf) {
        he_scan_pairs_kernel<Scan>
            <<<1, 128, 0, job.stream>>>(reinterpret_cast<const uint2*>(d_histogram), reinterpret_cast<uint2*>(d_cdf));
        TONESCOPE_LAUNCHED("he_scan_pairs_kernel");
    });
}

}  // namespace
}  // namespace tonescope::he
#endif
