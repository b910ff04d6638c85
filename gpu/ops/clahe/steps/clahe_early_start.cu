// CLAHE, after report A: the same two kernels, the second of which starts early (programmatic dependent launch). As
// soon as all blocks of the tables' kernel have begun, blocks of the blend may take the places of those that end; they
// find out which pixels are theirs and wait until all tables are written. Before compute capability 9.0 this is a
// launch like any other.
#include "gpu/ops/clahe/clahe_planes.cuh"
#ifdef __CUDACC__
#include "gpu/ops/clahe/steps/packed_blend.cuh"
#include "gpu/ops/clahe/steps/shuffled_tables.cuh"
#endif

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
void run_early_start(CudaJob& job) {
    run_on_planes(job, make_tables_with_shuffles<true>, [&](const TilePlane& p) { blend_packed<true>(job, p); });
}
#endif

const VariantRegistration early_start_variant({
    .op = "clahe",
    .id = "early-start",
    .name = "Early start",
    .follows = "shuffles",
    .builds_on = "shuffles",
    .idea = "The blend's blocks start while the last tables are still being made, and wait for these where they need "
            "them.",
    .cost = "Blocks that wait hold places on the multiprocessors; GPUs before compute capability 9.0 cannot do it.",
    .flaw = "Every tile is cleared, counted and summed by a block of its own, and rows of pixels are not prefetched.",
    .work =
        [](const WorkCase& whole) {
            return work_by_lightness<Params>(
                whole, [](const WorkCase& c) { return plane_work(c, counting(c, 11.4, 55900, 33700), kPackedBlend); });
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_early_start>),
});

}  // namespace
}  // namespace tonescope::clahe
