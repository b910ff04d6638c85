// CLAHE, report A, version 5: the kernels of version 4 with pinned memory and a stream. The GPU's copy engine reads and
// writes pinned memory directly, in place of a driver that copies page by page through a buffer of its own while the
// host waits. The copies are the backend's (gpu/cuda/session/round_trip.cpp); the kernels are enqueued in its stream.
#include "gpu/ops/clahe/clahe_report_blend.cuh"

namespace tonescope::clahe {
namespace {

const VariantRegistration pinned_stream_variant({
    .op = "clahe",
    .id = "pinned",
    .name = "Pinned memory and a stream",
    .source = "A 5",
    .follows = "scan-padded",
    .builds_on = "scan-padded",
    .same_kernels_as = "scan-padded",
    .memory = MemoryMode::pinned,
    .params = kBlockTable,
    .idea = "Input and output lie in pinned memory; copies and both kernels follow each other in one stream, without a "
            "wait between them.",
    .cost = "Pinned memory takes long to allocate, and the system cannot page it out.",
    .flaw = "The kernels work out again for every pixel and every tile what is the same in the whole image.",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, counting(c, 13.8, 75400 + 240 * block_threads(c), 37800), kReportBlend);
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_scan_padded),
});

}  // namespace
}  // namespace tonescope::clahe
