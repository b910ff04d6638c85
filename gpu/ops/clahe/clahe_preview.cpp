// A quick look at part of CLAHE's result: tables from a sample of the pixels, and only of the tiles that the region
// blends.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/clahe/clahe_cpu_planes.h"
#include "gpu/ops/clahe/clahe_cpu_tables.h"

namespace tonescope {

void clahe_preview(const PreviewJob& job);

namespace {

constexpr int64_t kSample_px = 1 << 20;  // about so many pixels are counted, and at least one a tile
constexpr int64_t kMaxTables = 1 << 17;  // more tiles than that are merged, 2x2, 3x3, ...

/// The tiles that pixels [begin, begin + size) of an axis blend.
struct TileRange {
    TileRange(int begin, int size_px, int tile_px, int tiles)
        : first(clahe_blend(begin, tile_px, tiles).first),
          count(clahe_blend(begin + size_px - 1, tile_px, tiles).second - first + 1) {}
    int first, count;
};

struct Layout {
    ClaheGeometry geometry;
    TileRange columns, rows;

    Layout(const PreviewJob& job, const ClaheParams& params)
        : geometry(clahe_geometry(job.input.spec, params)),
          columns(job.region.x, job.region.width, geometry.tile_width, geometry.columns),
          rows(job.region.y, job.region.height, geometry.tile_height, geometry.rows) {}
    int64_t tiles() const { return int64_t{columns.count} * rows.count; }
};

/// Merges tiles until there are few enough. A limit that counts pixels grows with them.
Layout make_layout(const PreviewJob& job, const ClaheParams& params) {
    Layout layout(job, params);
    for (int merge = 2; params.tiles == tiles_size && layout.tiles() > kMaxTables; ++merge) {
        ClaheParams merged = params;
        merged.tile_size = params.tile_size * merge;
        merged.clip_count = int32_t(std::min<int64_t>(int64_t{params.clip_count} * merge * merge, int64_t{1} << 30));
        layout = Layout(job, merged);
    }
    return layout;
}

int value_at(const uint8_t* pixel, ClahePlanes planes, int plane) {
    return planes == ClahePlanes::luma ? luma(pixel[0], pixel[1], pixel[2]) : pixel[plane];
}

void make_table(const PreviewJob& job, const Layout& layout, ClahePlanes planes, bool spread, int row, int column,
                int stride, ClaheTables& tables) {
    const ClaheGeometry& g = layout.geometry;
    const int x_begin = (layout.columns.first + column) * g.tile_width,
              y_begin = (layout.rows.first + row) * g.tile_height;
    const int x_end = std::min(x_begin + g.tile_width, g.padded_width),
              y_end = std::min(y_begin + g.tile_height, g.padded_height);
    const int x_first = std::min(x_begin + stride / 2, x_end - 1), y_first = std::min(y_begin + stride / 2, y_end - 1);
    const int width = job.input.spec.width, pixel_bytes = bytes_per_pixel(job.input.spec.format);
    alignas(64) uint32_t counts[3][256] = {};
    uint32_t samples = 0;
    for (int y = y_first; y < y_end; y += stride) {
        const uint8_t* from = job.input.row(mirror_index(y, job.input.spec.height));
        for (int x = x_first; x < x_end; x += stride) {
            const uint8_t* pixel = from + (x < width ? x : mirror_index(x, width)) * pixel_bytes;
            for (int plane = 0; plane < plane_count(planes); ++plane) ++counts[plane][value_at(pixel, planes, plane)];
            ++samples;
        }
    }
    // The sample stands for a tile of a whole multiple of its pixels, and the limit shrinks with the rest.
    const int64_t pixels = int64_t{x_end - x_begin} * (y_end - y_begin);
    const auto multiple = uint32_t(pixels / samples);
    ClaheGeometry scaled = g;
    scaled.clip = std::max<int64_t>(1, g.clip * multiple * samples / pixels);
    for (int plane = 0; plane < plane_count(planes); ++plane) {
        for (uint32_t& count : counts[plane]) count *= multiple;
        finish_clahe_table(counts[plane], samples * multiple, scaled, spread, tables.at(plane, row, column));
    }
}

void blend_row(const PreviewJob& job, const Layout& layout, ClahePlanes planes, int32_t color,
               const std::vector<ClaheBlend>& across, const ClaheTables& tables, int j) {
    const ClaheGeometry& g = layout.geometry;
    const int y = job.region.y + j * job.step;
    const ClaheBlend down = clahe_blend(y, g.tile_height, g.rows);
    const int top = down.first - layout.rows.first, bottom = down.second - layout.rows.first;
    const double width2 = 2.0 * g.tile_width, height2 = 2.0 * g.tile_height;
    const double factor = 1 / (width2 * height2), offset = width2 * height2 / 2 + 0.5;
    for (int i = 0; i < job.output.spec.width; ++i) {
        const uint8_t* from = job.input.pixel(job.region.x + i * job.step, y);
        const int left = across[size_t(i)].first - layout.columns.first,
                  right = across[size_t(i)].second - layout.columns.first;
        const double x_weight = across[size_t(i)].weight;
        int changed[3];
        for (int plane = 0; plane < plane_count(planes); ++plane) {
            const int v = value_at(from, planes, plane);
            const double upper =
                tables.at(plane, top, left)[v] * (width2 - x_weight) + tables.at(plane, top, right)[v] * x_weight;
            const double lower =
                tables.at(plane, bottom, left)[v] * (width2 - x_weight) + tables.at(plane, bottom, right)[v] * x_weight;
            const double sum = upper * (height2 - down.weight) + lower * down.weight;
            changed[plane] = int((sum + offset) * factor);
        }
        uint8_t* to = job.output.pixel(i, j);
        if (job.output.spec.format == PixelFormat::gray8) {
            to[0] = uint8_t(changed[0]);
            continue;
        }
        for (int c = 0; c < 3; ++c) {
            if (planes == ClahePlanes::channels)
                to[c] = uint8_t(changed[c]);
            else if (color == color_gray)
                to[c] = uint8_t(changed[0]);
            else
                to[c] = uint8_t(shift_channel(from[c], changed[0] - value_at(from, planes, 0)));
        }
        to[3] = from[3];
    }
}

}  // namespace

void clahe_preview(const PreviewJob& job) {
    const auto params = job.params.as<ClaheParams>();
    const ClahePlanes planes = clahe_planes(job.input.spec, params.color);
    const Layout layout = make_layout(job, params);
    const ClaheGeometry& g = layout.geometry;
    const int64_t tile_px = int64_t{std::min(g.tile_width, g.padded_width)} * std::min(g.tile_height, g.padded_height);
    const int stride = std::max(1, int(std::ceil(std::sqrt(double(layout.tiles() * tile_px) / double(kSample_px)))));
    const int threads = std::max(job.threads, 1);

    ClaheTables tables(plane_count(planes), layout.rows.count, layout.columns.count);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4)
    for (int64_t tile = 0; tile < layout.tiles(); ++tile) {
        if (job.stop.stop_requested()) continue;
        make_table(job, layout, planes, params.excess == excess_spread, int(tile / layout.columns.count),
                   int(tile % layout.columns.count), stride, tables);
    }
    if (job.stop.stop_requested()) return;

    std::vector<ClaheBlend> across(size_t(job.output.spec.width));
    for (size_t i = 0; i < across.size(); ++i)
        across[i] = clahe_blend(job.region.x + int(i) * job.step, g.tile_width, g.columns);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int j = 0; j < job.output.spec.height; ++j) {
        if (job.stop.stop_requested()) continue;
        blend_row(job, layout, planes, params.color, across, tables, j);
    }
}

}  // namespace tonescope
