// Report B, version 4: version 3 with the image in pinned host memory, pages that the system may not move. With
// ordinary (pageable) memory the driver first copies every piece into pinned memory of its own, and the program waits
// for that. The report found every image faster. The kernels are version 3's: what differs are the copies.
#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {
namespace {

const VariantRegistration pinned_memory_variant({
    .op = "he",
    .id = "pinned",
    .name = "Pinned memory",
    .source = "B 4",
    .follows = "shared-table",
    .builds_on = "shared-table",
    .same_kernels_as = "shared-table",
    .memory = MemoryMode::pinned,
    .params = kBlockTable,
    .idea = "The image stands in memory of the CPU that cannot be paged out, so that the copy engine reaches it "
            "without the CPU's help.",
    .cost = "Copies run at the full speed of the bus, but an image that was read elsewhere is first copied into pinned "
            "memory by the CPU, and its result out of it, which takes longer than what is won.",
    .flaw = "The image is copied in whole before the first kernel starts, and out after the last one has ended.",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{"histogram", count_by_block(c)}, {"apply", look_up_shared(c)}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_shared_tables),
});

}  // namespace
}  // namespace tonescope::he
