// Report B, version 0: the loops of the CPU version become kernels, and nothing else is done. All pixels of one value
// add to one word: the memory system does these additions one after the other, so an image with a large dark sky is
// counted slowest.
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
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

void run_no_optimization(CudaJob& job) {
    const auto count = [&]<class Map>(Map) {
        return histograms_by<Map>(he_histogram_global_kernel<Map>, "he_histogram_global_kernel", job,
                                  PixelGrid(job.input_spec.width, job.input_spec.height));
    };
    run_stages(job, count, tables_by_copy(job));
}
#endif

const VariantRegistration no_optimization_variant({
    .op = "he",
    .id = "no-optimization",
    .name = "No optimization",
    .source = "B 0",
    .idea = "One thread a pixel adds 1 to its bin in global memory, the CPU makes the table, and one thread a pixel "
            "looks its value up.",
    .cost = "An atomic addition in global memory for every pixel, and the way of the counts to the CPU and back.",
    .flaw = "Pixels of the same value wait for each other at one word of global memory.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_no_optimization),
});

}  // namespace
}  // namespace tonescope::he
