// Kuwahara filter, after report E: a neighbor is one word of shared memory, its colors as bytes and V in the place of
// alpha, where there were three floats and a byte (pixel_words.cuh). The block works V out when it loads a pixel; the
// kernels that made planes and floats, and the 23 bytes a pixel that they moved, are gone.
#include "gpu/ops/kuwahara/color_frame.cuh"
#ifdef __CUDACC__
#include "gpu/ops/kuwahara/steps/boxes.cuh"
#include "gpu/ops/kuwahara/steps/pixel_words.cuh"
#endif

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
/// One thread a box, from row first_row on; row 0 of boxes begins `radius` rows above the image. Shared memory: a word
/// for each pixel of a piece.
template <class Scaled>
__global__ void kuwahara_packed_boxes_kernel(const __grid_constant__ Boxes<Scaled> boxes, int first_row,
                                             PieceShape piece) {
    extern __shared__ uint32_t s_pixels[];
    const ColorTask& t = boxes.task;
    const int block_x = int(blockIdx.x * blockDim.x) - t.radius;
    const int block_y = first_row + int(blockIdx.y * blockDim.y) - t.radius;
    const int left = max(block_x, 0), right = min(block_x + int(blockDim.x) - 1 + t.radius, t.width - 1);
    const int top = max(block_y, 0), bottom = min(block_y + int(blockDim.y) - 1 + t.radius, t.height - 1);
    const int x = block_x + int(threadIdx.x), y = block_y + int(threadIdx.y);
    const int x0 = max(x, 0), x1 = min(x + t.radius, t.width - 1), y0 = max(y, 0), y1 = min(y + t.radius, t.height - 1);

    WordSums sums;
    for (int piece_top = top; piece_top <= bottom; piece_top += piece.rows) {
        const int piece_bottom = min(piece_top + piece.rows - 1, bottom);
        for (int near_y = piece_top + int(threadIdx.y); near_y <= piece_bottom; near_y += int(blockDim.y))
            for (int near_x = left + int(threadIdx.x); near_x <= right; near_x += int(blockDim.x))
                s_pixels[(near_y - piece_top) * piece.stride + near_x - left] =
                    pixel_word(t.d_in[size_t(near_y) * t.in_pitch + size_t(near_x)]);
        __syncthreads();
        for (int near_y = max(y0, piece_top); near_y <= min(y1, piece_bottom); ++near_y) {
            const int row = (near_y - piece_top) * piece.stride - left;
            for (int at = row + x0; at <= row + x1; ++at) sums.add(s_pixels[at]);
        }
        __syncthreads();
    }
    if (x < t.width && y < t.height) boxes.d_boxes[boxes.at(x, y)] = boxes.evaluated(x, y, sums);
}

void run_packed_pixels(CudaJob& job) {
    constexpr int kBytesPerPixel = 4;
    run_on_colors(job, [&](const ColorTask& t) {
        filter_boxes(job, t, [&]<class Scaled>(const Boxes<Scaled>& boxes) {
            const BlockSize size = block_size(job.variant_params);
            const dim3 block(size.width, size.height);
            const PieceShape piece = piece_shape(job.device, block, t.radius, kBytesPerPixel);
            const size_t shared_bytes = size_t(piece.rows) * size_t(piece.stride) * kBytesPerPixel;
            const auto kernel = &kuwahara_packed_boxes_kernel<Scaled>;
            allow_shared_memory(job.device, {.shared_bytes = shared_bytes}, kernel);
            const int band_rows = rows_of_band(boxes.columns, boxes.rows, t.radius, int(block.y));
            for (int row = 0; row < boxes.rows; row += band_rows) {
                const PixelGrid grid(boxes.columns, std::min(band_rows, boxes.rows - row), block);
                kernel<<<grid.grid, grid.block, shared_bytes, job.stream>>>(boxes, row, piece);
                TONESCOPE_LAUNCHED("kuwahara_packed_boxes_kernel");
            }
        });
    });
}
#endif

const VariantRegistration packed_pixels_variant({
    .op = "kuwahara",
    .id = "packed-pixels",
    .name = "Packed pixels",
    .follows = "boxes-once",
    .builds_on = "boxes-once",
    .params = kBlockTable,
    .idea = "A neighbor is one word, with V beside its colors, and dot products of four bytes add its parts to the "
            "sums.",
    .cost = "V is worked out for every pixel that a block loads, margins included.",
    .flaw = "Neighboring boxes differ by one row or column, yet each is summed up from the beginning: the time grows "
            "with the square of the radius.",
    .work =
        [](const WorkCase& c) {
            return color_work(c, {{"boxes",
                                   {.bytes = 4 + box_bytes(c),
                                    .shared_bytes = QuadrantCost{4, 0.8, 13.8}.at(c),
                                    .operations = QuadrantCost{9.3, 36.4, 170}.at(c)}},
                                  {"choose", choose_amounts(c)}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_packed_pixels),
});

}  // namespace
}  // namespace tonescope::kuwahara
