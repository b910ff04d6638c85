// Report B, version 1: a histogram a block, in shared memory, where an atomic addition takes a fraction of the time and
// only the block's own threads meet. The global additions are as many as before; they only meet less often, since
// neighbors in a warp now add to different bins. The report found it better on small images and worse on its largest.
// The kernel, he_histogram_shared_kernel, stands in he_report.cuh, because the versions after this one keep it.
#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
void run_shared(CudaJob& job) {
    with_planes(job, [&](const Planes& planes) {
        const uint32_t* d_histograms = count_by_blocks(job, planes);
        apply_from_memory(job, planes, tables_from_host(job, planes, d_histograms));
    });
}
#endif

const VariantRegistration shared_block_histogram_variant({
    .op = "he",
    .id = "shared",
    .name = "Shared memory",
    .source = "B 1",
    .follows = "no-optimization",
    .builds_on = "no-optimization",
    .memory = MemoryMode::pageable,
    .params = kBlockTable,
    .idea = "Each block of 256 threads counts its pixels in shared memory and then adds its 256 bins to the image's.",
    .cost = "One atomic addition in shared memory a pixel, and 256 in global memory for every 256 pixels.",
    .flaw = "Adding up the blocks in global memory sets the pace: it takes as long as the memory needs for these "
            "additions alone (311 \u00b5s at 4K, counted on an H200).",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{"histogram", count_by_block(c)}, {"apply", kLookUp}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_shared),
});

}  // namespace
}  // namespace tonescope::he
