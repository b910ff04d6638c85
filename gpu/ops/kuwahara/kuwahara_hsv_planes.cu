// Report E, RGB to HSV: a kernel of its own turns the packed image into three planes, H, S and V (hsv_planes.cuh), so
// that V is worked out once a pixel and not once for each of the pixel's neighbors. A warp that reads 32 neighboring
// values of a plane gets 32 bytes that all count. The sums of the colors still need the packed pixel.
#include "gpu/ops/kuwahara/hsv_planes.cuh"

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
/// One thread a pixel, from row first_row on.
__global__ void kuwahara_filter_planes_kernel(const uchar4* d_in, size_t in_pitch, const uint8_t* d_values,
                                              uchar4* d_out, size_t out_pitch, int width, int height, int first_row,
                                              int radius) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = first_row + int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    QuadrantSums best;
    for (int quadrant = 0; quadrant < 4; ++quadrant) {  // top left, top right, bottom left, bottom right
        const int x0 = quadrant % 2 == 0 ? max(x - radius, 0) : x;
        const int x1 = quadrant % 2 == 0 ? x : min(x + radius, width - 1);
        const int y0 = quadrant < 2 ? max(y - radius, 0) : y;
        const int y1 = quadrant < 2 ? y : min(y + radius, height - 1);
        QuadrantSums next;
        next.n = uint32_t(x1 - x0 + 1) * uint32_t(y1 - y0 + 1);
        for (int near_y = y0; near_y <= y1; ++near_y) {
            for (int near_x = x0; near_x <= x1; ++near_x) {
                const uint32_t v = d_values[size_t(near_y) * size_t(width) + size_t(near_x)];
                const uchar4 pixel = d_in[size_t(near_y) * in_pitch + size_t(near_x)];
                next.sums.value += v;
                next.sums.value_squared += v * v;
                next.sums.red += pixel.x;
                next.sums.green += pixel.y;
                next.sums.blue += pixel.z;
            }
        }
        if (quadrant == 0 || next.has_lower_variance_than(best)) best = next;
    }
    d_out[size_t(y) * out_pitch + size_t(x)] = best.result(d_in[size_t(y) * in_pitch + size_t(x)]);
}

void run_hsv(CudaJob& job) {
    run_on_colors(job, [&](const ColorTask& t) {
        const uint8_t* d_values = make_values(job, t);
        filter_in_bands(job, t, [&](dim3 grid, dim3 block, int first_row) {
            kuwahara_filter_planes_kernel<<<grid, block, 0, job.stream>>>(
                t.d_in, t.in_pitch, d_values, t.d_out, t.out_pitch, t.width, t.height, first_row, t.radius);
            TONESCOPE_LAUNCHED("kuwahara_filter_planes_kernel");
        });
    });
}
#endif

const VariantRegistration hsv_variant({
    .op = "kuwahara",
    .id = "hsv",
    .name = "HSV planes",
    .source = "E HSV",
    .builds_on = "simple",
    .params = kBlockTable,
    .idea = "A kernel of its own turns packed RGB into planes of H, S and V; then one thread a pixel sums up its four "
            "quadrants, one after the other.",
    .cost = "Three bytes a pixel written, then 4 (radius + 1)\u00b2 pixels read for each, twice: its V and its color.",
    .flaw = "The pixel's own row and column are read twice, the pixel itself four times, and nobody reads H and S.",
    .work =
        [](const WorkCase& c) {
            return color_work(c, {{"hsv", hsv_amounts(c)},
                                  {"filter",
                                   {.bytes = 9,
                                    .l1_bytes = QuadrantCost{61, 0, 30}.at(c),
                                    .operations = QuadrantCost{37.2, 271, 123}.at(c)}}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_hsv),
});

}  // namespace
}  // namespace tonescope::kuwahara
