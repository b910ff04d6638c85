// Kuwahara filter: one thread a pixel gathers its four quadrants from global memory.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include <algorithm>

#include "gpu/cuda/pixels.cuh"
#include "gpu/ops/kuwahara/kuwahara.h"
#endif

namespace tonescope {
namespace {

#ifdef __CUDACC__

/// Pixels that one launch gathers at most: well under a second on any GPU, so that no watchdog ends it.
constexpr int64_t kGathersPerLaunch = int64_t{1} << 34;

/// Sums over one quadrant. With at most 65 x 65 pixels everything but the comparison fits 32 bits.
struct QuadrantSums {
    uint32_t n = 0;                         // pixels
    uint32_t value = 0, value_squared = 0;  // S, Q of V
    uint32_t red = 0, green = 0, blue = 0;

    __device__ void add(uchar4 pixel) {
        const uint32_t v = max(max(pixel.x, pixel.y), pixel.z);
        value += v;
        value_squared += v * v;
        red += pixel.x;
        green += pixel.y;
        blue += pixel.z;
    }
    __device__ void add(uint8_t pixel) {
        value += pixel;
        value_squared += uint32_t(pixel) * pixel;
    }
    /// n Q - S^2, the variance times n^2. At most (255 n)^2 / 4: times n^2 again it stays below 2^63.
    __device__ uint64_t spread() const { return uint64_t(n) * value_squared - uint64_t(value) * value; }
    __device__ bool calmer_than(const QuadrantSums& other) const {
        return spread() * (uint64_t(other.n) * other.n) < other.spread() * (uint64_t(n) * n);
    }
    __device__ uint8_t mean(uint32_t sum) const { return uint8_t((2 * sum + n) / (2 * n)); }
    __device__ uchar4 result(uchar4 pixel) const { return make_uchar4(mean(red), mean(green), mean(blue), pixel.w); }
    __device__ uint8_t result(uint8_t) const { return mean(value); }
};

/// Sums over [x0, x1] x [y0, y1], which lies in the image.
template <class Pixel>
__device__ QuadrantSums gather(PitchedSource<Pixel> source, int x0, int x1, int y0, int y1) {
    QuadrantSums sums;
    sums.n = uint32_t(x1 - x0 + 1) * uint32_t(y1 - y0 + 1);
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) sums.add(source.load(x, y));
    return sums;
}

/// Rows first_row to end_row - 1.
template <class Pixel, class Sink>
__global__ void kuwahara_filter_kernel(PitchedSource<Pixel> source, Sink sink, int width, int height, int radius,
                                       int first_row, int end_row) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = first_row + int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= end_row) return;
    const int left = max(x - radius, 0), right = min(x + radius, width - 1);
    const int top = max(y - radius, 0), bottom = min(y + radius, height - 1);
    QuadrantSums best = gather(source, left, x, top, y);
    // Strictly calmer only: on a tie the first quadrant wins.
    const QuadrantSums top_right = gather(source, x, right, top, y);
    if (top_right.calmer_than(best)) best = top_right;
    const QuadrantSums bottom_left = gather(source, left, x, y, bottom);
    if (bottom_left.calmer_than(best)) best = bottom_left;
    const QuadrantSums bottom_right = gather(source, x, right, y, bottom);
    if (bottom_right.calmer_than(best)) best = bottom_right;
    sink.store(x, y, best.result(source.load(x, y)));
}

template <class Pixel>
void run_with(CudaJob& job) {
    const int width = job.input_spec.width, height = job.input_spec.height;
    const int radius = job.params.as<KuwaharaParams>().radius;
    const auto source = source_of<Pixel>(job);
    const int64_t gathers_per_row = int64_t{width} * 4 * (radius + 1) * (radius + 1);
    const int band_rows = int(std::clamp<int64_t>(kGathersPerLaunch / gathers_per_row, 8, height + 8)) / 8 * 8;
    const auto stage = job.stage("filter", job.input_bytes() + job.output_bytes());
    with_sink<Pixel>(job.output, [&](auto sink) {
        for (int row = 0; row < height; row += band_rows) {
            const int end_row = std::min(row + band_rows, height);
            const PixelGrid grid(width, end_row - row);
            kuwahara_filter_kernel<<<grid.grid, grid.block, 0, job.stream>>>(source, sink, width, height, radius, row,
                                                                             end_row);
            TONESCOPE_LAUNCHED("kuwahara_filter_kernel");
        }
    });
}

void run_kuwahara_simple(CudaJob& job) {
    if (job.input_spec.format == PixelFormat::gray8) {
        run_with<uint8_t>(job);
    } else {
        run_with<uchar4>(job);
    }
}

#endif

const RungRegistration registration({
    .op = "kuwahara",
    .id = "simple",
    .name = "Simple CUDA",
    .source = "",
    .backend = BackendKind::cuda,
    .order = 500,
    .preferred = true,
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
