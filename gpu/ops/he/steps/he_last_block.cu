// `private-counters` in two launches in place of four: the last block to finish counting makes the table. The kernels
// stand in he_last_block.cuh, because the next step keeps them.
#include "gpu/ops/he/steps/he_last_block.cuh"

namespace tonescope::he {
namespace {

const VariantRegistration last_block_variant({
    .op = "he",
    .id = "last-block",
    .name = "Table by the last block",
    .follows = "private-counters",
    .builds_on = "private-counters",
    .idea = "The block that finishes counting last makes the table and leaves the counters zero, so that two launches "
            "do what four did.",
    .cost = "An atomic addition and a fence for each block, and the table is made by one block while the others are "
            "gone.",
    .flaw = "Between the two kernels the GPU is empty: the second one is launched when the first has ended, and begins "
            "with loads that take long.",
    .work = [](const WorkCase& whole) { return work_by_lightness<Params>(whole, private_work); },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_with_last_block<false>>),
});

}  // namespace
}  // namespace tonescope::he
