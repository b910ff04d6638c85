// CLAHE, report A, version 4: version 3 with one free word after every 32 elements of the tree (PaddedIndex in
// gpu/cuda/kernels/scan.cuh). Elements 32 apart, which all lay in one bank, now lie in neighboring ones, so that the
// threads of a warp reach them at once.
#include "gpu/ops/clahe/clahe_tiles.cuh"

namespace tonescope::clahe {
namespace {

const VariantRegistration scan_padded_index_variant({
    .op = "clahe",
    .id = "scan-padded",
    .name = "Padded prefix sum",
    .source = "A 4",
    .follows = "scan",
    .builds_on = "scan",
    .idea = "Element i of the tree stands at i + (i >> 5), so that strides of 32 bins no longer fall into one bank.",
    .cost = "8 words more, and a shift and an addition for every access.",
    .flaw = "The image still travels as the memory mode says: from pageable memory the copies hold up the CPU.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_best_teams<PaddedScan>),
});

}  // namespace
}  // namespace tonescope::clahe
