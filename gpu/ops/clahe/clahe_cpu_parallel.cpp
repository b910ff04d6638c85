// CLAHE for live use on the CPU: several threads and vector instructions. The first stage, the tables, stands in
// clahe_cpu_tables.cpp; the blend stands here.
#include <algorithm>
#include <vector>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/parallel.h"
#include "gpu/ops/clahe/clahe_cpu.h"
#include "gpu/ops/clahe/clahe_cpu_deep.h"
#include "gpu/ops/clahe/exact/windows.h"
#include "gpu/ops/color_rows.h"

namespace tonescope::clahe {
namespace {

constexpr int kChunkSegments = 16;  // at most so many tables at once, 1 KiB each, so that they stay in the L1 cache
constexpr int kBandRows = 64;

/// Neighboring segments that a task works on together: at most kChunk_px columns.
struct Chunk {
    size_t first_segment, end_segment;
    int x_begin, x_end;
};

std::vector<Chunk> make_chunks(const std::vector<Segment>& segments) {
    std::vector<Chunk> chunks;
    for (size_t i = 0; i < segments.size(); ++i) {
        const bool fits = !chunks.empty() && segments[i].end - chunks.back().x_begin <= kChunk_px &&
                          i - chunks.back().first_segment < kChunkSegments;
        if (!fits) chunks.push_back({i, i, segments[i].begin, 0});
        chunks.back().end_segment = i + 1;
        chunks.back().x_end = segments[i].end;
    }
    return chunks;
}

/// For each value the four tables' entries in one word, so that a pixel needs one look-up.
using PackedTable = uint8_t[4 * 256];

TONESCOPE_HOT_LOOP void pack_tables(const uint8_t* a, const uint8_t* b, const uint8_t* c, const uint8_t* d,
                                    PackedTable& packed) {
    for (int v = 0; v < 256; ++v) {
        packed[4 * v] = a[v];
        packed[4 * v + 1] = b[v];
        packed[4 * v + 2] = c[v];
        packed[4 * v + 3] = d[v];
    }
}

struct RowWeights {
    int32_t width2, height2;  // 2 Tx, 2 Ty
    int32_t y_weight;         // of the lower tables
};

/// Divides by d = 4 Tx Ty with a multiplication. Both forms are exact for sums below 256 d:
/// int32 (sums below 2^31): the product, with a factor that is a little too small, gives the quotient or one less, and
/// the remainder tells which; double: the sum plus 1/2 lies at least 2^-33 of a level away from every integer, and
/// double is off by less than 2^-43.
template <bool kWide>
TONESCOPE_HOT_LOOP void blend_row(const uint32_t* entries, const int32_t* x_weights, int count, const RowWeights& w,
                                  uint8_t* out) {
    const int32_t width2 = w.width2, lower = w.y_weight, upper = w.height2 - lower;
    const double wide_d = double(width2) * w.height2, wide_factor = 1 / wide_d, wide_offset = wide_d / 2 + 0.5;
    const int32_t d = kWide ? 1 : width2 * w.height2, half = d / 2;
    const float factor = (1 - 0x1p-20F) / float(d);
    for (int i = 0; i < count; ++i) {
        const uint32_t e = entries[i];
        const int32_t right = x_weights[i], left = width2 - right;
        const int32_t top = int32_t(e & 255) * left + int32_t(e >> 8 & 255) * right;
        const int32_t bottom = int32_t(e >> 16 & 255) * left + int32_t(e >> 24) * right;
        if constexpr (kWide) {
            out[i] = uint8_t(int32_t((double(top) * upper + double(bottom) * lower + wide_offset) * wide_factor));
        } else {
            const int32_t sum = top * upper + bottom * lower + half;
            const auto quotient = int32_t(float(sum) * factor);
            out[i] = uint8_t(quotient + (sum - quotient * d >= d ? 1 : 0));
        }
    }
}

/// Sums stay below 255.5 * 4 Tx Ty; beyond 2^31 they need the wide form.
bool needs_wide_sums(const Geometry& g) {
    return g.tile_pixels() * 1022 >= int64_t{1} << 31;
}

/// Not vectorized on purpose: gather instructions are no faster here, and far slower on many processors.
void look_up(const uint8_t* values, int count, const PackedTable& table, uint32_t* entries) {
    for (int i = 0; i < count; ++i) entries[i] = load_word(&table[4 * size_t{values[i]}]);
}

/// Second stage: every pixel blends the tables of the four nearest tiles. Fills job.output with job.threads threads; it
/// is garbage once job.stop is set.
void blend_tables(const CpuJob& job, const Geometry& g, const Tables& tables) {
    const ImageView& in = job.input;
    const MutableImageView& out = job.output;
    const ScopedStage stage(job.stages, "blend");
    const bool direct = out.spec.format == PixelFormat::gray8, wide = needs_wide_sums(g);
    const ColorChange change = job.params.as<Params>().change();
    const int32_t color = change.color;
    const bool mixes = mixes_values(in.spec, color);
    const int plane_total = plane_count(in.spec, color);

    const std::vector<Segment> segments = segments_of(in.spec.width, g.tile_width, g.columns, kChunk_px);
    const std::vector<Segment> bands = segments_of(in.spec.height, g.tile_height, g.rows, kBandRows);
    const std::vector<Chunk> chunks = make_chunks(segments);
    std::vector<int32_t> x_weights(size_t(in.spec.width));
    for (const Segment& s : segments)
        for (int x = s.begin; x < s.end; ++x) x_weights[size_t(x)] = s.blend.weight + 2 * (x - s.begin);

    const auto blend_chunk = [&](const Segment& band, const Chunk& chunk) {
        alignas(64) PackedTable packed[3][kChunkSegments];
        alignas(64) uint8_t values[kChunk_px];
        alignas(64) uint8_t changed[3][kChunk_px];
        alignas(64) uint32_t entries[kChunk_px];
        const int upper = band.blend.first, lower = band.blend.second;
        for (int plane = 0; plane < plane_total; ++plane) {
            for (size_t i = chunk.first_segment; i < chunk.end_segment; ++i) {
                const int left = segments[i].blend.first, right = segments[i].blend.second;
                run_hot<pack_tables>(tables.at(plane, upper, left), tables.at(plane, upper, right),
                                     tables.at(plane, lower, left), tables.at(plane, lower, right),
                                     packed[plane][i - chunk.first_segment]);
            }
        }
        const int count = chunk.x_end - chunk.x_begin;
        const int32_t* weights_of_columns = &x_weights[size_t(chunk.x_begin)];
        for (int y = band.begin; y < band.end; ++y) {
            const uint8_t* from = in.pixel(chunk.x_begin, y);
            uint8_t* to = out.pixel(chunk.x_begin, y);
            const RowWeights weights{2 * g.tile_width, 2 * g.tile_height, band.blend.weight + 2 * (y - band.begin)};
            for (int plane = 0; plane < plane_total; ++plane) {
                const uint8_t* old_values = plane_values(from, count, in.spec.format, color, plane, values);
                for (size_t i = chunk.first_segment; i < chunk.end_segment; ++i) {
                    const Segment& s = segments[i];
                    const int offset = s.begin - chunk.x_begin;
                    look_up(old_values + offset, s.end - s.begin, packed[plane][i - chunk.first_segment],
                            entries + offset);
                }
                uint8_t* result = direct ? to : changed[plane];
                if (wide)
                    run_hot<blend_row<true>>(entries, weights_of_columns, count, weights, result);
                else
                    run_hot<blend_row<false>>(entries, weights_of_columns, count, weights, result);
                if (mixes) mix_samples(old_values, count, change.amount, result);
            }
            if (!direct) write_pixels(from, count, change, values, changed, to);
        }
    };

    const auto tasks = int64_t(bands.size() * chunks.size());
    parallel_for(job.threads, tasks, 2, [&](int64_t task) {
        if (job.stop.stop_requested()) return;
        blend_chunk(bands[size_t(task) / chunks.size()], chunks[size_t(task) % chunks.size()]);
    });
}

void run_parallel(const CpuJob& job) {
    const auto params = job.params.as<Params>();
    if (params.tables == tables_exact) return run_exact(job);
    if (!has_byte_tables(job.input.spec, params)) return run_deep(job);
    const Geometry geometry = make_geometry(job.input.spec, params);
    Tables tables(plane_count(job.input.spec, params.color), geometry.rows, geometry.columns);
    make_tables(job, geometry, tables);
    if (!job.stop.stop_requested()) blend_tables(job, geometry, tables);
}

const VariantRegistration cpu_parallel_variant({
    .op = "clahe",
    .id = "parallel",
    .name = "All cores",
    .follows = "cpu",
    .builds_on = "cpu",
    .preferred = true,
    .any_depth = true,
    .every_value_of = "tables no_data",
    .idea = "Threads share out tiles, then bands of rows; four tables are packed into one so that a pixel needs one "
            "look-up, and the blend runs in vector instructions with a multiplication in place of the division. With "
            "tables=exact, a window's histogram moves by whole columns' histograms, also in vector instructions.",
    .cost = "Reads every pixel twice; 256 steps a tile for its table, which at 16-pixel tiles is as much work as the "
            "pixels are. With tables=exact, 256 bins are added up at every pixel, whatever the window's sides.",
    .flaw = "Holds the tables of all tiles at once, 256 bytes a tile and plane: at 8-pixel tiles four times a gray "
            "image's size.",
    .work =
        [](const WorkCase& c) {
            const int32_t color = c.params.as<Params>().color;
            const double planes = plane_count(c.image, color), in = bytes_per_pixel(c.image.format);
            if (c.params.as<Params>().tables == tables_exact) return exact_work(c);
            return tile_work(
                c, 1,
                {{.bytes = in, .operations = by_color(c, color, 3, 9, 9)},
                 {.bytes = 256 * (planes - 1), .operations = 256 * 6 * planes}},
                {{.bytes = in + color_output_bytes<Params>(c), .operations = by_color(c, color, 22, 41, 66)},
                 {.bytes = 256 * (planes - 1)}});
        },
    .run_cpu = run_parallel,
});

}  // namespace
}  // namespace tonescope::clahe
