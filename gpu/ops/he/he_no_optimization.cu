// Report B, version 0: the loops of the CPU version become kernels, and nothing else is done. All pixels of one value
// add to one word: the memory system does these additions one after the other, so an image with a large dark sky is
// counted slowest. The image travels from and to pageable memory, ordinary memory of the program.
#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
/// A thread counts one pixel. d_histogram: 256 counters, zero before.
__global__ void he_histogram_global_kernel(const uint8_t* d_in, size_t pitch, int width, int height,
                                           uint32_t* d_histogram) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    atomicAdd(&d_histogram[d_in[size_t(y) * pitch + x]], 1u);
}

void run_no_optimization(CudaJob& job) {
    with_planes(job, [&](const Planes& planes) {
        const uint32_t* d_histograms =
            count_planes(job, planes, nullptr, [&](const Plane& plane, uint32_t* d_histogram) {
                const PixelGrid grid = report_grid(job, plane);
                he_histogram_global_kernel<<<grid.grid, grid.block, 0, job.stream>>>(
                    plane.d_in, plane.in_pitch, plane.width, plane.height, d_histogram);
                TONESCOPE_LAUNCHED("he_histogram_global_kernel");
            });
        apply_from_memory(job, planes, tables_from_host(job, planes, d_histograms));
    });
}
#endif

const VariantRegistration no_optimization_variant({
    .op = "he",
    .id = "no-optimization",
    .name = "No optimization",
    .source = "B 0",
    .memory = MemoryMode::pageable,
    .params = kBlockTable,
    .idea = "One thread a pixel adds 1 to its bin in global memory, the CPU makes the table, and one thread a pixel "
            "looks its value up.",
    .cost = "An atomic addition in global memory for every pixel, and the way of the counts to the CPU and back.",
    .flaw = "Pixels of the same value wait for each other at one word of global memory: an image of one value takes "
            "2.8 times as long as noise (counted on an H200).",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{"histogram", count_in_memory(c) + Amounts{.operations = 28}}, {"apply", kLookUp}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_no_optimization),
});

}  // namespace
}  // namespace tonescope::he
