// Kuwahara filter: one thread a pixel gathers its four quadrants from global memory.
#include "gpu/ops/kuwahara/gather.cuh"
#include "gpu/ops/kuwahara/kuwahara.h"

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
template <class Pixel>
__device__ uint32_t value_of(Pixel pixel) {
    if constexpr (sizeof(Pixel) >= 4)
        return max(max(pixel.x, pixel.y), pixel.z);
    else
        return pixel;
}

template <class Pixel>
struct PackedPixels {
    PitchedSource<Pixel> pixels;
    template <class Sums>
    __device__ void add(int x, int y, Sums& sums) const {
        const Pixel pixel = pixels.load(x, y);
        sums.add(value_of(pixel), pixel);
    }
};

/// Squares: of what type their sums are.
template <class Squares, class Task>
__global__ void kuwahara_filter_kernel(Task task) {
    task.filter([](const Neighborhood& of, auto&& add) { return gather_winner<Squares>(of, add); });
}

void run_simple(CudaJob& job) {
    const auto stage = job.stage("filter", job.input_bytes() + job.output_bytes());
    with_any_source(job, [&]<class Pixel>(PitchedSource<Pixel> pixels) {
        using Squares = std::conditional_t<sizeof(Pixel) == 2 || sizeof(Pixel) == 8, uint64_t, uint32_t>;
        gather_in_bands<Pixel>(job, dim3(16, 16), PackedPixels<Pixel>{pixels},
                               [&](const PixelGrid& grid, const auto& task) {
                                   kuwahara_filter_kernel<Squares><<<grid.grid, grid.block, 0, job.stream>>>(task);
                                   TONESCOPE_LAUNCHED("kuwahara_filter_kernel");
                               });
    });
}
#endif

const VariantRegistration simple_variant({
    .op = "kuwahara",
    .id = "simple",
    .name = "Simple CUDA",
    .follows = "shared",
    .any_depth = true,
    .idea = "One thread a pixel reads its four quadrants from global memory, compares their variances exactly and "
            "writes the mean of the one with the lowest.",
    .cost = "4 (radius + 1)\u00b2 reads a pixel, nearly all of them from the caches.",
    .flaw =
        "Neighboring threads read and add up almost the same pixels, so the time grows with the square of the radius.",
    .work =
        [](const WorkCase& c) {
            const double operations = QuadrantCost{47.2, 39.4, 410}.at(c);
            return Work{{"filter", c.pixels() * Amounts{.bytes = 2.0 * bytes_per_pixel(c.image.format),
                                                        .operations = (c.is_gray() ? 0.65 : 1) * operations}}};
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_simple),
});

}  // namespace
}  // namespace tonescope::kuwahara
