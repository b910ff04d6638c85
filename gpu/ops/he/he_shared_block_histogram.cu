// Report B, version 1: a histogram a block, in shared memory, where an atomic addition takes a fraction of the time and
// only the block's own threads meet. The global additions are as many as before; they only meet less often, since
// neighbors in a warp now add to different bins. The report found it better on small images and worse on its largest.
// The kernel, he_histogram_shared_kernel, stands in he_stages.cuh, because the versions after this one keep it.
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

const VariantRegistration shared_block_histogram_variant({
    .op = "he",
    .id = "shared",
    .name = "Shared memory",
    .source = "B 1",
    .follows = "no-optimization",
    .builds_on = "no-optimization",
    .idea = "Each block of 256 threads counts its pixels in shared memory and then adds its 256 bins to the image's.",
    .cost = "One atomic addition in shared memory a pixel, and 256 in global memory for every 256 pixels.",
    .flaw = "A block counts so few pixels that adding up the blocks is as much work as counting was.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_block_histograms<tables_by_copy>),
});

}  // namespace
}  // namespace tonescope::he
