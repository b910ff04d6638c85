// Report E, RGB to HSV: a kernel of its own turns the packed image into three planes, H, S and V (hsv_planes.cuh), so
// that V is worked out once a pixel and not once for each of the pixel's neighbors. A warp that reads 32 neighboring
// values of a plane gets 32 bytes that all count. The sums of the colors still need the packed pixel. A gray image is
// its own V and needs no conversion.
#include "gpu/ops/kuwahara/hsv_planes.cuh"

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
template <class Task>
__global__ void kuwahara_filter_planes_kernel(Task task) {
    task.filter([](const Neighborhood& of, auto&& add) { return gather_winner(of, add); });
}

void run_hsv(CudaJob& job) {
    filter_planes(job, [&](const PixelGrid& grid, const auto& task) {
        kuwahara_filter_planes_kernel<<<grid.grid, grid.block, 0, job.stream>>>(task);
        TONESCOPE_LAUNCHED("kuwahara_filter_planes_kernel");
    });
}
#endif

const VariantRegistration hsv_variant({
    .op = "kuwahara",
    .id = "hsv",
    .name = "HSV planes",
    .source = "E HSV",
    .params = kBlockTable,
    .idea = "A kernel of its own turns packed RGB into planes of H, S and V; then one thread a pixel sums up its four "
            "quadrants, one after the other.",
    .cost = "Three bytes a pixel written, then 4 (radius + 1)\u00b2 pixels read for each, twice: its V and its color.",
    .flaw = "The pixel's own row and column are read twice, the pixel itself four times, and nobody reads H and S.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_hsv),
});

}  // namespace
}  // namespace tonescope::kuwahara
