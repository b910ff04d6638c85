// Report C, second prefix sum: work-efficient, by an up-sweep and a down-sweep.
//
// What changed since the naive one: sums of pairs, of pairs of pairs and so on are built up to the sum of all 256 bins,
// and then handed down again, so that each node tells its children what stands before them. 255 additions up and as
// many down, by 128 threads with two bins each. What it costs: 16 steps in place of 8, in which fewer and fewer threads
// have work; and the strides of 2, 4, 8, ... words let several threads of a warp meet in one bank of shared memory. For
// 256 bins the number of steps counts more than that of additions.
//
// The sweeps give exclusive sums, which the report takes as its curve; here every bin adds its own count, as the
// definition asks for.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/scan.cuh"
#include "gpu/ops/he/scans/he_scanned.cuh"

namespace tonescope::he {
namespace {

/// One block of 128 threads a plane, two bins a thread.
__global__ void he_scan_work_efficient_kernel(const uint2* __restrict__ d_histograms, uint2* __restrict__ d_cdfs) {
    __shared__ uint32_t s_words[WorkEfficientScan::kSharedWords];
    const unsigned pair = blockIdx.x * 128 + threadIdx.x;
    d_cdfs[pair] = WorkEfficientScan::inclusive_pair(d_histograms[pair], s_words);
}

void run_scan_work_efficient(CudaJob& job) {
    run_with_scan(job, [&](unsigned planes, const uint32_t* d_histograms, uint32_t* d_cdfs) {
        he_scan_work_efficient_kernel<<<planes, 128, 0, job.stream>>>(reinterpret_cast<const uint2*>(d_histograms),
                                                                      reinterpret_cast<uint2*>(d_cdfs));
        TONESCOPE_LAUNCHED("he_scan_work_efficient_kernel");
    });
}

}  // namespace
}  // namespace tonescope::he
#endif

namespace tonescope::he {

const VariantRegistration scan_work_efficient_variant({
    .op = "he",
    .id = "scan-work-efficient",
    .name = "Work-efficient prefix sum",
    .source = "C work-efficient",
    .backend = BackendKind::cuda,
    .follows = "scan-naive",
    .idea = "The prefix sum builds a tree of sums and hands them down again: 128 threads with two bins each.",
    .cost = "About 510 additions for 256 bins, in 16 steps with a barrier each.",
    .flaw = "Growing strides let the threads of a warp meet in the same banks of shared memory.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_scan_work_efficient),
});

}  // namespace tonescope::he
