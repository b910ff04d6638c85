// CLAHE of `tuned` for images of any depth and range: which tables and which blend an image gets, in bands where the
// tables of all tiles would take too much memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gpu/ops/clahe/tuned/deep_blend.cuh"
#include "gpu/ops/clahe/tuned/deep_form.h"
#include "gpu/ops/clahe/tuned/deep_lines.cuh"
#include "gpu/ops/clahe/tuned/deep_tables.cuh"

namespace tonescope::clahe {

struct DeepPolicy {
    static constexpr size_t kBand_bytes = size_t{768} << 20;           // that counts and tables of a band may take
    static constexpr int kBlocksOfMultiprocessor = 2, kFewBlocks = 8;  // that count: large ones and small ones
    static constexpr int kSharedTile_px =
        256 * 1024;  // smaller ones take longer to add up than to count, value by value
};

/// What one run needs to know throughout.
struct DeepRun : DeepShape {
    CudaJob& job;
    RangeSource range;
    FoundRange found = {};  // where the range is found while each value is counted

    bool counts_values() const { return found.d_words != nullptr; }
    WeightQuotient by_weights() const {
        return {BlendAxis(1, geometry.tile_width, 1).full, BlendAxis(1, geometry.tile_height, 1).full,
                uint32_t(most_values - 1)};
    }
};

/// Images of 8 bits have few values and a bin for each: their tables are packed or apart.
template <class Map>
constexpr bool kIsDeep = sizeof(typename Map::In) == 2 || sizeof(typename Map::In) == 8;

template <class Map>
void make_deep_tables(const DeepRun& run, const TileBand& band, int parts, const DeepTables& tables) {
    CudaJob& job = run.job;
    const Geometry& g = run.geometry;
    const int part_rows = (g.tile_height + parts - 1) / parts;
    const bool of_values = run.counts_values();
    const CountLayout layout(of_values ? run.most_values : run.most_bins, int64_t{g.tile_width} * part_rows,
                             job.device);
    CountPlan plan = plan_counts(job, layout,
                                 {job.input_spec.width, job.input_spec.height, g.padded_width, g.padded_height,
                                  g.tile_width, g.tile_height, g.columns, band.first_row, band.rows},
                                 parts, Map::kPlanes, of_values ? RangeSource{run.range.full} : run.range,
                                 of_values ? run.most_values : run.wanted_bins);
    plan.found = run.found;
    launch_count_bins<Map>(job, layout, plan);
    const TableForm form = run.form();
    if (run.by_lines()) {
        const int blocks_of_tile = (run.most_bins + DeepLinePolicy::kBlockBins - 1) / DeepLinePolicy::kBlockBins;
        return launch_pdl(job.device,
                          {.blocks = unsigned(tables.tiles() * blocks_of_tile),
                           .blocks_down = Map::kPlanes,
                           .threads = DeepLinePolicy::kThreads,
                           .stream = job.stream},
                          form == TableForm::lines ? &clahe_deep_line_kernel<true> : &clahe_deep_line_kernel<false>,
                          plan, run.range, run.wanted_bins, tables, Reciprocal<uint32_t>(uint32_t(blocks_of_tile)));
    }
    const int threads = std::min((run.most_bins + 255) / 256 * 32, DeepTablePolicy::kThreads);
    const LaunchShape shape{.blocks = unsigned(tables.tiles() * tables.slices),
                            .blocks_down = Map::kPlanes,
                            .threads = unsigned(threads),
                            .stream = job.stream};
    if (tables.slices > 1)
        launch_pdl(job.device, shape, layout.packed ? &clahe_deep_clip_kernel<true> : &clahe_deep_clip_kernel<false>,
                   plan, tables);
    launch_pdl(job.device, shape,
               layout.packed ? run.full() ? &clahe_deep_table_kernel<true, true> : &clahe_deep_table_kernel<true, false>
               : run.full() ? &clahe_deep_table_kernel<false, true>
                             : &clahe_deep_table_kernel<false, false>,
               plan, tables);
    if (run.full() || form == TableForm::interpolated) return;
    const LaunchShape expand{
        .blocks = unsigned(run.most_values + DeepTablePolicy::kExpandThreads - 1) / DeepTablePolicy::kExpandThreads,
        .blocks_down = unsigned(std::min(tables.tiles() * Map::kPlanes, 65535)),
        .threads = DeepTablePolicy::kExpandThreads,
        .stream = job.stream};
    launch_pdl(job.device, expand, clahe_deep_expand_kernel, run.range, run.wanted_bins, Map::kPlanes, tables);
}

/// What making tables takes, in rounds, in each of which a thread blends a vector.
inline double rounds_of_tables(const DeepBlendPlan& plan, int threads, int planes = 1) {
    return 2 + double(plan.table_words) * planes / (threads * 16);
}

/// Cells of which as many blocks as are resident together have one each, or a multiple of that. `pixels`: of a vector.
inline void choose_cells(DeepBlendPlan& plan, int pixels, int threads, int resident, int planes) {
    const double of_tables = rounds_of_tables(plan, threads, planes);
    double least = HUGE_VAL;
    int best_x = 0, best_y = 0;
    const auto next = [](int of_half_tile) { return of_half_tile == 0 ? 1 : 2 * of_half_tile; };
    const auto goes_on = [](const BlendAxis& axis, int of_half_tile) {
        return BlendCells::most_px(axis, of_half_tile) > 1 && int64_t{axis.tile_px} * of_half_tile < INT32_MAX;
    };
    for (int x = 0; goes_on(plan.x, x); x = next(x)) {
        const int vectors = (BlendCells::most_px(plan.x, x) + 2 * pixels - 2) / pixels;
        if (vectors > threads) continue;
        for (int y = 0; goes_on(plan.y, y); y = next(y)) {
            const double blocks = double(BlendCells::count(plan.x, x)) * BlendCells::count(plan.y, y);
            const double rounds = std::ceil(BlendCells::most_px(plan.y, y) / double(threads / vectors));
            const double cost = std::ceil(blocks / resident) * (of_tables + rounds);
            if (cost >= least) continue;
            least = cost;
            best_x = x;
            best_y = y;
        }
    }
    plan.cells_x = BlendCells(plan.x, best_x);
    plan.cells_y = BlendCells(plan.y, best_y);
    plan.by_cells_across = Reciprocal<uint32_t>(uint32_t(plan.cells_x.cells));
}

/// As few blocks a segment as keep the multiprocessors busy. `pixels`: of a vector.
inline void choose_shares(DeepBlendPlan& plan, int pixels, int threads, int resident) {
    BlendShares& shares = plan.shares;
    const int first_row = plan.tables.first_row;
    shares.x = {1, std::max(plan.x.tiles - 1, 1), 0, plan.x.side_px};
    shares.y = {first_row + 1, first_row + std::max(plan.tables.rows - 1, 1), plan.y_begin, plan.y_end};
    int width[3], height[3];
    for (int kind = 0; kind < 3; ++kind) {
        const auto length = [&](const WholeSegments& segments, const BlendAxis& axis) {
            const int segment = kind == 0   ? segments.first
                                : kind == 1 ? std::min(segments.first + 1, segments.last)
                                            : segments.last;
            return std::max(segments.end(axis, segment) - segments.begin(axis, segment), 1);
        };
        width[kind] = length(shares.x, plan.x);
        height[kind] = length(shares.y, plan.y);
    }
    const auto vectors = [&](int kind) { return width[kind] / shares.parts_across / pixels + 3; };
    while (std::max({vectors(0), vectors(1), vectors(2)}) > threads) ++shares.parts_across;
    double least = HUGE_VAL;
    BlendShares best = shares;
    // Narrower parts may leave fewer threads without a vector.
    for (const int most_across = shares.parts_across + 2; shares.parts_across <= most_across; ++shares.parts_across)
        for (int rounds = 1; rounds <= *std::max_element(height, height + 3); rounds += 1 + rounds / 16) {
            for (int kind_y = 0; kind_y < 3; ++kind_y)
                for (int kind_x = 0; kind_x < 3; ++kind_x) {
                    const int rows = threads / vectors(kind_x) * rounds;
                    shares.parts[kind_y][kind_x] = shares.parts_across * ((height[kind_y] + rows - 1) / rows);
                }
            const double cost =
                std::ceil(double(shares.blocks()) / resident) * (rounds_of_tables(plan, threads) + rounds);
            if (cost >= least) continue;
            least = cost;
            best = shares;
        }
    shares = best;
}

template <class Map, TableForm kForm>
void launch_deep_blend(const DeepRun& run, DeepBlendPlan plan) {
    const CudaJob& job = run.job;
    with_sink<typename Map::Out>(job.output, [&]<class Sink>(Sink sink) {
        const auto kernel = &clahe_deep_blend_kernel<Map, kForm, Sink>;
        const int most_threads = DeepBlendPolicy::threads(kForm);
        const bool few = most_threads == DeepBlendPolicy::kSharingThreads &&
                         run.segment_pixels() < DeepBlendPolicy::kLargeSegment_px;
        LaunchShape shape{.threads = unsigned(few ? DeepBlendPolicy::kThreads : most_threads),
                          .shared_bytes = size_t(plan.table_words) * Map::kPlanes * sizeof(uint32_t),
                          .stream = job.stream};
        if constexpr (kForm == TableForm::grouped) {
            choose_shares(plan, kVector_bytes / int(sizeof(typename Map::In)), int(shape.threads),
                          resident_blocks(job.device, shape, kernel) * job.device.multiProcessorCount);
            shape.blocks = unsigned(plan.shares.blocks());
            return launch_pdl(job.device, shape, kernel, plan, sink);
        }
        choose_cells(plan, kVector_bytes / int(sizeof(typename Map::In)), int(shape.threads),
                     resident_blocks(job.device, shape, kernel) * job.device.multiProcessorCount, Map::kPlanes);
        // Rows of cells that have rows of the band.
        int end_cell_y = plan.cells_y.cells;
        while (plan.cells_y.begin(plan.y, plan.first_cell_y + 1) <= plan.y_begin) ++plan.first_cell_y;
        while (plan.cells_y.begin(plan.y, end_cell_y - 1) >= plan.y_end) --end_cell_y;
        shape.blocks = unsigned(plan.cells_x.cells) * unsigned(end_cell_y - plan.first_cell_y);
        launch_pdl(job.device, shape, kernel, plan, sink);
    });
}

template <class Map>
void blend_deep(const DeepRun& run, const TileBand& band, const DeepTables& tables) {
    CudaJob& job = run.job;
    const Geometry& g = run.geometry;
    const BlendAxis x(job.input_spec.width, g.tile_width, g.columns), y(job.input_spec.height, g.tile_height, g.rows);
    DeepBlendPlan plan{.d_input = job.d_input,
                       .pitch_bytes = job.input_pitch_bytes,
                       .x = x,
                       .y = y,
                       .y_begin = band.y_begin,
                       .y_end = band.y_end,
                       .range = run.range,
                       .wanted_bins = run.wanted_bins,
                       .tables = tables,
                       .by_weights = run.by_weights(),
                       .mixed = mixing_of(job)};
    switch (run.form()) {
        case TableForm::packed:
            plan.table_words = uint32_t(run.packed_words());
            return launch_deep_blend<Map, TableForm::packed>(run, plan);
        case TableForm::lines:
            plan.table_words = uint32_t(run.bin_words());
            plan.copies_log2 = run.copies_log2();
            if constexpr (kIsDeep<Map>) launch_deep_blend<Map, TableForm::lines>(run, plan);
            return;
        case TableForm::interpolated:
            plan.table_words = uint32_t(run.bin_words());
            plan.copies_log2 = run.copies_log2();
            if constexpr (kIsDeep<Map>) launch_deep_blend<Map, TableForm::interpolated>(run, plan);
            return;
        case TableForm::grouped:
            plan.table_words = uint32_t(run.grouped_words());
            if constexpr (Map::kPlanes == 1 && kIsDeep<Map>) launch_deep_blend<Map, TableForm::grouped>(run, plan);
            return;
        case TableForm::quads: {
            plan.segments_x = g.columns + 1;
            plan.first_segment_y = band.first_row == 0 ? 0 : band.first_row + 1;
            const int segments = plan.segments_x * (plan.y.segment(plan.y_end - 1) - plan.first_segment_y + 1);
            plan.quad_segments = segments;
            auto* d_quads =
                job.scratch.get<uint2>("clahe deep quads", size_t(segments) * Map::kPlanes * run.entries_stride());
            plan.d_quads = d_quads;
            const unsigned pairs = run.entries_stride() / 2, threads = DeepBlendPolicy::kQuadThreads;
            const dim3 grid((pairs + threads - 1) / threads, unsigned(segments), Map::kPlanes);
            clahe_deep_quads_kernel<<<grid, threads, 0, job.stream>>>(plan, d_quads);
            TONESCOPE_LAUNCHED("clahe_deep_quads_kernel");
            if constexpr (kIsDeep<Map>) launch_deep_blend<Map, TableForm::quads>(run, plan);
            return;
        }
        case TableForm::apart:
            return launch_deep_blend<Map, TableForm::apart>(run, plan);
    }
}

/// Stages "range" where it is asked for and not found while each value is counted, "tables" and "blend", the last two
/// for each band.
inline void run_tuned_deep(CudaJob& job) {
    const auto params = job.params.as<Params>();
    const ImageSpec& spec = job.input_spec;
    with_any_color_map(spec, params.color, [&]<class Map>(Map) {
        DeepRun run{DeepShape(spec, params, Map::kPlanes, job.device.sharedMemPerBlockOptin), job, {full_values(spec)}};
        const Geometry& g = run.geometry;
        const bool interpolates = run.form() == TableForm::interpolated, has_lines = run.form() == TableForm::lines;
        const size_t entries = interpolates || has_lines ? 0 : run.entries_stride();
        const size_t sums = run.full() || run.by_lines() ? 0 : run.sums_stride();
        const size_t edges = interpolates ? sums : 0, lines = has_lines ? size_t(run.most_bins) : 0;
        const size_t tile_bytes = entries * 2 + sums * 4 + (edges + lines) * 8 + size_t(run.most_bins) * 4;
        const size_t row_bytes = tile_bytes * size_t(g.columns) * Map::kPlanes;
        const int most_rows = int(std::clamp<size_t>(DeepPolicy::kBand_bytes / row_bytes, 2, size_t(g.rows) + 1));
        if (takes_used_values(spec, params.range_choice()) && run.may_count_values(job.device.multiProcessorCount) &&
            most_rows >= g.rows) {
            run.found = FoundRange::of(job);
            run.range.d_used = run.found.d_range;
        } else {
            run.range = find_range(job, params.range_choice());
        }
        for_each_band(g, spec.height, most_rows, [&](const TileBand& band) {
            const int tiles = g.columns * band.rows * Map::kPlanes;
            const bool large = run.most_bins > BinCountPolicy::kMostWords ||
                               (run.counts_values() && g.tile_pixels() < DeepPolicy::kSharedTile_px);
            const int resident = job.device.multiProcessorCount * (large ? 1
                                                                   : g.tile_pixels() <= BinCountPolicy::kFewPixels
                                                                       ? DeepPolicy::kFewBlocks
                                                                       : DeepPolicy::kBlocksOfMultiprocessor);
            const int parts = std::clamp(resident / tiles, 1, std::min(g.tile_height, 1024));
            const size_t all = size_t(tiles);
            DeepTables tables{
                .geometry = g,
                .first_row = band.first_row,
                .rows = band.rows,
                .slices = (run.most_bins + DeepTablePolicy::kSliceBins - 1) / DeepTablePolicy::kSliceBins,
                .d_kept = job.scratch.get<uint32_t>("clahe deep kept", all * DeepTablePolicy::kMostSlices),
                .d_entries = job.scratch.get<uint16_t>("clahe deep entries", all * entries),
                .d_sums = job.scratch.get<uint32_t>("clahe deep sums", all * sums),
                .d_edges = interpolates ? job.scratch.get<EdgeStep>("clahe deep edges", all * edges) : nullptr,
                .d_lines = has_lines ? job.scratch.get<EntryLine>("clahe deep lines", all * lines) : nullptr,
                .entries_stride = uint32_t(entries),
                .sums_stride = uint32_t(sums),
                .lines_stride = uint32_t(lines),
                .d_bases = nullptr,
                .d_bytes = nullptr,
                .d_nibbles = nullptr,
                .d_ungrouped = nullptr};
            if (run.form() == TableForm::grouped) {
                tables.d_bases = job.scratch.get<uint16_t>("clahe deep bases", all * entries / GroupedEntries::kValues);
                tables.d_bytes = job.scratch.get<uint16_t>("clahe deep bytes", all * entries / 8);
                tables.d_nibbles = job.scratch.get<uint32_t>("clahe deep nibbles", all * entries / 8);
                tables.d_ungrouped = job.scratch.get<uint32_t>("clahe deep ungrouped", all);
            }
            tables.by_columns = Reciprocal<uint32_t>(uint32_t(g.columns));
            tables.most_bins_clip = tables.clip(run.most_bins);
            tables.most_bins = run.most_bins;
            tables.by_slices = Reciprocal<uint32_t>(uint32_t(tables.slices));
            for (int kind = 0; kind < 4; ++kind) {
                const Rect tile = g.tile(kind & 2 ? g.rows - 1 : 0, kind & 1 ? g.columns - 1 : 0);
                const uint32_t pixels = uint32_t(tile.width) * uint32_t(tile.height);
                tables.by_pixels[kind] = ShortQuotient(pixels);
                tables.by_twice_pixels[kind] = ShortQuotient(2 * pixels);
            }
            {
                const auto stage = job.stage("tables");
                make_deep_tables<Map>(run, band, parts, tables);
            }
            const auto stage = job.stage("blend");
            blend_deep<Map>(run, band, tables);
        });
    });
}

}  // namespace tonescope::clahe
