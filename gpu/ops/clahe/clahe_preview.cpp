// A quick look at part of CLAHE's result: tables from a sample of the pixels, and only of the tiles that the region
// blends.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/core/parallel.h"
#include "gpu/ops/clahe/clahe_cpu.h"
#include "gpu/ops/color_param.h"

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

void make_sampled_table(const PreviewJob& job, const Layout& layout, int32_t color, int row, int column, int stride,
                        Tables& tables) {
    const Rect tile = layout.geometry.tile(layout.rows.first + row, layout.columns.first + column);
    const int x_end = tile.x + tile.width, y_end = tile.y + tile.height;
    const int x_first = std::min(tile.x + stride / 2, x_end - 1), y_first = std::min(tile.y + stride / 2, y_end - 1);
    const ImageSpec& spec = job.input.spec;
    const int width = spec.width, pixel_bytes = bytes_per_pixel(spec.format);
    const int planes = plane_count(spec, color);
    alignas(64) uint32_t counts[3][256] = {};
    uint32_t samples = 0;
    for (int y = y_first; y < y_end; y += stride) {
        const uint8_t* from = job.input.row(mirror_index(y, spec.height));
        for (int x = x_first; x < x_end; x += stride) {
            const uint8_t* pixel = from + (x < width ? x : mirror_index(x, width)) * pixel_bytes;
            for (int plane = 0; plane < planes; ++plane) ++counts[plane][color_value(pixel, spec, color, plane)];
            ++samples;
        }
    }
    // The sample stands for a tile of a whole multiple of its pixels, and the limit shrinks with the rest.
    const int64_t pixels = int64_t{tile.width} * tile.height;
    const auto multiple = uint32_t(pixels / samples);
    Geometry scaled = layout.geometry;
    scaled.clip = std::max<int64_t>(1, scaled.clip * multiple * samples / pixels);
    for (int plane = 0; plane < planes; ++plane) {
        for (uint32_t& count : counts[plane]) count *= multiple;
        finish_table(counts[plane], samples * multiple, scaled, tables.at(plane, row, column));
    }
}

void blend_sampled_row(const PreviewJob& job, const Layout& layout, int32_t color, const std::vector<TileBlend>& across,
                       const Tables& tables, int j) {
    const Geometry& g = layout.geometry;
    const ImageSpec& spec = job.input.spec;
    const int planes = plane_count(spec, color);
    const int y = job.region.y + j * job.step;
    const TileBlend down = tile_blend(y, g.tile_height, g.rows);
    const int top = down.first - layout.rows.first, bottom = down.second - layout.rows.first;
    const double width2 = 2.0 * g.tile_width, height2 = 2.0 * g.tile_height;
    const double factor = 1 / (width2 * height2), offset = width2 * height2 / 2 + 0.5;
    for (int i = 0; i < job.output.spec.width; ++i) {
        const uint8_t* from = job.input.pixel(job.region.x + i * job.step, y);
        const int left = across[size_t(i)].first - layout.columns.first,
                  right = across[size_t(i)].second - layout.columns.first;
        const double x_weight = across[size_t(i)].weight;
        int changed[3];
        for (int plane = 0; plane < planes; ++plane) {
            const int v = color_value(from, spec, color, plane);
            const double upper =
                tables.at(plane, top, left)[v] * (width2 - x_weight) + tables.at(plane, top, right)[v] * x_weight;
            const double lower =
                tables.at(plane, bottom, left)[v] * (width2 - x_weight) + tables.at(plane, bottom, right)[v] * x_weight;
            const double sum = upper * (height2 - down.weight) + lower * down.weight;
            changed[plane] = int((sum + offset) * factor);
        }
        write_color(from, spec, color, changed, job.output.pixel(i, j));
    }
}

}  // namespace

void preview(const PreviewJob& job) {
    const auto params = job.params.as<Params>();
    const int planes = plane_count(job.input.spec, params.color);
    const Layout layout = make_layout(job, params);
    const Geometry& g = layout.geometry;
    const int64_t tile_px = int64_t{std::min(g.tile_width, g.padded_width)} * std::min(g.tile_height, g.padded_height);
    const int stride = std::max(1, int(std::ceil(std::sqrt(double(layout.tiles() * tile_px) / double(kSample_px)))));

    Tables tables(planes, layout.rows.count, layout.columns.count);
    parallel_for(job.threads, layout.tiles(), 4, [&](int64_t tile) {
        if (job.stop.stop_requested()) return;
        make_sampled_table(job, layout, params.color, int(tile / layout.columns.count),
                           int(tile % layout.columns.count), stride, tables);
    });
    if (job.stop.stop_requested()) return;

    std::vector<TileBlend> across(size_t(job.output.spec.width));
    for (size_t i = 0; i < across.size(); ++i)
        across[i] = tile_blend(job.region.x + int(i) * job.step, g.tile_width, g.columns);
    parallel_for(job.threads, job.output.spec.height, 16, [&](int64_t j) {
        if (job.stop.stop_requested()) return;
        blend_sampled_row(job, layout, params.color, across, tables, int(j));
    });
}

}  // namespace tonescope::clahe
