// Report E, with shared memory: the block first loads what its threads will read, color and V, into shared memory. The
// report has a fixed place of 32x32 pixels, which ends at radius 8 for a block of 16x16. Here every radius is served:
// the block's surroundings pass through shared memory in pieces, whole rows from top to bottom, and sums of rows can be
// added up in any order (FourQuadrants). A piece gets a quarter of what a multiprocessor has, so that four blocks are
// under way and some compute while others load.
//
// Shared memory has 32 banks of 4 bytes. A warp has 32 / block width rows of pixels; rows stand so far apart, a
// multiple of 32 colors and one block width, that the colors a warp reads at a time lie in 32 different banks.
#include <type_traits>

#include "gpu/ops/kuwahara/hsv_planes.cuh"

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
/// V is all there is of a gray pixel.
template <class Pixel>
constexpr bool kHasColor = std::is_same_v<Pixel, uchar4>;
template <class Pixel>
constexpr int kSharedBytesPerPixel = kHasColor<Pixel> ? 5 : 1;

/// How a piece lies in shared memory: rows x stride colors, then as many values.
struct PieceShape {
    int rows, stride_px;
};

template <class Pixel>
PieceShape piece_shape(const DeviceProperties& device, dim3 block, int radius) {
    constexpr size_t kReservedBytes = 1024;  // CUDA takes them of each block's shared memory
    const size_t max_bytes =
        std::min(device.sharedMemPerMultiprocessor / 4 - kReservedBytes, device.sharedMemPerBlockOptin);
    const int stride_px = int(block.x) + (2 * radius + 31) / 32 * 32;
    const int all_rows = int(block.y) + 2 * radius;
    const int max_rows = std::max(1, int(max_bytes) / (stride_px * kSharedBytesPerPixel<Pixel>));
    const int pieces = (all_rows + max_rows - 1) / max_rows;
    return {(all_rows + pieces - 1) / pieces, stride_px};  // about equal
}

/// Shared memory: kSharedBytesPerPixel for each pixel of a piece.
template <class Pixel, class Sink>
__global__ void kuwahara_filter_shared_kernel(GatherTask<PixelsAndValues<Pixel>, Sink> task, PieceShape shape) {
    extern __shared__ uchar4 s_colors[];
    auto* s_values = reinterpret_cast<uint8_t*>(s_colors + (kHasColor<Pixel> ? shape.rows * shape.stride_px : 0));

    const int radius = task.radius, width = task.width, height = task.height;
    const int block_x = int(blockIdx.x * blockDim.x), block_y = task.first_row + int(blockIdx.y * blockDim.y);
    const int left = max(block_x - radius, 0), right = min(block_x + int(blockDim.x) - 1 + radius, width - 1);
    const int top = max(block_y - radius, 0), bottom = min(block_y + int(blockDim.y) - 1 + radius, height - 1);

    // Threads outside the image load as well. They gather for the nearest pixel inside, and do not write it.
    const int x = block_x + int(threadIdx.x), y = block_y + int(threadIdx.y);
    const Neighborhood of(min(x, width - 1), min(y, task.end_row - 1), radius, width, height);
    FourQuadrants quadrants(of);

    for (int piece_top = top; piece_top <= bottom; piece_top += shape.rows) {
        const int piece_bottom = min(piece_top + shape.rows - 1, bottom);
        const auto index = [&](int at_x, int at_y) { return (at_y - piece_top) * shape.stride_px + at_x - left; };
        for (int at_y = piece_top + int(threadIdx.y); at_y <= piece_bottom; at_y += int(blockDim.y)) {
            for (int at_x = left + int(threadIdx.x); at_x <= right; at_x += int(blockDim.x)) {
                if constexpr (kHasColor<Pixel>) s_colors[index(at_x, at_y)] = task.source.pixels.load(at_x, at_y);
                s_values[index(at_x, at_y)] = task.source.values.load(at_x, at_y);
            }
        }
        __syncthreads();
        const int last_row = min(of.bottom, piece_bottom);
        for (int row = max(of.top, piece_top); row <= last_row; ++row)
            quadrants.add_row(of, row, [&](int near_x, int near_y, PixelSums& sums) {
                const int at = index(near_x, near_y);
                if constexpr (kHasColor<Pixel>) {
                    sums.add(s_values[at], s_colors[at]);
                } else {
                    sums.add(s_values[at], s_values[at]);
                }
            });
        __syncthreads();
    }
    if (x < width && y < task.end_row) task.sink.store(x, y, quadrants.winner().result(task.source.pixels.load(x, y)));
}

void run_shared(CudaJob& job) {
    filter_planes(
        job, [&]<class Pixel, class Sink>(const PixelGrid& grid, const GatherTask<PixelsAndValues<Pixel>, Sink>& task) {
            const auto kernel = kuwahara_filter_shared_kernel<Pixel, Sink>;
            const PieceShape shape = piece_shape<Pixel>(job.device, grid.block, task.radius);
            const size_t shared_bytes = size_t(shape.rows) * size_t(shape.stride_px) * kSharedBytesPerPixel<Pixel>;
            allow_shared_memory(job.device, {.shared_bytes = shared_bytes}, kernel);
            kernel<<<grid.grid, grid.block, shared_bytes, job.stream>>>(task, shape);
            TONESCOPE_LAUNCHED("kuwahara_filter_shared_kernel");
        });
}
#endif

const VariantRegistration shared_variant({
    .op = "kuwahara",
    .id = "shared",
    .name = "With shared memory",
    .source = "E shared",
    .follows = "global",
    .builds_on = "global",
    .params = kBlockTable,
    .idea = "A block loads its pixels and the margin around them into shared memory, in pieces where the radius is "
            "large, and its threads gather from there.",
    .cost = "Global memory is read (1 + 2 radius / block width) (1 + 2 radius / block height) times, shared memory (2 "
            "radius + 1)\u00b2 times a pixel.",
    .flaw = "Neighboring threads add up almost the same pixels, so the time still grows with the square of the radius.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_shared),
});

}  // namespace
}  // namespace tonescope::kuwahara
