// Report E, with shared memory: the block first loads what its threads will read, colors and V, into shared memory;
// then each thread gathers its four quadrants from there, one after the other. The report has a fixed place of 32x32
// pixels, which ends at radius 8 for a block of 16x16. Here every radius is served, in pieces where it is large
// (PieceShape in color_frame.cuh).
#include "gpu/ops/kuwahara/hsv_planes.cuh"

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
/// One thread a pixel, from row first_row on. Shared memory: three floats and a byte for each pixel of a piece.
__global__ void kuwahara_filter_shared_kernel(const uchar4* d_in, size_t in_pitch, const float* d_colors,
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

    QuadrantSums quadrants[4];  // top left, top right, bottom left, bottom right
    float red[4] = {}, green[4] = {}, blue[4] = {};
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
#pragma unroll
        for (int quadrant = 0; quadrant < 4; ++quadrant) {
            const int x0 = quadrant % 2 == 0 ? max(x - radius, 0) : x;
            const int x1 = quadrant % 2 == 0 ? x : min(x + radius, width - 1);
            const int y0 = quadrant < 2 ? max(y - radius, 0) : y;
            const int y1 = quadrant < 2 ? y : min(y + radius, height - 1);
            QuadrantSums& next = quadrants[quadrant];
            next.n = uint32_t(x1 - x0 + 1) * uint32_t(y1 - y0 + 1);
            for (int near_y = max(y0, piece_top); near_y <= min(y1, piece_bottom); ++near_y) {
                for (int near_x = x0; near_x <= x1; ++near_x) {
                    const int at = (near_y - piece_top) * piece.stride + near_x - left;
                    const uint32_t v = s_values[at];
                    next.sums.value += v;
                    next.sums.value_squared += v * v;
                    red[quadrant] += s_colors[at * 3];
                    green[quadrant] += s_colors[at * 3 + 1];
                    blue[quadrant] += s_colors[at * 3 + 2];
                }
            }
        }
        __syncthreads();
    }

    QuadrantSums best;
#pragma unroll
    for (int quadrant = 0; quadrant < 4; ++quadrant) {
        QuadrantSums& next = quadrants[quadrant];
        next.sums.red = uint32_t(red[quadrant]);
        next.sums.green = uint32_t(green[quadrant]);
        next.sums.blue = uint32_t(blue[quadrant]);
        if (quadrant == 0 || next.has_lower_variance_than(best)) best = next;
    }
    if (writes) d_out[size_t(y) * out_pitch + size_t(x)] = best.result(d_in[size_t(y) * in_pitch + size_t(x)]);
}

void run_shared(CudaJob& job) {
    constexpr int kBytesPerPixel = 13;
    run_on_colors(job, [&](const ColorTask& t) {
        const uint8_t* d_values = make_values(job, t);
        const float* d_colors = make_floats(job, t);
        filter_in_bands(job, t, [&](dim3 grid, dim3 block, int first_row) {
            const PieceShape piece = piece_shape(job.device, block, t.radius, kBytesPerPixel);
            const size_t shared_bytes = size_t(piece.rows) * size_t(piece.stride) * kBytesPerPixel;
            allow_shared_memory(job.device, {.shared_bytes = shared_bytes}, kuwahara_filter_shared_kernel);
            kuwahara_filter_shared_kernel<<<grid, block, shared_bytes, job.stream>>>(
                t.d_in, t.in_pitch, d_colors, d_values, t.d_out, t.out_pitch, t.width, t.height, first_row, t.radius,
                piece);
            TONESCOPE_LAUNCHED("kuwahara_filter_shared_kernel");
        });
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
    .cost = "Global memory is read (1 + 2 radius / block width) (1 + 2 radius / block height) times, shared memory 4 "
            "(radius + 1)\u00b2 times a pixel, four words each.",
    .flaw = "The pixel's own row and column are read twice, the pixel itself four times.",
    .work =
        [](const WorkCase& c) {
            return color_work(c, {{"hsv", hsv_amounts(c)},
                                  {"floats", kFloats},
                                  {"filter",
                                   {.bytes = 21,
                                    .shared_bytes = QuadrantCost{63.5, 10.7, 29}.at(c),
                                    .operations = QuadrantCost{43.1, 84.9, 297}.at(c)}}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_shared),
});

}  // namespace
}  // namespace tonescope::kuwahara
