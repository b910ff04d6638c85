// A quick look at part of CLAHE's result: tables from a sample of the pixels, and only of the tiles that the region
// blends.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/core/parallel.h"
#include "gpu/ops/clahe/clahe_cpu.h"
#include "gpu/ops/clahe/clahe_cpu_deep.h"
#include "gpu/ops/clahe/exact/windows.h"
#include "gpu/ops/counted_values.h"
#include "gpu/ops/deep_rows.h"

namespace tonescope::clahe {
namespace {

constexpr int64_t kSample_px = 1 << 20;  // about so many pixels are counted, and at least one a tile
constexpr int64_t kMaxTables = 1 << 17;  // more tiles than that are merged, 2x2, 3x3, ...

/// The tiles that pixels [begin, begin + size) of an axis blend.
struct TileRange {
    TileRange(int begin, int size_px, int tile_px, int tiles)
        : first(tile_blend(begin, tile_px, tiles).first),
          count(tile_blend(begin + size_px - 1, tile_px, tiles).second - first + 1) {}
    int first, count;
};

struct Layout {
    Geometry geometry;
    TileRange columns, rows;

    Layout(const PreviewJob& job, const Params& params)
        : geometry(make_geometry(job.input.spec, params)),
          columns(job.region.x, job.region.width, geometry.tile_width, geometry.columns),
          rows(job.region.y, job.region.height, geometry.tile_height, geometry.rows) {}
    int64_t tiles() const { return int64_t{columns.count} * rows.count; }
};

/// Merges tiles until there are few enough. A limit that counts pixels grows with them.
Layout make_layout(const PreviewJob& job, const Params& params) {
    Layout layout(job, params);
    for (int merge = 2; params.tiles == tiles_size && layout.tiles() > kMaxTables; ++merge) {
        Params merged = params;
        merged.tile_size = params.tile_size * merge;
        merged.clip_count = int32_t(std::min<int64_t>(int64_t{params.clip_count} * merge * merge, int64_t{1} << 30));
        layout = Layout(job, merged);
    }
    return layout;
}

/// Tables of at most 256 entries: of images of 8 bits one for each value, and of deep ones as many over the range,
/// between which values lie.
struct Scale {
    bool deep;
    ValueRange range;
    double per_value;  // entries
    Levels levels;     // of a table

    Scale(const ImageSpec& spec, ValueRange values)
        : deep(is_deep(spec.format)),
          range(values),
          per_value(deep ? 255.0 / std::max(values.hi - values.lo, 1) : 1),
          levels(deep ? Levels{} : Levels{values, values.size()}) {}
    /// The sample may lack some of the image's values.
    double place_of(int value) const { return (std::clamp(value, range.lo, range.hi) - range.lo) * per_value; }
    int entry_of(int value) const { return int(place_of(value) + 0.5); }
    double look_up(const uint16_t* table, int value) const {
        const double place = place_of(value);
        const int entry = int(place);
        if (!deep || entry == 255) return table[entry];
        return table[entry] + (table[entry + 1] - table[entry]) * (place - entry);
    }
    /// Of sums of what look_up() gives with weights whose sum is `whole`.
    int value_of(double sum, double whole) const {
        if (deep) return range.lo + int(sum / (whole * per_value) + 0.5);
        return int((sum + whole / 2 + 0.5) / whole);
    }
};

/// Of the tiles that are in view, with how many samples of each plane and tile count.
struct PreviewTables {
    TileTables<uint16_t> entries;
    std::vector<uint32_t> counted;
    int rows, columns;

    PreviewTables(int planes, int tile_rows, int tile_columns)
        : entries(planes, tile_rows, tile_columns),
          counted(size_t(planes) * size_t(tile_rows) * size_t(tile_columns)),
          rows(tile_rows),
          columns(tile_columns) {}
    uint32_t& counted_of(int plane, int tile) {
        return counted[size_t(plane) * size_t(rows) * size_t(columns) + size_t(tile)];
    }
    const uint16_t* table_of(int plane, int row, int column) const {
        Geometry in_view;
        in_view.rows = rows;
        in_view.columns = columns;
        const size_t first = size_t(plane) * size_t(rows) * size_t(columns);
        const int tile = tile_for(in_view, row * columns + column, [&](int t) { return counted[first + size_t(t)]; });
        return entries.at(plane, tile / columns, tile % columns);
    }
};

template <class Sample>
void make_sampled_table(const PreviewJob& job, const Layout& layout, const Scale& scale, int32_t color, int row,
                        int column, int stride, PreviewTables& tables) {
    const Rect tile = layout.geometry.tile(layout.rows.first + row, layout.columns.first + column);
    const int x_end = tile.x + tile.width, y_end = tile.y + tile.height;
    const int x_first = std::min(tile.x + stride / 2, x_end - 1), y_first = std::min(tile.y + stride / 2, y_end - 1);
    const ImageSpec& spec = job.input.spec;
    const int planes = plane_count(spec, color);
    const int32_t left_out = job.params.as<Params>().left_out(spec);
    alignas(64) uint32_t counts[3][256] = {};
    uint32_t counted[3] = {};
    uint32_t samples = 0;
    for (int y = y_first; y < y_end; y += stride) {
        const int source_y = mirror_index(y, spec.height);
        for (int x = x_first; x < x_end; x += stride) {
            const auto* pixel = pixel_of<Sample>(job.input, x < spec.width ? x : mirror_index(x, spec.width), source_y);
            for (int plane = 0; plane < planes; ++plane) {
                const int value = value_of_color(pixel, spec, color, plane);
                if (value == left_out) continue;
                ++counts[plane][scale.entry_of(value)];
                ++counted[plane];
            }
            ++samples;
        }
    }
    // The sample stands for a tile of a whole multiple of its pixels, and the limit shrinks with the rest.
    const int64_t pixels = int64_t{tile.width} * tile.height;
    const auto multiple = uint32_t(pixels / samples);
    Geometry scaled = layout.geometry;
    scaled.clip_limit = 0;
    const int64_t clip = layout.geometry.clip_at(scale.levels.bins);
    scaled.clip_count = int32_t(std::max<int64_t>(1, clip * multiple * samples / pixels));
    for (int plane = 0; plane < planes; ++plane) {
        for (uint32_t& count : counts[plane]) count *= multiple;
        tables.counted_of(plane, row * tables.columns + column) = counted[plane];
        const uint32_t pixels_counted = std::max(counted[plane] * multiple, 1u);
        sum_bins(counts[plane], pixels_counted, samples * multiple, scaled, scale.levels);
        fill_entries(counts[plane], pixels_counted, scale.levels, tables.entries.at(plane, row, column));
    }
}

template <class Sample>
void blend_sampled_row(const PreviewJob& job, const Layout& layout, const Scale& scale, const ColorChange& change,
                       const std::vector<TileBlend>& across, const PreviewTables& tables, int j) {
    const Geometry& g = layout.geometry;
    const ImageSpec& spec = job.input.spec;
    const int planes = plane_count(spec, change.color);
    const int32_t left_out = job.params.as<Params>().left_out(spec);
    const int y = job.region.y + j * job.step;
    const TileBlend down = tile_blend(y, g.tile_height, g.rows);
    const int top = down.first - layout.rows.first, bottom = down.second - layout.rows.first;
    const double width2 = 2.0 * g.tile_width, height2 = 2.0 * g.tile_height;
    for (int i = 0; i < job.output.spec.width; ++i) {
        const auto* from = pixel_of<Sample>(job.input, job.region.x + i * job.step, y);
        const int left = across[size_t(i)].first - layout.columns.first,
                  right = across[size_t(i)].second - layout.columns.first;
        const double x_weight = across[size_t(i)].weight;
        int changed[3];
        for (int plane = 0; plane < planes; ++plane) {
            const int v = value_of_color(from, spec, change.color, plane);
            const auto entry = [&](int tile_row, int tile_column) {
                return scale.look_up(tables.table_of(plane, tile_row, tile_column), v);
            };
            changed[plane] = v;
            if (v == left_out) continue;
            const double upper = entry(top, left) * (width2 - x_weight) + entry(top, right) * x_weight;
            const double lower = entry(bottom, left) * (width2 - x_weight) + entry(bottom, right) * x_weight;
            const double sum = upper * (height2 - down.weight) + lower * down.weight;
            changed[plane] = scale.value_of(sum, width2 * height2);
        }
        write_color(from, spec, change, changed, pixel_of<Sample>(job.output, i, j));
    }
}

template <class Sample>
void preview_of(const PreviewJob& job) {
    const auto params = job.params.as<Params>();
    const int planes = plane_count(job.input.spec, params.color);
    const Layout layout = make_layout(job, params);
    const Geometry& g = layout.geometry;
    const int64_t tile_px = int64_t{std::min(g.tile_width, g.padded_width)} * std::min(g.tile_height, g.padded_height);
    const int stride = std::max(1, int(std::ceil(std::sqrt(double(layout.tiles() * tile_px) / double(kSample_px)))));
    const int row_step = int(std::max<int64_t>(1, job.input.spec.pixels() / kSample_px));
    const Scale scale(job.input.spec,
                      find_counted_values(job.input, params.range_choice(), params.color,
                                          params.left_out(job.input.spec), job.threads, job.stop, row_step));

    PreviewTables tables(planes, layout.rows.count, layout.columns.count);
    parallel_for(job.threads, layout.tiles(), 4, [&](int64_t tile) {
        if (job.stop.stop_requested()) return;
        make_sampled_table<Sample>(job, layout, scale, params.color, int(tile / layout.columns.count),
                                   int(tile % layout.columns.count), stride, tables);
    });
    if (job.stop.stop_requested()) return;

    std::vector<TileBlend> across(size_t(job.output.spec.width));
    for (size_t i = 0; i < across.size(); ++i)
        across[i] = tile_blend(job.region.x + int(i) * job.step, g.tile_width, g.columns);
    parallel_for(job.threads, job.output.spec.height, 16, [&](int64_t j) {
        if (job.stop.stop_requested()) return;
        blend_sampled_row<Sample>(job, layout, scale, params.change(), across, tables, int(j));
    });
}

}  // namespace

void preview(const PreviewJob& job) {
    // Where windows hold very many pixels, the tables of tiles are much the same.
    if (job.params.as<Params>().tables == tables_exact && can_preview_exact(job)) return preview_exact(job);
    with_sample(job.input.spec.format, [&]<class Sample>(Sample) { preview_of<Sample>(job); });
}

}  // namespace tonescope::clahe
