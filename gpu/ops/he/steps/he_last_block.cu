// `private-counters` in two launches in place of four: the last block to finish counting makes the table. It stands in
// he_last_block.cuh, because the next step falls back to it.
#include "gpu/ops/he/steps/he_last_block.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
void run_last_block(CudaJob& job) {
    with_map(job, [&]<class Map>(Map) { run_with_last_block<Map>(job); });
}
#endif

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
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_last_block>),
});

}  // namespace
}  // namespace tonescope::he
