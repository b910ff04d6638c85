// Report E, without shared memory: one thread a pixel gathers every neighbor from global memory, once (FourQuadrants
// in gather.cuh): (2 radius + 1)\u00b2 neighbors in place of 4 (radius + 1)\u00b2, which is a fifth less at radius 4
// and 3 in a hundred at radius 64. Within a row this costs no comparisons: what is left of the pixel, the pixel's own
// column and what is right of it are three loops. It costs 20 sums at a time and as many registers.
#include "gpu/ops/kuwahara/hsv_planes.cuh"

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
template <class Task>
__global__ void kuwahara_filter_global_kernel(Task task) {
    task.filter([](const Neighborhood& of, auto&& add) {
        FourQuadrants quadrants(of);
        for (int row = of.top; row <= of.bottom; ++row) quadrants.add_row(of, row, add);
        return quadrants.winner();
    });
}

void run_global(CudaJob& job) {
    filter_planes(job, [&](const PixelGrid& grid, const auto& task) {
        kuwahara_filter_global_kernel<<<grid.grid, grid.block, 0, job.stream>>>(task);
        TONESCOPE_LAUNCHED("kuwahara_filter_global_kernel");
    });
}
#endif

const VariantRegistration global_variant({
    .op = "kuwahara",
    .id = "global",
    .name = "Without shared memory",
    .source = "E global",
    .follows = "hsv",
    .builds_on = "hsv",
    .params = kBlockTable,
    .idea = "One thread a pixel walks over its neighborhood in global memory once and adds each neighbor to the "
            "quadrants that it belongs to.",
    .cost = "(2 radius + 1)\u00b2 neighbors a pixel, V and color each, nearly all of them from the caches.",
    .flaw = "The threads of a block read almost the same pixels, each for itself.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_global),
});

}  // namespace
}  // namespace tonescope::kuwahara
