// Report B, version 1: a histogram a block, in shared memory.
//
// What changed since version 0: a block's 256 threads count their 256 pixels in shared memory, where an atomic addition
// takes a fraction of the time and only the block's own threads meet. Then thread t adds the block's bin t to the
// image's. What it costs: those are 256 global additions for 256 pixels, as many as before; they only meet less often,
// since neighbours in a warp now add to different bins. The report found it better on small images and worse on its
// largest. (he_histogram_shared_kernel stands in he_stages.cuh, because the versions after this one keep it.)
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

void run_shared(CudaJob& job) {
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

const VariantRegistration shared_block_histogram_variant({
    .op = "he",
    .id = "shared",
    .name = "Shared memory",
    .source = "B 1",
    .backend = BackendKind::cuda,
    .follows = "no-optimisation",
    .idea = "Each block of 256 threads counts its pixels in shared memory and then adds its 256 bins to the image's.",
    .cost = "One atomic addition in shared memory a pixel, and 256 in global memory for every 256 pixels.",
    .flaw = "A block counts so few pixels that adding up the blocks is as much work as counting was.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_shared),
});

}  // namespace tonescope::he
