// Report B, version 4: pinned host memory.
//
// What changed since version 1, whose kernels it keeps: the image and the table stand in pages that the system may not
// move. The GPU's copy engine then reads and writes them by itself; with ordinary (pageable) memory the driver first
// copies every piece into pinned memory of its own, and the program waits for that. What it costs: pinning pages is
// slow and takes them away from the rest of the system, so the buffers are kept from run to run. The report found every
// image faster. Compare with version 1 under --memory pageable. (Every version here hands its table over in pinned
// memory, because a copy from pageable memory would make the calling thread wait; a table is too small to matter
// otherwise.)
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

void run_pinned(CudaJob& job) {
    with_map(job, [&]<class Map>(Map) {
        const uint32_t* d_histograms = histograms_by_blocks<Map>(job);
        const uint8_t* d_tables = tables_by_host<Map>(job, d_histograms);
        apply<Map>(job, TablesInMemory{d_tables});
    });
}

}  // namespace
}  // namespace tonescope::he
#endif

namespace tonescope::he {

const VariantRegistration pinned_memory_variant({
    .op = "he",
    .id = "pinned",
    .name = "Pinned memory",
    .source = "B 4",
    .backend = BackendKind::cuda,
    .follows = "shared-table",
    .memory = MemoryMode::pinned,
    .idea = "Image and table stand in host memory that cannot be paged out, so that the copy engine reaches it without "
            "the processor's help.",
    .cost = "Copies run at the full speed of the bus; pinning the pages takes long, but only once.",
    .flaw = "The image is copied in whole before the first kernel starts, and out after the last one has ended.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_pinned),
});

}  // namespace tonescope::he
