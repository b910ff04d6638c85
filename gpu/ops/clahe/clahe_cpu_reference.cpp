// CLAHE in plain loops: the definition, step by step. Slow on purpose.
#include <algorithm>
#include <vector>

#include "gpu/core/free_memory.h"
#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/reference_values.h"

namespace tonescope::clahe {
namespace {

/// One count a bin.
using Counts = std::vector<int64_t>;

/// Adds `weight` for each pixel that counts of a rectangle of the image, which is mirrored beyond its borders. Returns
/// how many there are.
template <PixelFormat kFormat>
int64_t count_rect(const ImageView& image, const Levels& levels, const Rect& rect, const Params& params, int plane,
                   int weight, Counts& h) {
    const int left_out = params.left_out(image.spec);
    int64_t counted = 0;
    for (int y = rect.y; y < rect.y + rect.height; ++y) {
        for (int x = rect.x; x < rect.x + rect.width; ++x) {
            const int source_x = mirror_around(x, image.spec.width);
            const int source_y = mirror_around(y, image.spec.height);
            const int value = reference_value<kFormat>(image, source_x, source_y, params.color, plane);
            if (value == left_out) continue;
            h[size_t(bin_of(value, levels.range, levels.bins))] += weight;
            ++counted;
        }
    }
    return counted;
}

/// Clips a histogram of `counted` of `pixels` pixels and sums it up: sums[0] = 0, and sums[b + 1] counts the bins up to
/// b. B + 1 of them.
void sum_clipped(Counts h, const Geometry& g, int64_t counted, int64_t pixels, uint32_t* sums) {
    const auto bins = int(h.size());
    if (g.clips) {
        const int64_t clip = g.clip_at(bins, counted, pixels);
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

/// Every pixel with the table of the window around it, whose histogram is that of the window before it with the column
/// that has entered and without the one that has left.
template <PixelFormat kFormat>
void run_windows(const CpuJob& job, const Geometry& g, const Levels& levels) {
    const ScopedStage stage(job.stages, "windows");
    const auto params = job.params.as<Params>();
    const ImageView& in = job.input;
    const int planes = plane_count(in.spec, params.color), left_out = params.left_out(in.spec);
    std::vector<uint32_t> sums(size_t(levels.bins) + 1);
    if (job.progress != nullptr) job.progress->start(in.spec.height);
    for (int y = 0; y < in.spec.height; ++y) {
        std::vector<Counts> h(size_t(planes), Counts(size_t(levels.bins)));
        std::vector<int64_t> counted(static_cast<size_t>(planes));
        for (int x = 0; x < in.spec.width; ++x) {
            const Rect window = g.window(x, y);
            int changed[3] = {};
            for (int plane = 0; plane < planes; ++plane) {
                const auto count_column = [&](int column, int weight) {
                    if (job.stop.stop_requested()) return;
                    counted[size_t(plane)] +=
                        weight * count_rect<kFormat>(in, levels, {column, window.y, 1, window.height}, params, plane,
                                                     weight, h[size_t(plane)]);
                };
                if (x == 0)
                    for (int k = 0; k < window.width; ++k) count_column(window.x + k, 1);
                else {
                    count_column(window.x - 1, -1);
                    count_column(window.x + window.width - 1, 1);
                }
                const int v = reference_value<kFormat>(in, x, y, params.color, plane);
                changed[plane] = v;
                if (v == left_out) continue;
                sum_clipped(h[size_t(plane)], g, counted[size_t(plane)], g.tile_pixels(), sums.data());
                changed[plane] = entry_of(sums.data(), v, levels, counted[size_t(plane)]);
            }
            if (job.stop.stop_requested()) return;
            write_reference<kFormat>(in, x, y, params.change(), changed, job.output);
        }
        if (job.progress != nullptr) job.progress->add(1);
    }
}

template <PixelFormat kFormat>
void run_reference(const CpuJob& job) {
    const auto params = job.params.as<Params>();
    const ImageView& in = job.input;
    const MutableImageView& out = job.output;
    const Geometry g = make_geometry(in.spec, params);
    const int planes = plane_count(in.spec, params.color), left_out = params.left_out(in.spec);
    ValueRange range = full_values(in.spec);
    if (takes_used_values(in.spec, params.range_choice())) {
        const ScopedStage stage(job.stages, "range");
        range = reference_range<kFormat>(in, params.range_choice(), params.color, left_out);
    }
    const Levels levels = make_levels(in.spec, params, range);
    if (params.tables == tables_exact) return run_windows<kFormat>(job, g, levels);

    const size_t tiles = size_t(g.rows) * size_t(g.columns), sums_of_tile = size_t(levels.bins) + 1;
    check_memory(size_t(planes) * tiles * sums_of_tile * sizeof(uint32_t));
    std::vector<uint32_t> all_sums(size_t(planes) * tiles * sums_of_tile);
    std::vector<uint32_t> counted(size_t(planes) * tiles);  // pixels of each tile that count
    const auto place = [&](int plane, int tile) { return size_t(plane) * tiles + size_t(tile); };
    const auto entry = [&](int plane, int tile_y, int tile_x, int v) {
        const int tile = tile_for(g, tile_y * g.columns + tile_x, [&](int t) { return counted[place(plane, t)]; });
        return int64_t{entry_of(&all_sums[place(plane, tile) * sums_of_tile], v, levels, counted[place(plane, tile)])};
    };

    {
        const ScopedStage stage(job.stages, "tables");
        for (int tile_y = 0; tile_y < g.rows; ++tile_y) {
            for (int tile_x = 0; tile_x < g.columns; ++tile_x) {
                if (job.stop.stop_requested()) return;
                for (int plane = 0; plane < planes; ++plane) {
                    Counts h(static_cast<size_t>(levels.bins));
                    const Rect tile = g.tile(tile_y, tile_x);
                    const size_t at = place(plane, tile_y * g.columns + tile_x);
                    counted[at] = uint32_t(count_rect<kFormat>(in, levels, tile, params, plane, 1, h));
                    sum_clipped(h, g, counted[at], int64_t{tile.width} * tile.height, &all_sums[at * sums_of_tile]);
                }
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
            int changed[3] = {};
            for (int plane = 0; plane < planes; ++plane) {
                const int v = reference_value<kFormat>(in, x, y, params.color, plane);
                changed[plane] = v;
                if (v == left_out) continue;
                const int64_t sum = entry(plane, by.first, bx.first, v) * left * top +
                                    entry(plane, by.first, bx.second, v) * right * top +
                                    entry(plane, by.second, bx.first, v) * left * bottom +
                                    entry(plane, by.second, bx.second, v) * right * bottom;
                changed[plane] = int((sum + width2 * height2 / 2) / (width2 * height2));
            }
            write_reference<kFormat>(in, x, y, params.change(), changed, out);
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
    .every_value_of = "tables no_data",
    .idea = "Loops over the tiles for their tables, then over the pixels to blend four of them (with tables=exact, "
            "over the pixels for the table of the window around each): the definition, step by step.",
    .cost = "One thread; every pixel is read twice and costs five 64-bit divisions in each plane.",
    .flaw = "Uses one core, and works out again at every pixel which tiles it lies between and what their tables "
            "say.",
    .work =
        [](const WorkCase& c) {
            const int32_t color = c.params.as<Params>().color;
            const double planes = plane_count(c.image, color), in = bytes_per_pixel(c.image.format);
            if (c.params.as<Params>().tables == tables_exact) {
                const double column = make_geometry(c.image, c.params.as<Params>()).tile_height;
                return Work{{"windows", c.pixels() * Amounts{.bytes = in + color_output_bytes<Params>(c),
                                                             .operations = planes * (2 * 16 * column + 256 * 12)}}};
            }
            return tile_work(
                c, 1,
                {{.bytes = in, .operations = by_color(c, color, 16, 22, 48)},
                 {.bytes = 256 * (planes - 1), .operations = 256 * 12 * planes}},
                {{.bytes = in + color_output_bytes<Params>(c), .operations = by_color(c, color, 45, 66, 100)},
                 {.bytes = 256 * (planes - 1)}});
        },
    .run_cpu =
        [](const CpuJob& job) {
            with_format(job.input.spec.format, [&]<PixelFormat kFormat>() { run_reference<kFormat>(job); });
        },
});

}  // namespace
}  // namespace tonescope::clahe
