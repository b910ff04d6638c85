// CLAHE, report A, version 3: a parallel prefix sum.
//
// Since version 2 (with its best number of teams, 4): the 256 bins are added up in 16 steps by up to 128 threads at
// once, in place of 255 steps by one (WorkEfficientScan in gpu/cuda/kernels/scan.cuh). A tree of sums is built upwards
// and what stands before each element is handed down again; the result is exclusive, and adding the own bin makes it
// inclusive.
//
// Each level of the tree doubles the stride between the elements that a warp touches, so that they fall into ever fewer
// of the 32 banks of shared memory, and each level ends at a barrier with half as many threads at work.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/clahe/clahe_teams.cuh"
#endif

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
void run_scan(CudaJob& job) {
    run_teams<WorkEfficientScan>(job, kBestTeams);
}
#endif

const VariantRegistration scan_work_efficient_variant({
    .op = "clahe",
    .id = "scan",
    .name = "Parallel prefix sum",
    .source = "A 3",
    .backend = BackendKind::cuda,
    .follows = "split",
    .idea = "The bins are added up by a tree: sums of pairs upwards, then what stands before each pair downwards.",
    .cost = "About 510 additions in 16 steps with a barrier each, in place of 255 in a row.",
    .flaw = "At strides of 2 to 32 bins the threads of a warp meet in the same banks of shared memory and take turns.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_scan),
});

}  // namespace
}  // namespace tonescope::clahe
