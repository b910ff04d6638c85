// Kuwahara filter, after report E: all four quadrants in one pass over the pixel's neighborhood in shared memory, so
// that each neighbor is read once: (2 radius + 1)^2 of them in place of 4 (radius + 1)^2, which is a fifth less at
// radius 4 and 3 in a hundred at radius 64. The pixel's own row and column cut the neighborhood into nine regions: four
// corners, four arms and the pixel. Each is summed up by itself, and a quadrant is a corner, two arms and the pixel.
//
//     corner | arm | corner
//     -------+-----+-------
//        arm | own | arm
//     -------+-----+-------
//     corner | arm | corner
#include "gpu/ops/kuwahara/hsv_planes.cuh"

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
/// Sums over neighbors in shared memory.
struct NeighborSums {
    uint32_t value = 0, value_squared = 0;
    float red = 0, green = 0, blue = 0;

    __device__ void add(uint32_t v, const float* s_color) {
        value += v;
        value_squared += v * v;
        red += s_color[0];
        green += s_color[1];
        blue += s_color[2];
    }
    __device__ void add(const NeighborSums& other) {
        value += other.value;
        value_squared += other.value_squared;
        red += other.red;
        green += other.green;
        blue += other.blue;
    }
    __device__ QuadrantSums of(int columns, int rows) const {
        return {uint32_t(columns) * uint32_t(rows),
                {value, value_squared, uint32_t(red), uint32_t(green), uint32_t(blue)}};
    }
};

/// One thread a pixel, from row first_row on. Shared memory: three floats and a byte for each pixel of a piece.
__global__ void kuwahara_filter_one_pass_kernel(const uchar4* d_in, size_t in_pitch, const float* d_colors,
                                                const uint8_t* d_values, uchar4* d_out, size_t out_pitch, int width,
                                                int height, int first_row, int radius, PieceShape piece) {
    extern __shared__ float s_colors[];
    auto* s_values = reinterpret_cast<uint8_t*>(s_colors + piece.rows * piece.stride * 3);
    const int block_x = int(blockIdx.x * blockDim.x), block_y = first_row + int(blockIdx.y * blockDim.y);
    const int left = max(block_x - radius, 0), right = min(block_x + int(blockDim.x) - 1 + radius, width - 1);
    const int top = max(block_y - radius, 0), bottom = min(block_y + int(blockDim.y) - 1 + radius, height - 1);
    // Threads outside the image load as well. They gather for the nearest pixel inside, and do not write it.
    const bool writes = block_x + int(threadIdx.x) < width && block_y + int(threadIdx.y) < height;
    const int x = min(block_x + int(threadIdx.x), width - 1), y = min(block_y + int(threadIdx.y), height - 1);

    const int x0 = max(x - radius, 0), x1 = min(x + radius, width - 1);
    const int y0 = max(y - radius, 0), y1 = min(y + radius, height - 1);
    NeighborSums top_left, top_arm, top_right, bottom_left, bottom_arm, bottom_right;
    for (int piece_top = top; piece_top <= bottom; piece_top += piece.rows) {
        const int piece_bottom = min(piece_top + piece.rows - 1, bottom);
        for (int near_y = piece_top + int(threadIdx.y); near_y <= piece_bottom; near_y += int(blockDim.y)) {
            for (int near_x = left + int(threadIdx.x); near_x <= right; near_x += int(blockDim.x)) {
                const size_t from = size_t(near_y) * size_t(width) + size_t(near_x);
                const int to = (near_y - piece_top) * piece.stride + near_x - left;
                s_colors[to * 3] = d_colors[from * 3];
                s_colors[to * 3 + 1] = d_colors[from * 3 + 1];
                s_colors[to * 3 + 2] = d_colors[from * 3 + 2];
                s_values[to] = d_values[from];
            }
        }
        __syncthreads();
        const auto add_row = [&](int near_y, NeighborSums& before, NeighborSums& at_x, NeighborSums& behind) {
            const int row = (near_y - piece_top) * piece.stride - left;
#pragma unroll 4
            for (int at = row + x0; at < row + x; ++at) before.add(s_values[at], s_colors + at * 3);
            at_x.add(s_values[row + x], s_colors + (row + x) * 3);
#pragma unroll 4
            for (int at = row + x + 1; at <= row + x1; ++at) behind.add(s_values[at], s_colors + at * 3);
        };
        for (int near_y = max(y0, piece_top); near_y <= min(y - 1, piece_bottom); ++near_y)
            add_row(near_y, top_left, top_arm, top_right);
        if (piece_top <= y && y <= piece_bottom) {
            NeighborSums left_arm, own, right_arm;
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

void run_one_pass(CudaJob& job) {
    constexpr int kBytesPerPixel = 13;
    run_on_colors(job, [&](const ColorTask& t) {
        const uint8_t* d_values = make_values(job, t);
        const float* d_colors = make_floats(job, t);
        filter_in_bands(job, t, [&](dim3 grid, dim3 block, int first_row) {
            const PieceShape piece = piece_shape(job.device, block, t.radius, kBytesPerPixel);
            const size_t shared_bytes = size_t(piece.rows) * size_t(piece.stride) * kBytesPerPixel;
            allow_shared_memory(job.device, {.shared_bytes = shared_bytes}, kuwahara_filter_one_pass_kernel);
            kuwahara_filter_one_pass_kernel<<<grid, block, shared_bytes, job.stream>>>(
                t.d_in, t.in_pitch, d_colors, d_values, t.d_out, t.out_pitch, t.width, t.height, first_row, t.radius,
                piece);
            TONESCOPE_LAUNCHED("kuwahara_filter_one_pass_kernel");
        });
    });
}
#endif

const VariantRegistration one_pass_variant({
    .op = "kuwahara",
    .id = "one-pass",
    .name = "One pass",
    .follows = "shared",
    .builds_on = "shared",
    .params = kBlockTable,
    .idea = "A thread walks over its neighborhood once: its own row and column cut it into nine regions, of which each "
            "quadrant has four.",
    .cost = "(2 radius + 1)\u00b2 neighbors a pixel, and sums of nine regions.",
    .flaw = "Three short loops a row in place of one: at small radii that costs more than a fifth of the reads.",
    .work =
        [](const WorkCase& c) {
            return color_work(c, {{"hsv", hsv_amounts(c)},
                                  {"floats", kFloats},
                                  {"filter",
                                   {.bytes = 21,
                                    .shared_bytes = QuadrantCost{63.7, -53.7, 43.6}.at(c),
                                    .operations = QuadrantCost{33.6, 124, 146}.at(c)}}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_one_pass),
});

}  // namespace
}  // namespace tonescope::kuwahara
