// Report C, first prefix sum: naive, with two buffers (NaiveScan in gpu/cuda/kernels/scan.cuh). One thread would add up
// the bins in 255 additions, one after the other; here 256 threads need 8 steps.
#include "gpu/ops/he/scans/he_scanned.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
/// One block of 256 threads.
__global__ void he_scan_naive_kernel(const uint32_t* d_histogram, uint32_t* d_cdf) {
    __shared__ uint32_t s_words[NaiveScan::kSharedWords];
    d_cdf[threadIdx.x] = NaiveScan::inclusive(d_histogram[threadIdx.x], s_words);
}

void run_scan_naive(CudaJob& job) {
    run_with_scan(job, [&](const uint32_t* d_histogram, uint32_t* d_cdf) {
        he_scan_naive_kernel<<<1, 256, 0, job.stream>>>(d_histogram, d_cdf);
        TONESCOPE_LAUNCHED("he_scan_naive_kernel");
    });
}
#endif

const VariantRegistration scan_naive_variant({
    .op = "he",
    .id = "scan-naive",
    .name = "Naive prefix sum",
    .source = "C naive",
    .follows = "two-streams",
    .params = kScanBlockTable,
    .idea = "All on the GPU: shared histograms, a prefix sum in 8 steps between two buffers, a reduction for the "
            "smallest sum, and the formula for every pixel.",
    .cost = "1793 additions for 256 bins, and a division of 64 bits for every pixel.",
    .flaw = "Seven times the additions that are needed, and pixels repeat what 256 table entries would hold.",
    .work = scanned_work,
    .run_cuda = TONESCOPE_CUDA_RUN(run_scan_naive),
});

}  // namespace
}  // namespace tonescope::he
