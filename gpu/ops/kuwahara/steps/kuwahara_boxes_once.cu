// Kuwahara filter, after report E: each box of (radius + 1)^2 pixels is summed up and evaluated once, where the four
// pixels that have it as a quadrant did so before (boxes.cuh). That is a quarter of the sums, of the variances and of
// the means; in return, evaluated boxes pass through memory, and a second kernel chooses among them.
#include "gpu/ops/kuwahara/color_frame.cuh"
#ifdef __CUDACC__
#include "gpu/ops/kuwahara/hsv_planes.cuh"
#include "gpu/ops/kuwahara/steps/boxes.cuh"
#endif

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
/// One thread a box, from row first_row on; row 0 of boxes begins `radius` rows above the image. Shared memory: three
/// floats and a byte for each pixel of a piece.
template <class Scaled>
__global__ void kuwahara_boxes_once_kernel(const __grid_constant__ Boxes<Scaled> boxes, const float* d_colors,
                                           const uint8_t* d_values, int first_row, PieceShape piece) {
    extern __shared__ float s_colors[];
    auto* s_values = reinterpret_cast<uint8_t*>(s_colors + piece.rows * piece.stride * 3);
    const ColorTask& t = boxes.task;
    const int block_x = int(blockIdx.x * blockDim.x) - t.radius;
    const int block_y = first_row + int(blockIdx.y * blockDim.y) - t.radius;
    const int left = max(block_x, 0), right = min(block_x + int(blockDim.x) - 1 + t.radius, t.width - 1);
    const int top = max(block_y, 0), bottom = min(block_y + int(blockDim.y) - 1 + t.radius, t.height - 1);
    const int x = block_x + int(threadIdx.x), y = block_y + int(threadIdx.y);
    const int x0 = max(x, 0), x1 = min(x + t.radius, t.width - 1), y0 = max(y, 0), y1 = min(y + t.radius, t.height - 1);

    PixelSums sums;
    float red = 0, green = 0, blue = 0;
    for (int piece_top = top; piece_top <= bottom; piece_top += piece.rows) {
        const int piece_bottom = min(piece_top + piece.rows - 1, bottom);
        for (int near_y = piece_top + int(threadIdx.y); near_y <= piece_bottom; near_y += int(blockDim.y)) {
            for (int near_x = left + int(threadIdx.x); near_x <= right; near_x += int(blockDim.x)) {
                const size_t from = size_t(near_y) * size_t(t.width) + size_t(near_x);
                const int to = (near_y - piece_top) * piece.stride + near_x - left;
                s_colors[to * 3] = d_colors[from * 3];
                s_colors[to * 3 + 1] = d_colors[from * 3 + 1];
                s_colors[to * 3 + 2] = d_colors[from * 3 + 2];
                s_values[to] = d_values[from];
            }
        }
        __syncthreads();
        for (int near_y = max(y0, piece_top); near_y <= min(y1, piece_bottom); ++near_y) {
            for (int near_x = x0; near_x <= x1; ++near_x) {
                const int at = (near_y - piece_top) * piece.stride + near_x - left;
                const uint32_t v = s_values[at];
                sums.value += v;
                sums.value_squared += v * v;
                red += s_colors[at * 3];
                green += s_colors[at * 3 + 1];
                blue += s_colors[at * 3 + 2];
            }
        }
        __syncthreads();
    }
    sums.red = uint32_t(red);
    sums.green = uint32_t(green);
    sums.blue = uint32_t(blue);
    if (x < t.width && y < t.height) boxes.d_boxes[boxes.at(x, y)] = boxes.evaluated(x, y, sums);
}

void run_boxes_once(CudaJob& job) {
    constexpr int kBytesPerPixel = 13;
    run_on_colors(job, [&](const ColorTask& t) {
        const uint8_t* d_values = make_values(job, t);
        const float* d_colors = make_floats(job, t);
        filter_boxes(job, t, [&]<class Scaled>(const Boxes<Scaled>& boxes) {
            const BlockSize size = block_size(job.variant_params);
            const dim3 block(size.width, size.height);
            const PieceShape piece = piece_shape(job.device, block, t.radius, kBytesPerPixel);
            const size_t shared_bytes = size_t(piece.rows) * size_t(piece.stride) * kBytesPerPixel;
            const auto kernel = &kuwahara_boxes_once_kernel<Scaled>;
            allow_shared_memory(job.device, {.shared_bytes = shared_bytes}, kernel);
            const int band_rows = rows_of_band(boxes.columns, boxes.rows, t.radius, int(block.y));
            for (int row = 0; row < boxes.rows; row += band_rows) {
                const PixelGrid grid(boxes.columns, std::min(band_rows, boxes.rows - row), block);
                kernel<<<grid.grid, grid.block, shared_bytes, job.stream>>>(boxes, d_colors, d_values, row, piece);
                TONESCOPE_LAUNCHED("kuwahara_boxes_once_kernel");
            }
        });
    });
}
#endif

const VariantRegistration boxes_once_variant({
    .op = "kuwahara",
    .id = "boxes-once",
    .name = "Boxes once",
    .follows = "one-pass",
    .builds_on = "shared",
    .params = kBlockTable,
    .idea = "A quadrant is a box that four pixels have in common: each box is summed up and evaluated once, and each "
            "pixel chooses among four evaluated boxes.",
    .cost = "8 bytes a box written and read again, 16 above radius 16, and a second kernel.",
    .flaw = "A neighbor is four words of shared memory: three floats that hold bytes, and V.",
    .work =
        [](const WorkCase& c) {
            return color_work(c, {{"hsv", hsv_amounts(c)},
                                  {"floats", kFloats},
                                  {"boxes",
                                   {.bytes = 13 + box_bytes(c),
                                    .shared_bytes = QuadrantCost{15.8, 7, 31}.at(c),
                                    .operations = QuadrantCost{10.8, 18.3, 211}.at(c)}},
                                  {"choose", choose_amounts(c)}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_boxes_once),
});

}  // namespace
}  // namespace tonescope::kuwahara
