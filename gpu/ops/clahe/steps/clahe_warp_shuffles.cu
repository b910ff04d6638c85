// CLAHE, after report A: excess and prefix sums are added up in registers, by shuffles within each warp
// (shuffled_tables.cuh). The tree in shared memory took 18 barriers a tile; six are left. The blend stays as it is.
#include "gpu/ops/clahe/clahe_planes.cuh"
#ifdef __CUDACC__
#include "gpu/ops/clahe/steps/packed_blend.cuh"
#include "gpu/ops/clahe/steps/shuffled_tables.cuh"
#endif

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
void run_shuffles(CudaJob& job) {
    run_on_planes(job, make_tables_with_shuffles, blend_packed);
}
#endif

const VariantRegistration warp_shuffles_variant({
    .op = "clahe",
    .id = "shuffles",
    .name = "Sums by shuffles",
    .follows = "packed-tables",
    .builds_on = "packed-tables",
    .idea = "The excess and the prefix sum are added up in registers: lanes of a warp exchange values directly, and "
            "warps pass one sum each through shared memory.",
    .cost = "Five steps for each sum within a warp, by all threads.",
    .flaw =
        "Every tile is cleared, counted and summed by a block of its own, rows of pixels are not prefetched, and the "
        "GPU empties between the two kernels.",
    .work =
        [](const WorkCase& whole) {
            return work_by_lightness<Params>(
                whole, [](const WorkCase& c) { return plane_work(c, counting(c, 11.4, 55900, 33700), kPackedBlend); });
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_shuffles>),
});

}  // namespace
}  // namespace tonescope::clahe
