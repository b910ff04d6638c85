// CLAHE at the speed of memory: counting without conflicts, four tables packed into one, 16 bytes a load.
//
// Tables: small tiles are counted two at a time by a warp (pairs.cuh); larger ones are shared out row by row among all
// blocks, and whoever is last makes the table (shares.cuh). Blend: warps march down strips with the four tables around
// them packed in shared memory (strips.cuh). Divisions are multiplications whose factors are made here, on the host
// (quotients.cuh). This file chooses between the kernels and lays out their grids; README.md beside it explains them.
#include <algorithm>
#include <cmath>

#include "gpu/ops/clahe/clahe_tiles.cuh"
#include "gpu/ops/clahe/exact/windows.h"
#include "gpu/ops/clahe/tuned/deep_form.h"

#ifdef __CUDACC__
#include <bit>

#include "gpu/cuda/kernels/counted_range.cuh"
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

/// Kernels that only count need to know one map of luma, not four.
template <class Map>
using CountedMap = std::conditional_t<Map::kPlanes == 1 && sizeof(typename Map::In) == 4 &&
                                          !std::is_same_v<Map, ColorValue> && !std::is_same_v<Map, ColorLightness>,
                                      ColorLuma, Map>;

template <class Map, bool kWide>
void launch_pairs(const CudaJob& job, const PairPlan& plan, const ColorTables<Map>& color_tables) {
    using Counted = CountedMap<Map>;
    using Shape = PairShape<Counted>;
    const LaunchShape shape{.blocks = unsigned(plan.blocks_across) * unsigned(plan.blocks_down) * Map::kPlanes,
                            .threads = Shape::kThreads,
                            .shared_bytes = Shape::kShared_bytes,
                            .stream = job.stream};
    const bool once =
        plan.team == 1 && PairUnit<Counted, kWide>::once(plan.geometry.tile_width, plan.geometry.tile_height);
    launch_pdl(job.device, shape,
               once ? &clahe_tuned_pair_kernel<Counted, kWide, true> : &clahe_tuned_pair_kernel<Counted, kWide, false>,
               plan, color_tables);
}

/// How pairs of tiles become a grid: several warps count a pair where there would be too few, and a warp makes the
/// tables of several rows of small tiles.
template <class Map>
void lay_out_pairs(PairPlan& plan, int multiprocessors) {
    using Shape = PairShape<CountedMap<Map>>;
    using Policy = PairPolicy;
    const Geometry& g = plan.geometry;
    const int64_t resident = int64_t{multiprocessors} * Shape::kWarps * Shape::kBlocks;  // warps
    const int64_t pairs = int64_t{plan.pairs} * g.rows * Map::kPlanes;
    while (plan.team < Shape::kWarps && pairs * plan.team * 2 <= resident) plan.team *= 2;
    plan.blocks_across = divide_up(plan.pairs, Shape::kWarps / plan.team);
    plan.blocks_down = g.rows;
    if (plan.team > 1 || g.tile_pixels() > Policy::kFewPixels) return;
    // As many blocks as are resident together, or a multiple of that.
    const int wave = std::max(int(resident / Shape::kWarps) / (plan.blocks_across * Map::kPlanes), 1);
    plan.blocks_down = std::min(divide_up(g.rows, int64_t{wave} * Policy::kMaxRows) * wave, g.rows);
}

/// Returns false where the tiles are too large for pairs.
template <class Map>
bool make_tables_in_pairs(const Step<Map>& step, const LeftOut& left_out, const ColorTables<Map>& color_tables) {
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
                  .d_tables = step.d_tables,
                  .left_out = left_out};
    for (int kind = 0; kind < 4; ++kind) {
        const uint32_t pixels = tile_pixels(g, kind);
        plan.pixels[kind] = pixels;
        plan.by_pixels[kind] = FloatQuotient(255, pixels, 0.5 / pixels);
        if (!plan.by_pixels[kind].exact()) return false;
        if (255 * 256 % pixels == 0) plan.word_factors[kind] = 255 * 256 / pixels;
    }
    lay_out_pairs<Map>(plan, job.device.multiProcessorCount);
    if constexpr (sizeof(typename Map::In) == 1) {
        if (g.tile_width % 16 == 0) {
            launch_pairs<Map, true>(job, plan, color_tables);
            return true;
        }
    }
    launch_pairs<Map, false>(job, plan, color_tables);
    return true;
}

template <class Policy, class Map>
void make_tables_in_shares(const Step<Map>& step, const LeftOut& left_out, const ColorTables<Map>& color_tables) {
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
                         .d_tables = step.d_tables,
                         .left_out = left_out};
    const LaunchShape shape{.blocks = unsigned(blocks),
                            .threads = Policy::kThreads,
                            .shared_bytes = 256 * Policy::kReplicas * sizeof(uint32_t) + color_bytes<Map>(false),
                            .stream = job.stream};
    launch_pdl(job.device, shape, &clahe_tuned_share_kernel<CountedMap<Map>, Policy>, plan, color_tables);
}

template <class Map>
void make_tables_of_tiles(const Step<Map>& step, const LeftOut& left_out, const ColorTables<Map>& color_tables) {
    if (make_tables_in_pairs(step, left_out, color_tables)) return;
    if constexpr (std::is_same_v<Map, ColorLightness>)  // one block a multiprocessor shares its tables
        return make_tables_in_shares<LargeSharePolicy>(step, left_out, color_tables);
    else if (step.job.input_spec.pixels() >= SharePolicy::kLargeImage_px &&
             step.geometry.tile_pixels() >= SharePolicy::kLargeTile_px) {
        make_tables_in_shares<LargeSharePolicy>(step, left_out, color_tables);
    } else {
        make_tables_in_shares<SmallSharePolicy>(step, left_out, color_tables);
    }
}

constexpr unsigned kReplaceThreads = 128;

/// One thread a table: where a tile counts nothing, the table that stands for its own.
__global__ void clahe_tuned_replace_kernel(Geometry geometry, int tables, const uint32_t* d_counted,
                                           uint8_t* d_tables) {
    pdl_wait_and_trigger();
    const int table = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (table >= tables || d_counted[table] > 0) return;
    const int tiles = geometry.columns * geometry.rows, first = table / tiles * tiles;
    const int found = first + tile_for(geometry, table - first, [&](int tile) { return d_counted[first + tile]; });
    if (found == table) return;
    const auto* d_from = reinterpret_cast<const uint4*>(d_tables + size_t(found) * 256);
    auto* d_to = reinterpret_cast<uint4*>(d_tables + size_t(table) * 256);
#pragma unroll 4
    for (int i = 0; i < 256 / int(sizeof(uint4)); ++i) d_to[i] = d_from[i];
}

template <class Map>
void make_tables(const Step<Map>& step, const ColorTables<Map>& color_tables = {}) {
    CudaJob& job = step.job;
    const Geometry& g = step.geometry;
    LeftOut left_out{job.params.as<Params>().left_out(job.input_spec)};
    if (left_out.value == kNothingLeftOut) return make_tables_of_tiles(step, left_out, color_tables);
    const int tables = g.columns * g.rows * Map::kPlanes;
    left_out.d_counted = job.scratch.get<uint32_t>("clahe counted", size_t(tables));
    make_tables_of_tiles(step, left_out, color_tables);
    const LaunchShape shape{
        .blocks = unsigned(divide_up(tables, kReplaceThreads)), .threads = kReplaceThreads, .stream = job.stream};
    launch_pdl(job.device, shape, clahe_tuned_replace_kernel, g, tables, left_out.d_counted, step.d_tables);
}

/// Strips of `strip_px` columns, cut across so that as many warps as are resident together have a part each. Returns
/// the shared memory of a block.
template <class Map, class Amount>
size_t lay_out_strips(BlendPlan<Amount>& plan, BlendQuotient quotient, const DeviceProperties& device, int strip_px) {
    using Shape = BlendShape<Map>;
    plan.lanes_across = strip_px * int(sizeof(typename Map::In)) / kVector_bytes;
    plan.lanes_log2 = std::countr_zero(unsigned(plan.lanes_across));
    plan.strips = divide_up(plan.x.side_px, strip_px);
    plan.tables = divide_up(strip_px, plan.x.tile_px) + 1;
    const size_t shared_bytes =
        plan.shared_bytes(quotient, Shape::kRowWords, Map::kPlanes, Shape::kWarps) + Shape::kTable_bytes;
    const int fitting = int(device.sharedMemPerMultiprocessor / (shared_bytes + kReservedShared_bytes));
    const int resident = device.multiProcessorCount * Shape::kWarps * std::clamp(fitting, 1, Shape::kBlocks);
    plan.rows = divide_up(plan.y.side_px, std::max(resident / plan.strips, 1));
    return shared_bytes;
}

template <class Map, class Amount>
bool blend_in_strips(const Step<Map>& step, Amount amount, const ColorTables<Map>& color_tables) {
    using Policy = BlendPolicy;
    using Shape = BlendShape<Map>;
    const CudaJob& job = step.job;
    const Geometry& g = step.geometry;
    const BlendAxis x(step.image.width, g.tile_width, g.columns), y(step.image.height, g.tile_height, g.rows);
    const uint64_t weights = uint64_t{x.full} * y.full;
    if (weights > WordQuotient::kMaxDivisor || x.full > 65535) return false;
    BlendPlan<Amount> plan{.d_input = job.d_input,
                           .pitch_bytes = uint32_t(job.input_pitch_bytes),
                           .x = x,
                           .y = y,
                           .d_tables = step.d_tables,
                           .plane_bytes = size_t(g.columns) * size_t(g.rows) * 256,
                           .amount = amount,
                           .by_float = FloatQuotient(1, double(weights), 1 / double(weights)),
                           .by_word = WordQuotient(uint32_t(weights))};
    const bool fits_float = plan.by_float.exact() && 255 * weights < (1 << 24);
    const auto quotient = fits_float               ? BlendQuotient::kFloat
                          : plan.by_word.in_byte() ? BlendQuotient::kByte
                                                   : BlendQuotient::kWord;
    LaunchShape shape{.threads = Shape::kThreads, .stream = job.stream};
    const auto lay_out = [&](int strip_px) {
        shape.shared_bytes = lay_out_strips<Map>(plan, quotient, job.device, strip_px);
    };
    const bool may_be_wide = sizeof(typename Map::In) == 1 && g.tile_width >= Policy::kWideTile_px;
    if (may_be_wide) lay_out(Policy::kWideStrip_px);
    if (!may_be_wide || (quotient == BlendQuotient::kFloat && plan.rows < Policy::kWideRows))
        lay_out(Policy::kNarrowStrip_px);
    if (Shape::kIsLightness)
        for (int strip_px = Policy::kNarrowStrip_px / 2;
             strip_px >= Policy::kNarrowStrip_px / 4 && shape.shared_bytes > job.device.sharedMemPerBlockOptin;
             strip_px /= 2)
            lay_out(strip_px);
    if (shape.shared_bytes > job.device.sharedMemPerBlockOptin) return false;
    plan.rows = std::clamp(plan.rows, Policy::kMinRows, Policy::kMaxRows);
    shape.blocks = unsigned(divide_up(int64_t{plan.strips} * divide_up(y.side_px, plan.rows), Shape::kWarps));
    with_sink<typename Map::Out>(job.output, [&](auto sink) {
        using Sink = decltype(sink);
        const auto kernel =
            quotient == BlendQuotient::kFloat  ? &clahe_tuned_blend_kernel<Map, BlendQuotient::kFloat, Sink, Amount>
            : quotient == BlendQuotient::kByte ? &clahe_tuned_blend_kernel<Map, BlendQuotient::kByte, Sink, Amount>
                                               : &clahe_tuned_blend_kernel<Map, BlendQuotient::kWord, Sink, Amount>;
        launch_pdl(job.device, shape, kernel, plan, sink, color_tables);
    });
    return true;
}

/// Returns false where words of 32 bits or shared memory do not suffice: for tiles of millions of pixels, or of a few.
template <class Map>
bool blend_in_strips(const Step<Map>& step, const ColorTables<Map>& color_tables = {}) {
    const auto percent = uint32_t(mixing_of(step.job).amount);
    if constexpr (std::is_same_v<Map, GrayPixels>)
        if (percent == 100) return blend_in_strips(step, WholeResult{}, color_tables);
    return blend_in_strips(step, MixedResult{percent}, color_tables);
}

/// Tables and a blend that compute the lightness of colors themselves.
void run_tuned_lightness(CudaJob& job) {
    const Geometry geometry = make_geometry(job.input_spec, job.params.as<Params>());
    const int width = job.input_spec.width, height = job.input_spec.height;
    auto* d_tables = job.scratch.get<uint8_t>("clahe tables", size_t(geometry.columns) * size_t(geometry.rows) * 256);
    const Lab<uint8_t> color_tables = device_lab<uint8_t>(job);
    const Step<ColorLightness> color{job, geometry, {source_of<uchar4>(job), width, height}, d_tables};
    {
        const auto stage = job.stage("tables");
        make_tables(color, color_tables);
    }
    {
        auto stage = job.stage("blend");
        if (blend_in_strips(color, color_tables)) return;
        stage.discard();
    }
    // Where a strip's tables and those of the lightness do not fit together, a gray image is blended.
    const LightnessPlane<uint8_t, Params> plane(job);
    plane.split();
    CudaJob of_plane = plane.job();
    const Step<GrayPixels> gray{of_plane, geometry, {source_of<uint8_t>(of_plane), width, height}, d_tables};
    {
        const auto stage = job.stage("blend");
        if (!blend_in_strips(gray)) launch_blend(gray, dim3(32, 8));
    }
    plane.join();
}

/// Whether the kernels here compute lightness: not of deep colors, and not where shared memory has no room for the
/// tables.
bool takes_lightness(const CudaJob& job) {
    const size_t needed_bytes = std::max(PairShape<ColorLightness>::kShared_bytes, BlockLab::bytes(true));
    return takes_bytes(job) && job.params.as<Params>().tables != tables_exact &&
           job.device.sharedMemPerBlockOptin >= needed_bytes;
}

void run_tuned(CudaJob& job) {
    const auto params = job.params.as<Params>();
    const bool is_lightness = params.color == color_lab && !is_gray(job.input_spec.format);
    if (is_lightness && takes_lightness(job)) return run_tuned_lightness(job);
    if (is_lightness) return run_by_lightness<Params, run_tuned>(job);
    if (params.tables == tables_exact) return run_exact_by_steps(job);
    if (!takes_bytes(job)) {
        const int32_t left_out = params.left_out(job.input_spec);
        if (left_out == kNothingLeftOut) return run_tuned_deep(job);
        return run_by_sums(job, find_counted_range(job, params.range_choice(), params.color, left_out));
    }
    run_stages(
        job, [](const auto& step) { make_tables(step); },
        [](const auto& step) {
            if (!blend_in_strips(step)) launch_blend(step, dim3(32, 8));
        });
}

#endif

double ceil_of(double n, double divisor) {
    return std::ceil(n / divisor);
}

/// Of the tables, with tiles that pairs.cuh or shares.cuh counts on 132 multiprocessors: instructions for each of the
/// `tiles`.
double table_operations(const Geometry& g, double planes, double tiles) {
    constexpr double kMultiprocessors = 132;
    if (g.tile_pixels() > 128 * 128) {
        constexpr double kBlocks = 4 * kMultiprocessors;
        const double parts = std::floor(kBlocks / tiles);
        return 144000 * (parts > 1 ? parts : kBlocks / tiles);
    }
    const double pairs = planes * ceil_of(g.columns, 2) * g.rows;
    if (g.tile_pixels() <= 24 * 24) return 8500 * pairs / tiles;
    double team = 1;  // warps that count a pair
    while (team < 8 && 2 * team * pairs <= 32 * kMultiprocessors) team *= 2;
    return (16400 + 9170 * (team - 1)) * pairs / tiles;
}

/// Of the blend on 132 multiprocessors, as lay_out_strips() cuts the image: its warps, and the times that they pack
/// four tables into one.
struct BlendCost {
    double warps, packs;
    BlendCost(const ImageSpec& image, const Geometry& g, double planes) {
        const double resident = 132 * 4 * (planes == 1 ? 6.0 : 2.0);
        const auto rows_of = [&](double strip_px) {
            return ceil_of(image.height, std::max(std::floor(resident / ceil_of(image.width, strip_px)), 1.0));
        };
        const bool may_be_wide = bytes_per_pixel(image.format) == 1 && g.tile_width >= 64;
        const double strip_px = may_be_wide && rows_of(128) >= 32 ? 128 : 64;
        const double rows = std::clamp(rows_of(strip_px), 16.0, 512.0);
        warps = ceil_of(image.width, strip_px) * ceil_of(image.height, rows);
        packs = planes * warps * (1 + (rows - 1) / g.tile_height) * (ceil_of(strip_px, g.tile_width) + 1);
    }
};

/// Instructions and shared memory as counted at 4K, 24 and 100 MPixel with tiles of 16 to 256 pixels
/// (docs/counters.md).
Work tuned_work(const WorkCase& c) {
    const auto params = c.params.as<Params>();
    if (params.tables == tables_exact) return exact_cuda_work(c, {.shared_bytes = 400, .operations = 900});
    if (is_deep(c.image.format) || takes_used_values(c.image, params.range_choice())) return tuned_deep_work(c);
    const Geometry g = make_geometry(c.image, params);
    const double planes = plane_count(c.image, params.color), tiles = planes * g.columns * g.rows;
    const bool in_pairs = g.tile_pixels() <= 128 * 128;
    const BlendCost blend(c.image, g, planes);
    const double pixel = in_pairs ? 2.3 : 4;
    const Amounts of_blend = blend.warps * Amounts{.shared_bytes = 3060, .operations = 16600} +
                             blend.packs * Amounts{.shared_bytes = 3580, .operations = 1510};
    return pixel_work(c,
                      {{.operations = pixel + by_color(c, params.color, 0, 2.4, 6.8)},
                       planes * Amounts{.shared_bytes = 2400, .operations = table_operations(g, planes, tiles)}},
                      {{.shared_bytes = by_color(c, params.color, 15.6, 20, 47),
                        .operations = by_color(c, params.color, 11.3, 30, 35)},
                       planes / tiles * of_blend});
}

const VariantRegistration tuned_packed_tables_variant({
    .op = "clahe",
    .id = "tuned",
    .name = "Tuned: packed tables",
    .follows = "shuffles",
    .builds_on = "shuffles",
    .preferred = true,
    .any_depth = true,
    .every_value_of = "tables no_data",
    .idea = "Tiles are shared out so that every multiprocessor counts, whatever their number; the four tables that a "
            "pixel blends are packed into one, so that it costs one look-up, and warps march down strips, 16 bytes a "
            "lane and row; with tables=exact, a warp holds a window's histogram in its registers and adds at each step "
            "by how much each bin changes.",
    .cost =
        "Every kernel has a form for small and for large tiles, and divisions become multiplications that need proofs.",
    .flaw = "The image is read twice; with tiles of few pixels, tables weigh as much as the image.",
    .work =
        [](const WorkCase& whole) {
            const auto params = whole.params.as<Params>();
            if (params.color != color_lab || whole.image.format != PixelFormat::rgba8 || params.tables == tables_exact)
                return work_by_lightness<Params>(whole, tuned_work);
            WorkCase gray = whole;
            gray.image.format = PixelFormat::gray8;
            gray.image.has_alpha = false;
            Work work = tuned_work(gray);
            work.front().amounts =
                work.front().amounts + whole.pixels() * Amounts{.bytes = 3, .shared_bytes = 20, .operations = 18};
            work.back().amounts =
                work.back().amounts + whole.pixels() * Amounts{.bytes = 6, .shared_bytes = 48, .operations = 70};
            return work;
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_tuned),
});

}  // namespace
}  // namespace tonescope::clahe
