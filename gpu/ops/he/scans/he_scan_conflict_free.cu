// Report C, third prefix sum: the sweeps without bank conflicts.
//
// What changed since the work-efficient one: element i stands at i + (i >> 5). Shared memory has 32 banks, and words 32
// apart share one; a word left free after every 32 elements moves accesses at strides of 2, 4, ... 32 apart. What it
// costs: a shift and an addition for each address, and 8 words. (The report pads only where it loads and stores; here
// the sweeps, where the conflicts are, use the padded places too.) With one block of four warps there is little to win:
// a conflict delays a kernel whose time is mostly that of its launch and its barriers.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/scan.cuh"
#include "gpu/ops/he/scans/he_scanned.cuh"

namespace tonescope::he {
namespace {

/// One block of 128 threads a plane, two bins a thread.
__global__ void he_scan_conflict_free_kernel(const uint2* __restrict__ d_histograms, uint2* __restrict__ d_cdfs) {
    __shared__ uint32_t s_words[PaddedScan::kSharedWords];
    const unsigned pair = blockIdx.x * 128 + threadIdx.x;
    d_cdfs[pair] = PaddedScan::inclusive_pair(d_histograms[pair], s_words);
}

void run_scan_conflict_free(CudaJob& job) {
    run_with_scan(job, [&](unsigned planes, const uint32_t* d_histograms, uint32_t* d_cdfs) {
        he_scan_conflict_free_kernel<<<planes, 128, 0, job.stream>>>(reinterpret_cast<const uint2*>(d_histograms),
                                                                     reinterpret_cast<uint2*>(d_cdfs));
        TONESCOPE_LAUNCHED("he_scan_conflict_free_kernel");
    });
}

}  // namespace
}  // namespace tonescope::he
#endif

namespace tonescope::he {

const VariantRegistration scan_conflict_free_variant({
    .op = "he",
    .id = "scan-conflict-free",
    .name = "Conflict-free prefix sum",
    .source = "C conflict-free",
    .backend = BackendKind::cuda,
    .follows = "scan-work-efficient",
    .idea = "A word left free after every 32 elements keeps the sweeps' threads out of each other's banks.",
    .cost = "A shift and an addition for each address in shared memory.",
    .flaw = "The prefix sum of 256 bins takes microseconds either way; what is left is the division a pixel.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_scan_conflict_free),
});

}  // namespace tonescope::he
