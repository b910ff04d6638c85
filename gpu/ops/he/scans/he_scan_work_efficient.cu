// Report C, second prefix sum: work-efficient, by an up-sweep and a down-sweep (WorkEfficientScan in
// gpu/cuda/kernels/scan.cuh). There are 16 steps in place of 8, in which fewer and fewer threads have work; for 256
// bins the number of steps counts more than that of additions. The sweeps give exclusive sums, which the report takes
// as its curve; here every bin adds its own count, as the definition asks for.
#include "gpu/ops/he/scans/he_scanned.cuh"

namespace tonescope::he {
namespace {

const VariantRegistration scan_work_efficient_variant({
    .op = "he",
    .id = "scan-work-efficient",
    .name = "Work-efficient prefix sum",
    .source = "C work-efficient",
    .follows = "scan-naive",
    .builds_on = "scan-naive",
    .params = kScanBlockTable,
    .idea = "The prefix sum builds a tree of sums and hands them down again: 128 threads with two bins each.",
    .cost = "About 510 additions for 256 bins, in 16 steps with a barrier each.",
    .flaw = "Growing strides let the threads of a warp meet in the same banks of shared memory: 221 of 322 turns "
            "there are such meetings (counted on an H200).",
    .work = scanned_work,
    .run_cuda = TONESCOPE_CUDA_RUN(run_with_pair_scan<WorkEfficientScan>),
});

}  // namespace
}  // namespace tonescope::he
