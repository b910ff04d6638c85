// Report B, version 0: the loops of the CPU version become kernels, and nothing else is done.
//
// One thread a pixel adds 1 to its bin in global memory. The 256 counts go to the host, which makes the table, and the
// table comes back; then one thread a pixel looks its value up. All pixels of one value add to one word: the memory
// system does these additions one after the other, so an image with a large dark sky is counted slowest.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

/// d_histograms: Map::kPlanes x 256, zero before.
template <class Map>
__global__ void he_histogram_global_kernel(PitchedSource<typename Map::In> source, int width, int height,
                                           uint32_t* d_histograms) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const typename Map::In pixel = source.load(x, y);
    for (int plane = 0; plane < Map::kPlanes; ++plane)
        atomicAdd(&d_histograms[plane * 256 + Map::value(pixel, plane)], 1u);
}

template <class Map>
const uint32_t* count_one_by_one(CudaJob& job) {
    const PixelGrid grid(job.input_spec.width, job.input_spec.height);
    return histograms_by<Map>(he_histogram_global_kernel<Map>, "he_histogram_global_kernel", job, grid.grid,
                              grid.block);
}

void run_no_optimisation(CudaJob& job) {
    with_map(job, [&]<class Map>(Map) {
        const uint32_t* d_histograms = count_one_by_one<Map>(job);
        const uint8_t* d_tables = tables_by_host<Map>(job, d_histograms);
        apply<Map>(job, TablesInMemory{d_tables});
    });
}

}  // namespace
}  // namespace tonescope::he
#endif

namespace tonescope::he {

const VariantRegistration no_optimisation_variant({
    .op = "he",
    .id = "no-optimisation",
    .name = "No optimisation",
    .source = "B 0",
    .backend = BackendKind::cuda,
    .idea = "One thread a pixel adds 1 to its bin in global memory, the host makes the table, and one thread a pixel "
            "looks its value up.",
    .cost = "An atomic addition in global memory for every pixel, and the way of the counts to the host and back.",
    .flaw = "Pixels of the same value wait for each other at one word of global memory.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_no_optimisation),
});

}  // namespace tonescope::he
