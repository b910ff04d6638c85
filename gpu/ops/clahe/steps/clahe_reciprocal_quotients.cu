// CLAHE, after report A: version 6 with no division left on the GPU. Exact rounding divides by the weights' sum for
// each pixel and by the tile's pixels for each bin; both are known on the host, which makes reciprocals of them too.
// Words of 32 bits suffice for tiles up to two million pixels.
#include "gpu/ops/clahe/clahe_planes.cuh"
#ifdef __CUDACC__
#include "gpu/ops/clahe/steps/step_plane.cuh"
#endif

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
/// Block (column, row) makes the table of that tile.
template <class Wide>
__global__ void clahe_table_reciprocal_kernel(const uint8_t* __restrict__ const d_in, const size_t in_pitch,
                                              const int width, const int height, const int tile_width,
                                              const int tile_height, const int columns, const uint32_t clip,
                                              const Excess spread, const __grid_constant__ TileQuotients<Wide> by,
                                              uint8_t* __restrict__ const d_tables) {
    constexpr int kTeams = 4;
    __shared__ uint32_t s_histogram[kTeams * 256];
    __shared__ uint32_t s_excess;
    __shared__ uint32_t s_tree[256 + 256 / 32];
    const int thread = int(threadIdx.y * blockDim.x + threadIdx.x), threads = int(blockDim.x * blockDim.y);
    const int x0 = int(blockIdx.x) * tile_width, y0 = int(blockIdx.y) * tile_height;
    const int x1 = min(x0 + tile_width, width), y1 = min(y0 + tile_height, height);

    uint32_t* const s_team_histogram = s_histogram + thread * kTeams / threads * 256;
    for (int i = thread; i < kTeams * 256; i += threads) s_histogram[i] = 0;
    if (thread == 0) s_excess = 0;
    __syncthreads();
    const uint8_t* d_row = d_in + size_t(y0 + int(threadIdx.y)) * in_pitch;
    for (int y = y0 + int(threadIdx.y); y < y1; y += int(blockDim.y), d_row += blockDim.y * in_pitch)
        for (int x = x0 + int(threadIdx.x); x < x1; x += int(blockDim.x)) atomicAdd(&s_team_histogram[d_row[x]], 1u);
    __syncthreads();
    for (int bin = thread; bin < 256; bin += threads) {
        uint32_t count = 0;
        for (int team = 0; team < kTeams; ++team) count += s_histogram[team * 256 + bin];
        atomicAdd(&s_excess, max(count, clip) - clip);
        s_histogram[bin] = min(count, clip);
    }
    __syncthreads();
    const uint32_t excess = s_excess;
    for (int bin = thread; bin < 256; bin += threads) {
        s_histogram[bin] += excess / 256 + gain_of_bin(uint32_t(bin), excess % 256, spread);
        s_tree[padded(bin)] = s_histogram[bin];
    }
    for (int half = 1; half < 256; half *= 2) {  // up
        __syncthreads();
        for (int right = (thread + 1) * 2 * half - 1; right < 256; right += threads * 2 * half)
            s_tree[padded(right)] += s_tree[padded(right - half)];
    }
    __syncthreads();
    if (thread == 0) s_tree[padded(255)] = 0;
    for (int half = 128; half > 0; half /= 2) {  // down
        __syncthreads();
        for (int right = (thread + 1) * 2 * half - 1; right < 256; right += threads * 2 * half) {
            uint32_t* const s_left = &s_tree[padded(right - half)];
            uint32_t* const s_right = &s_tree[padded(right)];
            const uint32_t left_sum = *s_left;
            *s_left = *s_right;
            *s_right += left_sum;
        }
    }
    __syncthreads();

    const size_t tile = blockIdx.y * size_t(columns) + blockIdx.x;
    for (int bin = thread; bin < 256; bin += threads)
        d_tables[tile * 256 + size_t(bin)] = by.entry(s_tree[padded(bin)] + s_histogram[bin]);
}

/// One thread a pixel. by_width2, by_height2: 2 T.
template <class Wide>
__global__ void clahe_blend_reciprocal_kernel(const uint8_t* __restrict__ const d_in, const size_t in_pitch,
                                              uint8_t* __restrict__ const d_out, const size_t out_pitch,
                                              const int width, const int height, const int columns, const int rows,
                                              const Reciprocal<uint32_t> by_width2,
                                              const Reciprocal<uint32_t> by_height2, const Reciprocal<Wide> by_weights,
                                              const uint8_t* __restrict__ const d_tables) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;

    // The pixel lies between the centers of the tiles x2 - 1 and x2, right / (2 T) of the way to the second.
    const uint32_t shifted_x = uint32_t(2 * x) + by_width2.divisor() / 2;
    const uint32_t shifted_y = uint32_t(2 * y) + by_height2.divisor() / 2;
    const uint32_t x2 = by_width2.divide(shifted_x), y2 = by_height2.divide(shifted_y);
    const uint32_t right = by_width2.remainder(shifted_x, x2), left = by_width2.divisor() - right;
    const uint32_t lower = by_height2.remainder(shifted_y, y2), upper = by_height2.divisor() - lower;

    const size_t v = d_in[size_t(y) * in_pitch + size_t(x)];
    const size_t first = size_t(max(int(x2) - 1, 0)) * 256 + v, second = size_t(min(int(x2), columns - 1)) * 256 + v;
    const size_t row_bytes = size_t(columns) * 256;
    const uint8_t* const d_upper = d_tables + size_t(max(int(y2) - 1, 0)) * row_bytes;
    const uint8_t* const d_lower = d_tables + size_t(min(int(y2), rows - 1)) * row_bytes;
    const uint32_t top = d_upper[first] * left + d_upper[second] * right;
    const uint32_t bottom = d_lower[first] * left + d_lower[second] * right;
    const Wide sum = Wide(top) * upper + Wide(bottom) * lower;
    d_out[size_t(y) * out_pitch + size_t(x)] = uint8_t(by_weights.divide(sum + by_weights.divisor() / 2));
}

void run_reciprocals(CudaJob& job) {
    run_on_planes(
        job,
        [](const TilePlane& p) {
            with_quotients(p, [&]<class Wide>(const TileQuotients<Wide>& by) {
                clahe_table_reciprocal_kernel<<<p.tile_grid(), p.block, 0, p.stream>>>(
                    p.d_in, p.in_pitch, p.width, p.height, p.tile_width, p.tile_height, p.columns, p.clip, p.spread, by,
                    p.d_tables);
                TONESCOPE_LAUNCHED("clahe_table_reciprocal_kernel");
            });
        },
        [](const TilePlane& p) {
            with_quotients(p, [&]<class Wide>(const TileQuotients<Wide>& by) {
                const PixelGrid grid(p.width, p.height, p.block);
                const Reciprocal<uint32_t> by_width2(2 * uint32_t(p.tile_width));
                const Reciprocal<uint32_t> by_height2(2 * uint32_t(p.tile_height));
                clahe_blend_reciprocal_kernel<<<grid.grid, grid.block, 0, p.stream>>>(
                    p.d_in, p.in_pitch, p.d_out, p.out_pitch, p.width, p.height, p.columns, p.rows, by_width2,
                    by_height2, by.weights, p.d_tables);
                TONESCOPE_LAUNCHED("clahe_blend_reciprocal_kernel");
            });
        });
}
#endif

const VariantRegistration reciprocal_quotients_variant({
    .op = "clahe",
    .id = "reciprocals",
    .name = "Reciprocals",
    .follows = "branch-free",
    .builds_on = "branch-free",
    .params = kBlockTable,
    .idea = "The divisions that exact rounding needs, one a pixel and one a bin, become multiplications by reciprocals "
            "that are exact for every number that occurs.",
    .cost = "The CPU makes five reciprocals before each run.",
    .flaw = "A thread reads, blends and writes a single byte, and what is the same along a row is worked out for each "
            "pixel of it.",
    .work =
        [](const WorkCase& whole) {
            return work_by_lightness<Params>(whole, [](const WorkCase& c) {
                return plane_work(c, counting(c, 8.4, 67500 + 213 * block_threads(c), 34500), {{.operations = 98}, {}});
            });
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_reciprocals>),
});

}  // namespace
}  // namespace tonescope::clahe
