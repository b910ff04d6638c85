// CLAHE at the speed of memory: counting without conflicts, four tables packed into one, 16 bytes a load.
//
// Tables: small tiles are counted two at a time by a warp (pairs.cuh); larger ones are shared out row by row among all
// blocks, and whoever is last makes the table (shares.cuh). Blend: warps march down strips with the four tables around
// them packed in shared memory (strips.cuh). Divisions are multiplications whose factors are made here, on the host
// (quotients.cuh). This file chooses between the kernels and lays out their grids; README.md beside it explains them.
#include "gpu/ops/clahe/clahe_tiles.cuh"

#ifdef __CUDACC__
#include <algorithm>
#include <bit>

#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/runtime/scratch.h"
#include "gpu/ops/clahe/tuned/deep.cuh"
#include "gpu/ops/clahe/tuned/pairs.cuh"
#include "gpu/ops/clahe/tuned/shares.cuh"
#include "gpu/ops/clahe/tuned/strips.cuh"
#endif

namespace tonescope::clahe {
namespace {

#ifdef __CUDACC__

int divide_up(int64_t n, int64_t divisor) {
    return int((n + divisor - 1) / divisor);
}

constexpr size_t kReservedShared_bytes = 1024;  // what CUDA takes of a multiprocessor's shared memory for each block

/// A, the pixels of a tile of the kind 2 * (last row) + (last column).
uint32_t tile_pixels(const Geometry& g, int kind) {
    const Rect tile = g.tile(kind & 2 ? g.rows - 1 : 0, kind & 1 ? g.columns - 1 : 0);
    return uint32_t(tile.width) * uint32_t(tile.height);
}

/// Kernels that only count need to know one map of luma, not three.
template <class Map>
using CountedMap = std::conditional_t<Map::kPlanes == 1 && sizeof(typename Map::In) == 4, ColorLuma, Map>;

template <class Map, bool kWide>
void launch_pairs(const CudaJob& job, const PairPlan& plan) {
    using Counted = CountedMap<Map>;
    const LaunchShape shape{.blocks = unsigned(plan.blocks_across) * unsigned(plan.blocks_down) * Map::kPlanes,
                            .threads = PairPolicy::kThreads,
                            .stream = job.stream};
    const bool once =
        plan.team == 1 && PairUnit<Counted, kWide>::once(plan.geometry.tile_width, plan.geometry.tile_height);
    launch_pdl(job.device, shape,
               once ? &clahe_tuned_pair_kernel<Counted, kWide, true> : &clahe_tuned_pair_kernel<Counted, kWide, false>,
               plan);
}

/// How pairs of tiles become a grid: several warps count a pair where there would be too few, and a warp makes the
/// tables of several rows of small tiles.
void lay_out_pairs(PairPlan& plan, int multiprocessors, int planes) {
    using Policy = PairPolicy;
    const Geometry& g = plan.geometry;
    const int64_t resident = int64_t{multiprocessors} * Policy::kWarps * Policy::kBlocks;  // warps
    const int64_t pairs = int64_t{plan.pairs} * g.rows * planes;
    while (plan.team < Policy::kWarps && pairs * plan.team * 2 <= resident) plan.team *= 2;
    plan.blocks_across = divide_up(plan.pairs, Policy::kWarps / plan.team);
    plan.blocks_down = g.rows;
    if (plan.team > 1 || g.tile_pixels() > Policy::kFewPixels) return;
    // As many blocks as are resident together, or a multiple of that.
    const int wave = std::max(int(resident / Policy::kWarps) / (plan.blocks_across * planes), 1);
    plan.blocks_down = std::min(divide_up(g.rows, int64_t{wave} * Policy::kMaxRows) * wave, g.rows);
}

/// Returns false where the tiles are too large for pairs.
template <class Map>
bool make_tables_in_pairs(const Step<Map>& step) {
    const CudaJob& job = step.job;
    const Geometry& g = step.geometry;
    if (g.tile_pixels() > PairPolicy::kMaxPixels) return false;
    PairPlan plan{.d_input = job.d_input,
                  .pitch_bytes = job.input_pitch_bytes,
                  .width = step.image.width,
                  .height = step.image.height,
                  .geometry = g,
                  .clip = uint32_t(std::min<int64_t>(g.clip, 65535)),
                  .pairs = divide_up(g.columns, 2),
                  .d_tables = step.d_tables};
    for (int kind = 0; kind < 4; ++kind) {
        const uint32_t pixels = tile_pixels(g, kind);
        plan.pixels[kind] = pixels;
        plan.by_pixels[kind] = FloatQuotient(255, pixels, 0.5 / pixels);
        if (!plan.by_pixels[kind].exact()) return false;
        if (255 * 256 % pixels == 0) plan.word_factors[kind] = 255 * 256 / pixels;
    }
    lay_out_pairs(plan, job.device.multiProcessorCount, Map::kPlanes);
    if constexpr (sizeof(typename Map::In) == 1) {
        if (g.tile_width % 16 == 0) {
            launch_pairs<Map, true>(job, plan);
            return true;
        }
    }
    launch_pairs<Map, false>(job, plan);
    return true;
}

template <class Policy, class Map>
void make_tables_in_shares(const Step<Map>& step) {
    CudaJob& job = step.job;
    const Geometry& g = step.geometry;
    const int list_rows = Map::kPlanes * g.columns * g.padded_height;
    const int resident = job.device.multiProcessorCount * Policy::kBlocks, tiles = Map::kPlanes * g.columns * g.rows;
    const int parts = resident / tiles;  // of a tile: where there are several, blocks had better end with their tiles
    const int blocks = std::min(parts > 1 ? parts * tiles : resident, list_rows);
    uint32_t* d_words = job.scratch.keep<ZeroedWords>("clahe shares").get(size_t(blocks) * 257, job.stream);
    const auto by_pixels = [&](int kind) { return Reciprocal<uint64_t>(2 * uint64_t{tile_pixels(g, kind)}); };
    const SharePlan plan{.d_input = job.d_input,
                         .pitch_bytes = job.input_pitch_bytes,
                         .width = step.image.width,
                         .height = step.image.height,
                         .geometry = g,
                         .by_pixels = {by_pixels(0), by_pixels(1), by_pixels(2), by_pixels(3)},
                         .share_rows = list_rows / blocks,
                         .longer_shares = list_rows % blocks,
                         .d_counters = d_words,
                         .d_rows = d_words + size_t(blocks) * 256,
                         .d_tables = step.d_tables};
    const LaunchShape shape{.blocks = unsigned(blocks),
                            .threads = Policy::kThreads,
                            .shared_bytes = 256 * Policy::kReplicas * sizeof(uint32_t),
                            .stream = job.stream};
    launch_pdl(job.device, shape, &clahe_tuned_share_kernel<CountedMap<Map>, Policy>, plan);
}

template <class Map>
void make_tables(const Step<Map>& step) {
    if (make_tables_in_pairs(step)) return;
    if (step.job.input_spec.pixels() >= SharePolicy::kLargeImage_px &&
        step.geometry.tile_pixels() >= SharePolicy::kLargeTile_px) {
        make_tables_in_shares<LargeSharePolicy>(step);
    } else {
        make_tables_in_shares<SmallSharePolicy>(step);
    }
}

/// Strips of `strip_px` columns, cut across so that as many warps as are resident together have a part each. Returns
/// the shared memory of a block.
template <class Map>
size_t lay_out_strips(BlendPlan& plan, BlendQuotient quotient, const DeviceProperties& device, int strip_px) {
    using Policy = BlendPolicy;
    plan.lanes_across = strip_px * int(sizeof(typename Map::In)) / kVector_bytes;
    plan.lanes_log2 = std::countr_zero(unsigned(plan.lanes_across));
    plan.strips = divide_up(plan.x.side_px, strip_px);
    plan.tables = divide_up(strip_px, plan.x.tile_px) + 1;
    const size_t shared_bytes = plan.shared_bytes(quotient, Map::kPlanes);
    const int fitting = int(device.sharedMemPerMultiprocessor / (shared_bytes + kReservedShared_bytes));
    const int most = Map::kPlanes == 1 ? Policy::kBlocks : Policy::kBlocksOfThreePlanes;
    const int resident = device.multiProcessorCount * Policy::kWarps * std::clamp(fitting, 1, most);
    plan.rows = divide_up(plan.y.side_px, std::max(resident / plan.strips, 1));
    return shared_bytes;
}

/// Returns false where words of 32 bits or shared memory do not suffice: for tiles of millions of pixels, or of a few.
template <class Map>
bool blend_in_strips(const Step<Map>& step) {
    using Policy = BlendPolicy;
    const CudaJob& job = step.job;
    const Geometry& g = step.geometry;
    const BlendAxis x(step.image.width, g.tile_width, g.columns), y(step.image.height, g.tile_height, g.rows);
    const uint64_t weights = uint64_t{x.full} * y.full;
    if (weights > WordQuotient::kMaxDivisor || x.full > 65535) return false;
    BlendPlan plan{.d_input = job.d_input,
                   .pitch_bytes = uint32_t(job.input_pitch_bytes),
                   .x = x,
                   .y = y,
                   .d_tables = step.d_tables,
                   .plane_bytes = size_t(g.columns) * size_t(g.rows) * 256,
                   .by_float = FloatQuotient(1, double(weights), 1 / double(weights)),
                   .by_word = WordQuotient(uint32_t(weights))};
    const bool fits_float = plan.by_float.exact() && 255 * weights < (1 << 24);
    const auto quotient = fits_float               ? BlendQuotient::kFloat
                          : plan.by_word.in_byte() ? BlendQuotient::kByte
                                                   : BlendQuotient::kWord;
    LaunchShape shape{.threads = Policy::kThreads, .stream = job.stream};
    const auto lay_out = [&](int strip_px) {
        shape.shared_bytes = lay_out_strips<Map>(plan, quotient, job.device, strip_px);
    };
    const bool may_be_wide = sizeof(typename Map::In) == 1 && g.tile_width >= Policy::kWideTile_px;
    if (may_be_wide) lay_out(Policy::kWideStrip_px);
    if (!may_be_wide || (quotient == BlendQuotient::kFloat && plan.rows < Policy::kWideRows))
        lay_out(Policy::kNarrowStrip_px);
    if (shape.shared_bytes > job.device.sharedMemPerBlockOptin) return false;
    plan.rows = std::clamp(plan.rows, Policy::kMinRows, Policy::kMaxRows);
    shape.blocks = unsigned(divide_up(int64_t{plan.strips} * divide_up(y.side_px, plan.rows), Policy::kWarps));
    with_sink<typename Map::Out>(job.output, [&](auto sink) {
        using Sink = decltype(sink);
        const auto kernel =
            quotient == BlendQuotient::kFloat  ? &clahe_tuned_blend_kernel<Map, BlendQuotient::kFloat, Sink>
            : quotient == BlendQuotient::kByte ? &clahe_tuned_blend_kernel<Map, BlendQuotient::kByte, Sink>
                                               : &clahe_tuned_blend_kernel<Map, BlendQuotient::kWord, Sink>;
        launch_pdl(job.device, shape, kernel, plan, sink);
    });
    return true;
}

void run_tuned(CudaJob& job) {
    if (!takes_bytes(job)) return run_tuned_deep(job);
    run_stages(
        job, [](const auto& step) { make_tables(step); },
        [](const auto& step) {
            if (!blend_in_strips(step)) launch_blend(step, dim3(32, 8));
        });
}

#endif

const VariantRegistration tuned_packed_tables_variant({
    .op = "clahe",
    .id = "tuned",
    .name = "Tuned: packed tables",
    .follows = "early-start",
    .builds_on = "early-start",
    .preferred = true,
    .any_depth = true,
    .idea = "Tiles are shared out so that every multiprocessor counts, whatever their number; the four tables that a "
            "pixel blends are packed into one, so that it costs one look-up, and warps march down strips, 16 bytes a "
            "lane and row.",
    .cost =
        "Every kernel has a form for small and for large tiles, and divisions become multiplications that need proofs.",
    .flaw = "The image is read twice; with tiles of few pixels, tables weigh as much as the image.",
    .work =
        [](const WorkCase& c) {
            if (is_deep(c.image.format)) return tuned_deep_work(c);
            const int32_t color = c.params.as<Params>().color;
            const double planes = plane_count(c.image, color);
            return pixel_work(
                c,
                {{.operations = by_color(c, color, 6.9, 9.3, 13.7)},
                 {.shared_bytes = 2400 * planes, .operations = 3400 * planes}},
                {{.shared_bytes = by_color(c, color, 21.6, 26, 53), .operations = by_color(c, color, 19, 37.8, 43)},
                 {.shared_bytes = 4900 * planes, .operations = 2100 * planes}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_tuned),
});

}  // namespace
}  // namespace tonescope::clahe
