// Report B, version 4: version 1 with the image in pinned host memory, pages that the system may not move. With
// ordinary (pageable) memory the driver first copies every piece into pinned memory of its own, and the program waits
// for that. The report found every image faster. Compare with version 1 under --memory pageable. (Every version here
// hands its table over in pinned memory, because a copy from pageable memory would make the calling thread wait; a
// table is too small to matter otherwise.)
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

const VariantRegistration pinned_memory_variant({
    .op = "he",
    .id = "pinned",
    .name = "Pinned memory",
    .source = "B 4",
    .follows = "shared-table",
    .builds_on = "shared-table",
    .memory = MemoryMode::pinned,
    .idea = "Image and table stand in memory of the CPU that cannot be paged out, so that the copy engine reaches it "
            "without the CPU's help.",
    .cost = "Copies run at the full speed of the bus; pinning the pages takes long, but only once.",
    .flaw = "The image is copied in whole before the first kernel starts, and out after the last one has ended.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_block_histograms<tables_by_copy>),
});

}  // namespace
}  // namespace tonescope::he
