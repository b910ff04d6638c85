// CLAHE, report A, version 6: no branches, no division by what is known beforehand, nothing worked out twice. What is
// the same for all threads is worked out once, on the host, and passed in. In floating point a reciprocal would be off
// by a rounding here and there; Reciprocal (gpu/cuda/kernels/reciprocal.cuh) is an integer multiplication that is
// exactly the division. Every `if` on a value becomes min, max or a comparison used as a number, and "do not clip"
// becomes a limit that no bin reaches. Whether tiles reach beyond the image (grid mode) is decided before the launch,
// by the choice of the kernel. What is left beside loops is the guard of threads outside the image.
#include "gpu/ops/clahe/clahe_tiles.cuh"

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__
/// One axis of the grid of tiles; [1] is the last tile, which the image may cut off.
struct TileAxis {
    int side_px;         // of the image
    int tile_px, tiles;  // tiles: along this axis
    int length_px[2];    // what a tile covers
    Reciprocal<uint32_t> by_length[2];
    Reciprocal<uint32_t> by_period;  // of mirroring
    Reciprocal<uint32_t> by_double;  // 2 * tile_px

    TileAxis(int side, int padded_side, int tile, int count)
        : side_px(side),
          tile_px(tile),
          tiles(count),
          length_px{tile, padded_side - (count - 1) * tile},
          by_length{Reciprocal<uint32_t>(uint32_t(length_px[0])), Reciprocal<uint32_t>(uint32_t(length_px[1]))},
          by_period(uint32_t(std::max(2 * side - 2, 1))),
          by_double(2 * uint32_t(tile)) {}

    /// mirror_index: what repeats after a period is the image forwards, then backwards.
    __device__ int mirrored(uint32_t position) const {
        const int r = int(by_period.remainder(position, by_period.divide(position)));
        return min(r, 2 * side_px - 2 - r);
    }
    __device__ Between between(int position) const {
        const uint32_t shifted = uint32_t(2 * position + tile_px);
        const uint32_t second = by_double.divide(shifted);
        return {max(int(second) - 1, 0), min(int(second), tiles - 1), by_double.remainder(shifted, second)};
    }
};

/// For the tables' kernel.
struct TablePlan {
    TileAxis x, y;
    Reciprocal<uint64_t> by_pixels[2][2];  // 2 A of a tile, [last row][last column]
    uint32_t clip, spread;                 // no clipping: a limit above every count
    size_t tables_per_plane;
};

template <class Map>
TablePlan table_plan(const Step<Map>& step) {
    const Geometry& g = step.geometry;
    const TileAxis x(step.image.width, g.padded_width, g.tile_width, g.columns);
    const TileAxis y(step.image.height, g.padded_height, g.tile_height, g.rows);
    const auto by_pixels = [&](int row, int column) {
        return Reciprocal<uint64_t>(2 * uint64_t(x.length_px[column]) * uint64_t(y.length_px[row]));
    };
    return {.x = x,
            .y = y,
            .by_pixels = {{by_pixels(0, 0), by_pixels(0, 1)}, {by_pixels(1, 0), by_pixels(1, 1)}},
            .clip = g.clips ? uint32_t(g.clip) : UINT32_MAX,
            .spread = g.spreads,
            .tables_per_plane = size_t(g.columns) * size_t(g.rows)};
}

/// clip_bin without branches.
__device__ uint32_t clip_bin_branch_free(uint32_t count, uint32_t clip, uint32_t spread, uint32_t* s_warp_sums) {
    const uint32_t kept = min(count, clip);
    const uint32_t excess = block_sum(count - kept, s_warp_sums);
    const uint32_t rest = excess % 256;
    const uint32_t stride = 256 / max(rest, 1u);  // at least 1: rest is at most 255
    const uint32_t step = threadIdx.x / stride;
    const uint32_t gains = uint32_t(step * stride == threadIdx.x) & uint32_t(step < rest) & spread;
    return kept + excess / 256 + gains;
}

/// Block (column, row, plane) makes a table. kPadded: tiles may reach beyond the image.
template <class Map, bool kPadded>
__global__ void clahe_table_branch_free_kernel(const typename Map::In* __restrict__ const d_input,
                                               const uint32_t pitch_px, const TablePlan plan,
                                               uint8_t* __restrict__ const d_tables) {
    __shared__ uint32_t s_words[team_words<PaddedScan>(kBestTeams)];
    const uint32_t column = blockIdx.x, row = blockIdx.y;
    const uint32_t last_column = column == gridDim.x - 1, last_row = row == gridDim.y - 1;
    const uint32_t x0 = column * uint32_t(plan.x.tile_px), y0 = row * uint32_t(plan.y.tile_px);
    const Reciprocal<uint32_t> by_width = plan.x.by_length[last_column];
    const uint32_t pixels = by_width.divisor() * uint32_t(plan.y.length_px[last_row]);
    uint32_t* const s_histogram = team_histogram(s_words, kBestTeams);

    block_clear(s_words, kBestTeams * 256);
    for (uint32_t i = threadIdx.x; i < pixels; i += kTeamThreads) {
        const uint32_t line = by_width.divide(i);
        uint32_t x = x0 + by_width.remainder(i, line), y = y0 + line;
        if constexpr (kPadded) {
            x = uint32_t(plan.x.mirrored(x));
            y = uint32_t(plan.y.mirrored(y));
        }
        atomicAdd(&s_histogram[Map::value(d_input[size_t(y) * pitch_px + x], int(blockIdx.z))], 1u);
    }
    __syncthreads();
    const uint32_t counted = sum_of_teams(s_words, kBestTeams);
    const uint32_t count = clip_bin_branch_free(counted, plan.clip, plan.spread, s_words);
    const uint64_t cdf = PaddedScan::inclusive(count, s_words);
    const uint64_t value = plan.by_pixels[last_row][last_column].divide(510 * cdf + pixels);
    const size_t tile = blockIdx.z * plan.tables_per_plane + size_t(row) * gridDim.x + column;
    d_tables[tile * 256 + threadIdx.x] = uint8_t(min(value, uint64_t(255)));
}

/// One thread a pixel. Wide holds 255 * 4 Tx Ty + 2 Tx Ty, and one bit more.
template <class Map, class Wide, class Sink>
__global__ void clahe_blend_branch_free_kernel(const typename Map::In* __restrict__ const d_input,
                                               const uint32_t pitch_px, const Sink sink, const TileAxis axis_x,
                                               const TileAxis axis_y, const Reciprocal<Wide> by_weights,
                                               const uint8_t* __restrict__ const d_tables) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= axis_x.side_px || y >= axis_y.side_px) return;
    const Between bx = axis_x.between(x), by = axis_y.between(y);
    const Wide right = bx.weight, left = axis_x.by_double.divisor() - bx.weight;
    const Wide bottom = by.weight, top = axis_y.by_double.divisor() - by.weight;
    const size_t columns = size_t(axis_x.tiles);
    const uint8_t* d_upper = d_tables + by.first * columns * 256;
    const uint8_t* d_lower = d_tables + by.second * columns * 256;
    const int first = bx.first * 256, second = bx.second * 256;
    const size_t plane_bytes = columns * size_t(axis_y.tiles) * 256;

    const typename Map::In pixel = d_input[size_t(y) * pitch_px + size_t(x)];
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane) {
        const int v = Map::value(pixel, plane);
        const Wide upper = d_upper[first + v] * left + d_upper[second + v] * right;
        const Wide lower = d_lower[first + v] * left + d_lower[second + v] * right;
        values[plane] = int(by_weights.divide(upper * top + lower * bottom + by_weights.divisor() / 2));
        d_upper += plane_bytes;
        d_lower += plane_bytes;
    }
    sink.store(x, y, Map::result(pixel, values));
}

template <class Wide, class Map>
void launch_branch_free_blend(const Step<Map>& step, const TablePlan& plan) {
    using In = typename Map::In;
    with_sink<typename Map::Out>(step.job.output, [&](auto sink) {
        const PixelGrid grid(step.image.width, step.image.height, dim3(kReportBlock_px, kReportBlock_px));
        const Reciprocal<Wide> by_weights(Wide(4 * step.geometry.tile_pixels()));
        clahe_blend_branch_free_kernel<Map, Wide><<<grid.grid, grid.block, 0, step.job.stream>>>(
            reinterpret_cast<const In*>(step.job.d_input), uint32_t(step.job.input_pitch_bytes / sizeof(In)), sink,
            plan.x, plan.y, by_weights, step.d_tables);
        TONESCOPE_LAUNCHED("clahe_blend_branch_free_kernel");
    });
}

void run_branch_free(CudaJob& job) {
    run_stages(
        job,
        [&]<class Map>(const Step<Map>& step) {
            using In = typename Map::In;
            const TablePlan plan = table_plan(step);
            const dim3 grid(unsigned(plan.x.tiles), unsigned(plan.y.tiles), Map::kPlanes);
            const auto* d_input = reinterpret_cast<const In*>(job.d_input);
            const uint32_t pitch_px = uint32_t(job.input_pitch_bytes / sizeof(In));
            const auto kernel = step.geometry.padded_width > step.image.width
                                    ? &clahe_table_branch_free_kernel<Map, true>
                                    : &clahe_table_branch_free_kernel<Map, false>;
            kernel<<<grid, kTeamThreads, 0, job.stream>>>(d_input, pitch_px, plan, step.d_tables);
            TONESCOPE_LAUNCHED("clahe_table_branch_free_kernel");
        },
        [&](const auto& step) {
            if ((255 * 4 + 2) * step.geometry.tile_pixels() <= int64_t{INT32_MAX}) {
                launch_branch_free_blend<uint32_t>(step, table_plan(step));
            } else {
                launch_branch_free_blend<uint64_t>(step, table_plan(step));
            }
        });
}
#endif

const VariantRegistration branch_free_reciprocal_variant({
    .op = "clahe",
    .id = "branch-free",
    .name = "Branch-free",
    .source = "A 6",
    .follows = "pinned",
    .builds_on = "pinned",
    .idea = "min and max in place of branches, exact reciprocals made on the CPU in place of divisions, and nothing "
            "worked out twice.",
    .cost =
        "More arguments for the kernels, and twice as many kernels: one each for tiles inside and beyond the image.",
    .flaw = "The image is still read a pixel at a time, and a pixel's four look-ups are scattered over memory.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_branch_free),
});

}  // namespace
}  // namespace tonescope::clahe
