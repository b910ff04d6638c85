// CLAHE, report A, version 4: the prefix sum with padding.
//
// Since version 3: element i of the tree stands at i + (i >> 5), one free word after every 32 (PaddedIndex in
// gpu/cuda/kernels/scan.cuh). Elements 32 apart, which all lay in one bank, now lie in neighbouring ones, so that the
// threads of a warp reach them at once. It costs 8 words and, for every access, a shift and an addition.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/clahe/clahe_teams.cuh"
#endif

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
void run_scan_padded(CudaJob& job) {
    run_teams<PaddedScan>(job, kBestTeams);
}
#endif

const VariantRegistration scan_padded_index_variant({
    .op = "clahe",
    .id = "scan-padded",
    .name = "Padded prefix sum",
    .source = "A 4",
    .backend = BackendKind::cuda,
    .follows = "scan",
    .idea = "Element i of the tree stands at i + (i >> 5), so that strides of 32 bins no longer fall into one bank.",
    .cost = "8 words more, and a shift and an addition for every access.",
    .flaw = "The image still travels as the memory mode says: from pageable memory the copies hold up the host.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_scan_padded),
});

}  // namespace
}  // namespace tonescope::clahe
