// Report C's work-efficient prefix sum as the report uses it: the sweeps give exclusive sums, and these are taken for
// the cumulative distribution. Every value gets what belongs to the one before it, and the brightest value does not
// become white. The picture looks right nevertheless, which is why it went unnoticed: differences are small where many
// values occur, and large where there are few.
#include "gpu/ops/he/scans/he_scanned.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
/// One block of 128 threads, two bins a thread.
__global__ void he_scan_exclusive_kernel(const uint2* d_histogram, uint2* d_sums) {
    __shared__ uint32_t s_words[WorkEfficientScan::kSharedWords];
    d_sums[threadIdx.x] = WorkEfficientScan::exclusive_pair(d_histogram[threadIdx.x], s_words);
}

void run_scan_exclusive(CudaJob& job) {
    run_with_scan(job, [&](const uint32_t* d_histogram, uint32_t* d_sums) {
        he_scan_exclusive_kernel<<<1, 128, 0, job.stream>>>(reinterpret_cast<const uint2*>(d_histogram),
                                                            reinterpret_cast<uint2*>(d_sums));
        TONESCOPE_LAUNCHED("he_scan_exclusive_kernel");
    });
}
#endif

const VariantRegistration scan_exclusive_variant({
    .op = "he",
    .id = "scan-exclusive",
    .name = "Exclusive sums (wrong)",
    .source = "C exclusive",
    .follows = "scan-work-efficient",
    .builds_on = "scan-work-efficient",
    .params = kScanBlockTable,
    .wrong_by_design = true,
    .idea = "The sums that the sweeps leave are taken for the cumulative distribution, as report C does.",
    .cost = "One addition a bin less.",
    .flaw = "Wrong results: a bin's own pixels are missing from its sum, so that each value becomes too dark.",
    .work = scanned_work,
    .run_cuda = TONESCOPE_CUDA_RUN(run_scan_exclusive),
});

}  // namespace
}  // namespace tonescope::he
