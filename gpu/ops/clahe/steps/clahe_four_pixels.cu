// CLAHE, after report A: a thread takes four neighboring pixels, one word of memory, both where tiles are counted
// (word_tables.cuh) and where pixels are blended. There is a quarter of the loads and stores, and what a row's pixels
// have in common is worked out once for four of them. Only the first pixel's place between tiles costs a
// multiplication; its neighbors' follow from it.
#include "gpu/ops/clahe/clahe_planes.cuh"
#ifdef __CUDACC__
#include "gpu/ops/clahe/steps/step_plane.cuh"
#include "gpu/ops/clahe/steps/word_tables.cuh"
#endif

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
constexpr unsigned kFourPixelsBlock = 16;  // threads across and down

/// One thread four pixels.
template <class Wide>
__global__ void clahe_blend_four_kernel(const __grid_constant__ StepPlane<Wide> p) {
    const int word = int(blockIdx.x * kFourPixelsBlock + threadIdx.x);
    const int y = int(blockIdx.y * kFourPixelsBlock + threadIdx.y);
    if (4 * word >= p.width || y >= p.height) return;

    const uint32_t shifted_y = uint32_t(2 * y + p.tile_height), y2 = p.by_height2.divide(shifted_y);
    const uint32_t lower = p.by_height2.remainder(shifted_y, y2), upper = p.by_height2.divisor() - lower;
    const size_t row_bytes = size_t(p.columns) * 256;
    const uint8_t* const d_upper = p.d_tables + size_t(max(int(y2) - 1, 0)) * row_bytes;
    const uint8_t* const d_lower = p.d_tables + size_t(min(int(y2), p.rows - 1)) * row_bytes;

    const uint32_t shifted_x = uint32_t(8 * word + p.tile_width), width2 = p.by_width2.divisor();
    uint32_t x2 = p.by_width2.divide(shifted_x), right = p.by_width2.remainder(shifted_x, x2);
    const uint32_t four = load_four(p, y, word);
    uint32_t result = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const uint32_t v = four >> (8 * k) & 255, left = width2 - right;
        const uint32_t first = uint32_t(max(int(x2) - 1, 0)) * 256 + v;
        const uint32_t second = uint32_t(min(int(x2), p.columns - 1)) * 256 + v;
        const uint32_t top = d_upper[first] * left + d_upper[second] * right;
        const uint32_t bottom = d_lower[first] * left + d_lower[second] * right;
        const Wide sum = Wide(top) * upper + Wide(bottom) * lower;
        result |= uint32_t(p.by.weights.divide(sum + p.by.weights.divisor() / 2)) << (8 * k);
        right += 2;
        if (right >= width2) {
            right -= width2;
            ++x2;
        }
    }
    store_four(p, y, word, result, 0, p.width);
}

void run_four_pixels(CudaJob& job) {
    run_on_planes(job, make_tables_from_words, [](const TilePlane& p) {
        with_quotients(p, [&]<class Wide>(const TileQuotients<Wide>& by) {
            const PixelGrid grid((p.width + 3) / 4, p.height, dim3(kFourPixelsBlock, kFourPixelsBlock));
            clahe_blend_four_kernel<<<grid.grid, grid.block, 0, p.stream>>>(StepPlane<Wide>(p, by));
            TONESCOPE_LAUNCHED("clahe_blend_four_kernel");
        });
    });
}
#endif

const VariantRegistration four_pixels_variant({
    .op = "clahe",
    .id = "four-pixels",
    .name = "Four pixels a thread",
    .follows = "reciprocals",
    .builds_on = "reciprocals",
    .idea = "A thread reads, counts, blends and writes four neighboring pixels, a word of 32 bits, and works out once "
            "what they have in common.",
    .cost = "Words that a tile's or the image's border cuts need a test for each of their pixels.",
    .flaw = "Each pixel still looks up four bytes in four tables.",
    .work =
        [](const WorkCase& whole) {
            return work_by_lightness<Params>(whole, [](const WorkCase& c) {
                return plane_work(c, counting(c, 12.4, 68900, 37000), {{.operations = 55.3}, {}});
            });
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_four_pixels>),
});

}  // namespace
}  // namespace tonescope::clahe
