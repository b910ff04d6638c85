// CLAHE in plain loops: the definition, step by step. Slow on purpose.
#include <algorithm>
#include <vector>

#include "gpu/core/free_memory.h"
#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/reference_values.h"

namespace tonescope::clahe {
namespace {

/// The clipped histogram of one tile, summed up: sums[0] = 0, and sums[b + 1] counts the bins up to b. B + 1 of them.
void sum_tile(const ImageView& image, const Geometry& g, const Levels& levels, const Rect& tile, int32_t color,
              int plane, uint32_t* sums) {
    const int bins = levels.bins;
    std::vector<int64_t> h(static_cast<size_t>(bins));
    for (int y = tile.y; y < tile.y + tile.height; ++y) {
        for (int x = tile.x; x < tile.x + tile.width; ++x) {
            const int source_x = mirror_index(x, image.spec.width);
            const int source_y = mirror_index(y, image.spec.height);
            const int value = reference_value(image, source_x, source_y, color, plane);
            ++h[size_t(bin_of(value, levels.range, bins))];
        }
    }

    if (g.clips) {
        const int64_t clip = g.clip_at(bins);
        int64_t excess = 0;
        for (int64_t count : h) excess += std::max<int64_t>(0, count - clip);
        for (int64_t& count : h) count = std::min(count, clip) + excess / bins;
        const int64_t rest = excess % bins;
        if (g.excess == excess_spread && rest > 0) {
            const int64_t stride = std::max<int64_t>(bins / rest, 1);
            for (int64_t k = 0; k < rest; ++k) h[size_t(k * stride)] += 1;
        }
        if (g.excess == excess_evenly)
            for (int64_t b = 0; b < bins; ++b) h[size_t(b)] += (b + 1) * rest / bins - b * rest / bins;
    }

    sums[0] = 0;
    for (size_t b = 0; b < h.size(); ++b) sums[b + 1] = uint32_t(sums[b] + h[b]);
}

/// The entry of value v in the table of a tile of A = `pixels`: lo + floor((2 (hi - lo) cdf + A) / (2 A)), at most hi.
/// Where a bin holds several values, cdf rises evenly from c0 = sums[b] to c1 = sums[b + 1] within it, in R-ths.
int entry_of(const uint32_t* sums, int v, const Levels& levels, int64_t pixels) {
    const auto [lo, hi] = levels.range;
    const int64_t size = levels.range.size();  // R
    const int b = bin_of(v, levels.range, levels.bins);
    const int64_t c0 = sums[b], c1 = sums[b + 1];
    const int64_t above_lo =
        levels.bins < size
            ? (2 * int64_t{hi - lo} * (c0 * size + (c1 - c0) * place_in_bin(v, levels.range, levels.bins, b)) +
               pixels * size) /
                  (2 * pixels * size)
            : (2 * int64_t{hi - lo} * c1 + pixels) / (2 * pixels);
    return int(std::min<int64_t>(hi, lo + above_lo));
}

void run_reference(const CpuJob& job) {
    const auto params = job.params.as<Params>();
    const ImageView& in = job.input;
    const MutableImageView& out = job.output;
    const Geometry g = make_geometry(in.spec, params);
    const int planes = plane_count(in.spec, params.color);
    ValueRange range = full_values(in.spec);
    if (takes_used_values(in.spec, params.range_choice())) {
        const ScopedStage stage(job.stages, "range");
        range = reference_range(in, params.range_choice());
    }
    const Levels levels = make_levels(in.spec, params, range);

    const size_t tiles = size_t(g.rows) * size_t(g.columns), sums_of_tile = size_t(levels.bins) + 1;
    check_memory(size_t(planes) * tiles * sums_of_tile * sizeof(uint32_t));
    std::vector<uint32_t> all_sums(size_t(planes) * tiles * sums_of_tile);
    const auto sums = [&](int plane, int tile_y, int tile_x) {
        const size_t tile = size_t(tile_y) * size_t(g.columns) + size_t(tile_x);
        return &all_sums[(size_t(plane) * tiles + tile) * sums_of_tile];
    };
    const auto entry = [&](int plane, int tile_y, int tile_x, int v) {
        const Rect tile = g.tile(tile_y, tile_x);
        return int64_t{entry_of(sums(plane, tile_y, tile_x), v, levels, int64_t{tile.width} * tile.height)};
    };

    {
        const ScopedStage stage(job.stages, "tables");
        for (int tile_y = 0; tile_y < g.rows; ++tile_y) {
            for (int tile_x = 0; tile_x < g.columns; ++tile_x) {
                if (job.stop.stop_requested()) return;
                for (int plane = 0; plane < planes; ++plane)
                    sum_tile(in, g, levels, g.tile(tile_y, tile_x), params.color, plane, sums(plane, tile_y, tile_x));
            }
        }
    }

    const ScopedStage stage(job.stages, "blend");
    const int64_t width2 = 2 * int64_t{g.tile_width}, height2 = 2 * int64_t{g.tile_height};
    for (int y = 0; y < in.spec.height; ++y) {
        if (job.stop.stop_requested()) return;
        const TileBlend by = tile_blend(y, g.tile_height, g.rows);
        const int64_t bottom = by.weight, top = height2 - bottom;
        for (int x = 0; x < in.spec.width; ++x) {
            const TileBlend bx = tile_blend(x, g.tile_width, g.columns);
            const int64_t right = bx.weight, left = width2 - right;
            int changed[3];
            for (int plane = 0; plane < planes; ++plane) {
                const int v = reference_value(in, x, y, params.color, plane);
                const int64_t sum = entry(plane, by.first, bx.first, v) * left * top +
                                    entry(plane, by.first, bx.second, v) * right * top +
                                    entry(plane, by.second, bx.first, v) * left * bottom +
                                    entry(plane, by.second, bx.second, v) * right * bottom;
                changed[plane] = int((sum + width2 * height2 / 2) / (width2 * height2));
            }
            write_reference(in, x, y, params.change(), changed, out);
        }
    }
}

const VariantRegistration cpu_reference_variant({
    .op = "clahe",
    .id = "cpu",
    .name = "Reference",
    .source = "A CPU",
    .reference = true,
    .any_depth = true,
    .idea = "Loops over the tiles for their tables, then over the pixels to blend four of them: the definition, step "
            "by step.",
    .cost = "One thread; every pixel is read twice and costs five 64-bit divisions in each plane.",
    .flaw = "Uses one core, and works out again at every pixel which tiles it lies between and what their tables "
            "say.",
    .work =
        [](const WorkCase& c) {
            const int32_t color = c.params.as<Params>().color;
            const double planes = plane_count(c.image, color), in = bytes_per_pixel(c.image.format);
            return tile_work(
                c, 1,
                {{.bytes = in, .operations = by_color(c, color, 16, 22, 48)},
                 {.bytes = 256 * (planes - 1), .operations = 256 * 12 * planes}},
                {{.bytes = in + color_output_bytes<Params>(c), .operations = by_color(c, color, 45, 66, 100)},
                 {.bytes = 256 * (planes - 1)}});
        },
    .run_cpu = run_reference,
});

}  // namespace
}  // namespace tonescope::clahe
