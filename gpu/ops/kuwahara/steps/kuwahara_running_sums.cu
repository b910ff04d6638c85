// Kuwahara filter, after report E: sums slide down (running_columns.cuh). A thread has a column of pixels and keeps the
// sums of radius + 1 of them: for the next row it adds the pixel that enters and subtracts the one that leaves. A box
// is the sum of radius + 1 such columns, which its thread finds in shared memory, so that the time grows with the
// radius and no longer with its square. A block walks down a strip in batches of rows, for a barrier has to stand
// between writing the columns' sums and adding them up.
#include "gpu/ops/kuwahara/color_frame.cuh"
#ifdef __CUDACC__
#include "gpu/ops/kuwahara/steps/running_columns.cuh"
#endif

namespace tonescope::kuwahara {
namespace {

const VariantRegistration running_sums_variant({
    .op = "kuwahara",
    .id = "running-sums",
    .name = "Running sums",
    .follows = "packed-pixels",
    .builds_on = "packed-pixels",
    .idea = "Sums of columns slide down the image: each row adds the pixels that enter and subtracts those that leave, "
            "and a box adds up radius + 1 columns.",
    .cost = "Each strip first sums up as many rows as the radius, and strips overlap by as many columns.",
    .flaw = "Every thread looks at every row where the image ends and how many pixels its box has, although nearly all "
            "boxes are whole.",
    .work =
        [](const WorkCase& c) {
            return running_sums_work(c, {0, 8, 196});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(filter_by_running_sums</*kKnowsInside=*/false>),
});

}  // namespace
}  // namespace tonescope::kuwahara
