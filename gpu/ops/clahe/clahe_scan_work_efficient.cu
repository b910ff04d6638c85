// CLAHE, report A, version 3: version 2 with its best number of teams, 4, and a parallel prefix sum (WorkEfficientScan
// in gpu/cuda/kernels/scan.cuh). The result of the tree is exclusive, and adding the own bin makes it inclusive. Each
// level of the tree ends at a barrier with half as many threads at work.
#include "gpu/ops/clahe/clahe_tiles.cuh"

namespace tonescope::clahe {
namespace {

const VariantRegistration scan_work_efficient_variant({
    .op = "clahe",
    .id = "scan",
    .name = "Parallel prefix sum",
    .source = "A 3",
    .follows = "split",
    .builds_on = "split",
    .idea = "The bins are added up by a tree: sums of pairs upwards, then what stands before each pair downwards.",
    .cost = "About 510 additions in 16 steps with a barrier each, in place of 255 in a row.",
    .flaw = "At strides of 2 to 32 bins the threads of a warp meet in the same banks of shared memory and take turns.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_best_teams<WorkEfficientScan>),
});

}  // namespace
}  // namespace tonescope::clahe
