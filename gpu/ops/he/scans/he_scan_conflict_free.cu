// Report C, third prefix sum: the sweeps without bank conflicts (PaddedScan in gpu/cuda/kernels/scan.cuh). The report
// pads only where it loads and stores (he_scan_unpadded_sweeps.cu); here the sweeps, where the conflicts are, use the
// padded places too. With one block of four warps there is little to win: a conflict delays a kernel whose time is
// mostly that of its launch and its barriers.
#include "gpu/ops/he/scans/he_scanned.cuh"

namespace tonescope::he {
namespace {

const VariantRegistration scan_conflict_free_variant({
    .op = "he",
    .id = "scan-conflict-free",
    .name = "Conflict-free prefix sum",
    .source = "C conflict-free",
    .follows = "scan-work-efficient",
    .builds_on = "scan-work-efficient",
    .params = kScanBlockTable,
    .idea = "A word left free after every 32 elements keeps the sweeps' threads out of each other's banks.",
    .cost = "A shift and an addition for each address in shared memory.",
    .flaw = "No turns at the banks are left, and the kernel takes 2.5 \u00b5s as before: a prefix sum of 256 bins is "
            "too short to show it (counted on an H200).",
    .work = scanned_work,
    .run_cuda = TONESCOPE_CUDA_RUN(run_with_pair_scan<PaddedScan>),
});

}  // namespace
}  // namespace tonescope::he
