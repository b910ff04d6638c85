// Kuwahara filter, after report E: strips inside the image go their own way (running_columns.cuh). All of their boxes
// have (radius + 1)^2 pixels, so that nobody has to look where the image ends, how many pixels a box has and by what
// its sums are divided. A block asks once, before it walks down, which way is its own.
#include "gpu/ops/kuwahara/color_frame.cuh"
#ifdef __CUDACC__
#include "gpu/ops/kuwahara/steps/running_columns.cuh"
#endif

namespace tonescope::kuwahara {
namespace {

const VariantRegistration inner_strips_variant({
    .op = "kuwahara",
    .id = "inner-strips",
    .name = "Inner strips",
    .follows = "running-sums",
    .builds_on = "running-sums",
    .idea = "Strips inside the image, whose boxes are all whole, have a loop of their own, which looks neither for the "
            "image's borders nor for the pixels of a box.",
    .cost = "The loop is there twice; strips at the border take the longer one, and the kernel ends with the last of "
            "them.",
    .flaw = "Evaluated boxes pass through memory between the two kernels, and a box still adds up its columns one by "
            "one.",
    .work = inner_strips_work,
    .run_cuda = TONESCOPE_CUDA_RUN(filter_by_running_sums</*kKnowsInside=*/true>),
});

}  // namespace
}  // namespace tonescope::kuwahara
