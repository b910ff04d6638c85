// Report E, RGB to HSV: a kernel of its own turns the packed image into three planes, H, S and V.
//
// What changed since the plain gather (`simple`): V, whose variance decides between quadrants, is worked out once a
// pixel and not once for each of the pixel's neighbours (hsv_planes.cuh). Packed pixels are an array of structures; the
// planes are a structure of arrays, in which a warp that reads 32 neighbouring values gets 32 bytes that all count. The
// sums of the colors still need the packed pixel. A gray image is its own V and needs no conversion.
#include "gpu/core/registry.h"
#include "gpu/ops/kuwahara/kuwahara_block.h"

#ifdef __CUDACC__
#include "gpu/ops/kuwahara/hsv_planes.cuh"
#endif

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__

template <class Task>
__global__ void kuwahara_filter_planes_kernel(Task task) {
    task.filter([](const Neighbourhood& of, auto&& add) { return gather_winner(of, add); });
}

void run_hsv(CudaJob& job) {
    filter_planes(job, [&](dim3 grid, dim3 block, const auto& task) {
        kuwahara_filter_planes_kernel<<<grid, block, 0, job.stream>>>(task);
        TONESCOPE_LAUNCHED("kuwahara_filter_planes_kernel");
    });
}

#endif

const VariantRegistration hsv_variant({
    .op = "kuwahara",
    .id = "hsv",
    .name = "HSV planes",
    .source = "E HSV",
    .backend = BackendKind::cuda,
    .params = kBlockTable,
    .idea = "A kernel of its own turns packed RGB into planes of H, S and V; then one thread a pixel sums up its four "
            "quadrants, one after the other.",
    .cost = "Three bytes a pixel written, then 4 (radius + 1)^2 pixels read for each, twice: its V and its color.",
    .flaw = "The pixel's own row and column are read twice, the pixel itself four times, and nobody reads H and S.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_hsv),
});

}  // namespace
}  // namespace tonescope::kuwahara
