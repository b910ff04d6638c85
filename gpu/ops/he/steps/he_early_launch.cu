// `last-block` with programmatic dependent launch: the blocks of a kernel that find room start while the kernel before
// still runs, and wait where they need what it makes (gpu/cuda/kernels/grid.cuh). One block a multiprocessor leaves
// room for another one. The second kernel's blocks thus have their place, their shares and their first pixels when the
// table is ready. On GPUs before compute capability 9.0 the launches are plain, and the variant is `last-block`.
#include "gpu/ops/he/steps/he_last_block.cuh"

namespace tonescope::he {
namespace {

const VariantRegistration early_launch_variant({
    .op = "he",
    .id = "early-launch",
    .name = "Early launch",
    .follows = "last-block",
    .builds_on = "last-block",
    .idea =
        "Programmatic dependent launch: blocks of the second kernel stand ready, with their first pixels on the way, "
        "while the first one still counts and makes the table.",
    .cost = "Both kernels share the multiprocessors for a while; with times of single stages on, events stand between "
            "them and nothing overlaps.",
    .flaw = "The image is still read twice, the second time partly from the L2 cache where it fits.",
    .work = [](const WorkCase& whole) { return work_by_lightness<Params>(whole, private_work); },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_with_last_block<true>>),
});

}  // namespace
}  // namespace tonescope::he
