// Kuwahara filter, after report E: a neighbor is one word of shared memory, its colors as bytes and V in the place of
// alpha, where there were three floats and a byte (pixel_words.cuh). The block works V out when it loads a pixel; the
// kernels that made planes and floats, and the 19 bytes a pixel that they moved, are gone.
#include "gpu/ops/kuwahara/color_frame.cuh"
#ifdef __CUDACC__
#include "gpu/ops/kuwahara/steps/pixel_words.cuh"
#endif

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
/// One thread a pixel, from row first_row on. Shared memory: a word for each pixel of a piece.
__global__ void kuwahara_filter_packed_kernel(const uchar4* d_in, size_t in_pitch, uchar4* d_out, size_t out_pitch,
                                              int width, int height, int first_row, int radius, PieceShape piece) {
    extern __shared__ uint32_t s_pixels[];
    const int block_x = int(blockIdx.x * blockDim.x), block_y = first_row + int(blockIdx.y * blockDim.y);
    const int left = max(block_x - radius, 0), right = min(block_x + int(blockDim.x) - 1 + radius, width - 1);
    const int top = max(block_y - radius, 0), bottom = min(block_y + int(blockDim.y) - 1 + radius, height - 1);
    // Threads outside the image load as well. They gather for the nearest pixel inside, and do not write it.
    const bool writes = block_x + int(threadIdx.x) < width && block_y + int(threadIdx.y) < height;
    const int x = min(block_x + int(threadIdx.x), width - 1), y = min(block_y + int(threadIdx.y), height - 1);

    const int x0 = max(x - radius, 0), x1 = min(x + radius, width - 1);
    const int y0 = max(y - radius, 0), y1 = min(y + radius, height - 1);
    WordSums top_left, top_arm, top_right, bottom_left, bottom_arm, bottom_right;
    for (int piece_top = top; piece_top <= bottom; piece_top += piece.rows) {
        const int piece_bottom = min(piece_top + piece.rows - 1, bottom);
        for (int near_y = piece_top + int(threadIdx.y); near_y <= piece_bottom; near_y += int(blockDim.y))
            for (int near_x = left + int(threadIdx.x); near_x <= right; near_x += int(blockDim.x))
                s_pixels[(near_y - piece_top) * piece.stride + near_x - left] =
                    pixel_word(d_in[size_t(near_y) * in_pitch + size_t(near_x)]);
        __syncthreads();
        const auto add_row = [&](int near_y, WordSums& before, WordSums& at_x, WordSums& behind) {
            const int row = (near_y - piece_top) * piece.stride - left;
            for (int at = row + x0; at < row + x; ++at) before.add(s_pixels[at]);
            at_x.add(s_pixels[row + x]);
            for (int at = row + x + 1; at <= row + x1; ++at) behind.add(s_pixels[at]);
        };
        for (int near_y = max(y0, piece_top); near_y <= min(y - 1, piece_bottom); ++near_y)
            add_row(near_y, top_left, top_arm, top_right);
        if (piece_top <= y && y <= piece_bottom) {
            WordSums left_arm, own, right_arm;
            add_row(y, left_arm, own, right_arm);
            left_arm.add(own);
            right_arm.add(own);
            top_left.add(top_arm);
            top_left.add(left_arm);
            top_right.add(top_arm);
            top_right.add(right_arm);
            bottom_left.add(left_arm);
            bottom_right.add(right_arm);
        }
        for (int near_y = max(y + 1, piece_top); near_y <= min(y1, piece_bottom); ++near_y)
            add_row(near_y, bottom_left, bottom_arm, bottom_right);
        __syncthreads();
    }

    bottom_left.add(bottom_arm);
    bottom_right.add(bottom_arm);
    QuadrantSums best = top_left.of(x - x0 + 1, y - y0 + 1);
    keep_winner(best, top_right.of(x1 - x + 1, y - y0 + 1));
    keep_winner(best, bottom_left.of(x - x0 + 1, y1 - y + 1));
    keep_winner(best, bottom_right.of(x1 - x + 1, y1 - y + 1));
    if (writes) d_out[size_t(y) * out_pitch + size_t(x)] = best.result(d_in[size_t(y) * in_pitch + size_t(x)]);
}

void run_packed_pixels(CudaJob& job) {
    run_on_colors(job, [&](const ColorTask& t) {
        filter_in_bands(job, t, [&](dim3 grid, dim3 block, int first_row) {
            const PieceShape piece = piece_shape(job.device, block, t.radius, sizeof(uint32_t));
            const size_t shared_bytes = size_t(piece.rows) * size_t(piece.stride) * sizeof(uint32_t);
            allow_shared_memory(job.device, {.shared_bytes = shared_bytes}, kuwahara_filter_packed_kernel);
            kuwahara_filter_packed_kernel<<<grid, block, shared_bytes, job.stream>>>(
                t.d_in, t.in_pitch, t.d_out, t.out_pitch, t.width, t.height, first_row, t.radius, piece);
            TONESCOPE_LAUNCHED("kuwahara_filter_packed_kernel");
        });
    });
}
#endif

const VariantRegistration packed_pixels_variant({
    .op = "kuwahara",
    .id = "packed-pixels",
    .name = "Packed pixels",
    .follows = "one-pass",
    .builds_on = "one-pass",
    .params = kBlockTable,
    .idea = "A neighbor is one word, with V beside its colors, and dot products of four bytes add its parts to the "
            "sums.",
    .cost = "V is worked out for every pixel that a block loads, margins included.",
    .flaw = "A quadrant is summed up for each of the four pixels that have it in common, and the time grows with the "
            "square of the radius.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_packed_pixels),
});

}  // namespace
}  // namespace tonescope::kuwahara
