// Kuwahara filter: one thread a pixel gathers its four quadrants from global memory.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/kuwahara/quadrants.cuh"
#endif

namespace tonescope {
namespace {

#ifdef __CUDACC__

/// Rows first_row to end_row - 1.
template <class Pixel, class Sink>
__global__ void kuwahara_filter_kernel(PitchedSource<Pixel> source, Sink sink, int width, int height, int radius,
                                       int first_row, int end_row) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = first_row + int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= end_row) return;
    const Quadrant best =
        calmest_quadrant(Window(x, y, radius, width, height), [&](int near_x, int near_y, PixelSums& sums) {
            const Pixel pixel = source.load(near_x, near_y);
            sums.add(value_of(pixel), pixel);
        });
    sink.store(x, y, best.result(source.load(x, y)));
}

void run_kuwahara_simple(CudaJob& job) {
    const auto stage = job.stage("filter", job.input_bytes() + job.output_bytes());
    const dim3 block(32, 8);
    with_pixel(job, [&]<class Pixel>(Pixel) {
        with_sink<Pixel>(job.output, [&](auto sink) {
            for_each_band(job, block, [&](dim3 grid, int first_row, int end_row) {
                kuwahara_filter_kernel<<<grid, block, 0, job.stream>>>(
                    source_of<Pixel>(job), sink, job.input_spec.width, job.input_spec.height,
                    job.params.as<KuwaharaParams>().radius, first_row, end_row);
                TONESCOPE_LAUNCHED("kuwahara_filter_kernel");
            });
        });
    });
}

#endif

const VariantRegistration kuwahara_simple_gather_variant({
    .op = "kuwahara",
    .id = "simple",
    .name = "Simple CUDA",
    .source = "",
    .backend = BackendKind::cuda,
    .order = 500,
    .idea =
        "One thread a pixel reads its four quadrants from global memory, compares them exactly and writes the calmest "
        "one's mean.",
    .cost = "4 (radius + 1)^2 reads a pixel, nearly all of them from the caches.",
    .flaw =
        "Neighbouring threads read and add up almost the same pixels, so the time grows with the square of the radius.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_kuwahara_simple),
});

}  // namespace
}  // namespace tonescope
