// Report E, without shared memory: one thread a pixel gathers every neighbor of its four quadrants from global memory,
// one quadrant after the other. As in the report, colors are floats, [y][x][3]: a warp's 32 reds lie 12 bytes apart, so
// that three reads of a row share the same 384 bytes. Sums of floats stay exact here: no sum of a color passes 2^24.
#include "gpu/ops/kuwahara/hsv_planes.cuh"

namespace tonescope::kuwahara {
namespace {

#ifdef __CUDACC__
/// One thread a pixel, from row first_row on.
__global__ void kuwahara_filter_global_kernel(const uchar4* d_in, size_t in_pitch, const float* d_colors,
                                              const uint8_t* d_values, uchar4* d_out, size_t out_pitch, int width,
                                              int height, int first_row, int radius) {
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
        float red = 0, green = 0, blue = 0;
        for (int near_y = y0; near_y <= y1; ++near_y) {
            for (int near_x = x0; near_x <= x1; ++near_x) {
                const size_t at = size_t(near_y) * size_t(width) + size_t(near_x);
                const uint32_t v = d_values[at];
                next.sums.value += v;
                next.sums.value_squared += v * v;
                red += d_colors[at * 3];
                green += d_colors[at * 3 + 1];
                blue += d_colors[at * 3 + 2];
            }
        }
        next.sums.red = uint32_t(red);
        next.sums.green = uint32_t(green);
        next.sums.blue = uint32_t(blue);
        if (quadrant == 0 || next.has_lower_variance_than(best)) best = next;
    }
    d_out[size_t(y) * out_pitch + size_t(x)] = best.result(d_in[size_t(y) * in_pitch + size_t(x)]);
}

void run_global(CudaJob& job) {
    run_on_colors(job, [&](const ColorTask& t) {
        const uint8_t* d_values = make_values(job, t);
        const float* d_colors = make_floats(job, t);
        filter_in_bands(job, t, [&](dim3 grid, dim3 block, int first_row) {
            kuwahara_filter_global_kernel<<<grid, block, 0, job.stream>>>(
                t.d_in, t.in_pitch, d_colors, d_values, t.d_out, t.out_pitch, t.width, t.height, first_row, t.radius);
            TONESCOPE_LAUNCHED("kuwahara_filter_global_kernel");
        });
    });
}
#endif

const VariantRegistration global_variant({
    .op = "kuwahara",
    .id = "global",
    .name = "Without shared memory",
    .source = "E global",
    .follows = "hsv",
    .builds_on = "hsv",
    .params = kBlockTable,
    .idea = "Colors are floats, three to a pixel, as the report has them; one thread a pixel gathers every neighbor "
            "from global memory.",
    .cost = "13 bytes read for each of 4 (radius + 1)\u00b2 neighbors a pixel, nearly all of them from the caches.",
    .flaw = "The threads of a block read almost the same pixels, each for itself.",
    .work =
        [](const WorkCase& c) {
            return color_work(c, {{"hsv", hsv_amounts(c)},
                                  {"floats", kFloats},
                                  {"filter",
                                   {.bytes = 21,
                                    .l1_bytes = QuadrantCost{125, 0, 50}.at(c),
                                    .operations = QuadrantCost{29.2, 417, -334}.at(c)}}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_global),
});

}  // namespace
}  // namespace tonescope::kuwahara
