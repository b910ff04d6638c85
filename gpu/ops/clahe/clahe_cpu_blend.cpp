#include "gpu/ops/clahe/clahe_cpu_blend.h"

#include <algorithm>

namespace tonescope {
namespace {

constexpr int kChunk_px = 1024;     // columns that a task works on: its rows stay in the L1 cache
constexpr int kChunkSegments = 16;  // at most so many tables at once, 1 KiB each, for the same reason
constexpr int kBandRows = 64;

/// Neighbouring segments that a task works on together.
struct Chunk {
    size_t first_segment, end_segment;
    int x_begin, x_end;
};

std::vector<Chunk> make_chunks(const std::vector<ClaheSegment>& segments) {
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
    if constexpr (kWide) {
        const double d = double(width2) * w.height2, factor = 1 / d, offset = d / 2 + 0.5;
        for (int i = 0; i < count; ++i) {
            const uint32_t e = entries[i];
            const int32_t right = x_weights[i], left = width2 - right;
            const int32_t top = int32_t(e & 255) * left + int32_t(e >> 8 & 255) * right;
            const int32_t bottom = int32_t(e >> 16 & 255) * left + int32_t(e >> 24) * right;
            out[i] = uint8_t(int32_t((double(top) * upper + double(bottom) * lower + offset) * factor));
        }
    } else {
        const int32_t d = width2 * w.height2, half = d / 2;
        const float factor = (1 - 0x1p-20F) / float(d);
        for (int i = 0; i < count; ++i) {
            const uint32_t e = entries[i];
            const int32_t right = x_weights[i], left = width2 - right;
            const int32_t top = int32_t(e & 255) * left + int32_t(e >> 8 & 255) * right;
            const int32_t bottom = int32_t(e >> 16 & 255) * left + int32_t(e >> 24) * right;
            const int32_t sum = top * upper + bottom * lower + half;
            const auto quotient = int32_t(float(sum) * factor);
            out[i] = uint8_t(quotient + (sum - quotient * d >= d ? 1 : 0));
        }
    }
}

/// Sums stay below 255.5 * 4 Tx Ty; beyond 2^31 they need the wide form.
bool needs_wide_sums(const ClaheGeometry& g) {
    return int64_t{g.tile_width} * g.tile_height * 1022 >= int64_t{1} << 31;
}

TONESCOPE_HOT_LOOP void shift_row(const uint8_t* from, const uint8_t* old_luma, const uint8_t* new_luma, int count,
                                  uint8_t* to) {
    for (int i = 0; i < count; ++i) {
        const uint32_t word = load_word(from + 4 * i);
        const int32_t delta = int32_t{new_luma[i]} - old_luma[i];
        const auto r = uint32_t(std::clamp(int32_t(word & 255) + delta, 0, 255));
        const auto g = uint32_t(std::clamp(int32_t(word >> 8 & 255) + delta, 0, 255));
        const auto b = uint32_t(std::clamp(int32_t(word >> 16 & 255) + delta, 0, 255));
        const uint32_t result = r | g << 8 | b << 16 | (word & 0xff000000);
        std::memcpy(to + 4 * i, &result, 4);
    }
}

TONESCOPE_HOT_LOOP void merge_row(const uint8_t* from, const uint8_t* r, const uint8_t* g, const uint8_t* b, int count,
                                  uint8_t* to) {
    for (int i = 0; i < count; ++i) {
        const uint32_t result =
            uint32_t{r[i]} | uint32_t{g[i]} << 8 | uint32_t{b[i]} << 16 | (load_word(from + 4 * i) & 0xff000000);
        std::memcpy(to + 4 * i, &result, 4);
    }
}

/// The loops above, compiled for one instruction set.
struct Loops {
    void (*extract)(const uint8_t*, int, ClahePlanes, int, uint8_t*);
    void (*pack)(const uint8_t*, const uint8_t*, const uint8_t*, const uint8_t*, PackedTable&);
    void (*blend)(const uint32_t*, const int32_t*, int, const RowWeights&, uint8_t*);
    void (*blend_wide)(const uint32_t*, const int32_t*, int, const RowWeights&, uint8_t*);
    void (*shift)(const uint8_t*, const uint8_t*, const uint8_t*, int, uint8_t*);
    void (*merge)(const uint8_t*, const uint8_t*, const uint8_t*, const uint8_t*, int, uint8_t*);
};

#define TONESCOPE_CLAHE_LOOPS(name, target)                                                                           \
    target void extract_##name(const uint8_t* p, int n, ClahePlanes k, int c, uint8_t* v) {                           \
        extract_loop(p, n, k, c, v);                                                                                  \
    }                                                                                                                 \
    target void pack_##name(const uint8_t* a, const uint8_t* b, const uint8_t* c, const uint8_t* d, PackedTable& p) { \
        pack_tables(a, b, c, d, p);                                                                                   \
    }                                                                                                                 \
    target void blend_##name(const uint32_t* e, const int32_t* x, int n, const RowWeights& w, uint8_t* o) {           \
        blend_row<false>(e, x, n, w, o);                                                                              \
    }                                                                                                                 \
    target void blend_wide_##name(const uint32_t* e, const int32_t* x, int n, const RowWeights& w, uint8_t* o) {      \
        blend_row<true>(e, x, n, w, o);                                                                               \
    }                                                                                                                 \
    target void shift_##name(const uint8_t* f, const uint8_t* a, const uint8_t* b, int n, uint8_t* t) {               \
        shift_row(f, a, b, n, t);                                                                                     \
    }                                                                                                                 \
    target void merge_##name(const uint8_t* f, const uint8_t* r, const uint8_t* g, const uint8_t* b, int n,           \
                             uint8_t* t) {                                                                            \
        merge_row(f, r, g, b, n, t);                                                                                  \
    }                                                                                                                 \
    constexpr Loops k_##name##_loops{extract_##name,    pack_##name,  blend_##name,                                   \
                                     blend_wide_##name, shift_##name, merge_##name};

TONESCOPE_CLAHE_LOOPS(plain, )
TONESCOPE_CLAHE_LOOPS(avx2, TONESCOPE_AVX2)
#undef TONESCOPE_CLAHE_LOOPS

/// Not vectorized on purpose: gather instructions are no faster here, and far slower on many processors.
void look_up(const uint8_t* values, int count, const PackedTable& table, uint32_t* entries) {
    for (int i = 0; i < count; ++i) entries[i] = load_word(&table[4 * size_t{values[i]}]);
}

}  // namespace

std::vector<ClaheSegment> clahe_segments(int size_px, int tile_px, int tiles, int longest_px) {
    std::vector<ClaheSegment> segments;
    for (int begin = 0; begin < size_px;) {
        const int u = 2 * begin - tile_px;
        const int first = u < 0 ? -1 : u / (2 * tile_px);
        const int next = (tile_px * (2 * first + 3) + 1) / 2;  // the first pixel whose u reaches 2 tile_px (first + 1)
        const int end = std::min({next, size_px, begin + longest_px});
        segments.push_back({begin, end, std::clamp(first, 0, tiles - 1), std::clamp(first + 1, 0, tiles - 1),
                            u - 2 * tile_px * first});
        begin = end;
    }
    return segments;
}

void blend_clahe(const CpuJob& job, const ClaheGeometry& g, ClahePlanes planes, int32_t color,
                 const ClaheTables& tables) {
    const ImageView& in = job.input;
    const MutableImageView& out = job.output;
    const ScopedStage stage(job.stages, "blend",
                            uint64_t(in.spec.height) * (in.spec.row_bytes() + out.spec.row_bytes()));
    const Loops& loops = cpu_has_avx2() ? k_avx2_loops : k_plain_loops;
    const auto blend = needs_wide_sums(g) ? loops.blend_wide : loops.blend;
    const int plane_total = plane_count(planes);

    const std::vector<ClaheSegment> segments = clahe_segments(in.spec.width, g.tile_width, g.columns, kChunk_px);
    const std::vector<ClaheSegment> bands = clahe_segments(in.spec.height, g.tile_height, g.rows, kBandRows);
    const std::vector<Chunk> chunks = make_chunks(segments);
    std::vector<int32_t> x_weights(size_t(in.spec.width));
    for (const ClaheSegment& segment : segments)
        for (int x = segment.begin; x < segment.end; ++x)
            x_weights[size_t(x)] = segment.weight_begin + 2 * (x - segment.begin);

    const auto blend_chunk = [&](const ClaheSegment& band, const Chunk& chunk) {
        alignas(64) PackedTable packed[3][kChunkSegments];
        alignas(64) uint8_t values[3][kChunk_px];
        alignas(64) uint8_t changed[3][kChunk_px];
        alignas(64) uint32_t entries[kChunk_px];
        for (int plane = 0; plane < plane_total; ++plane) {
            for (size_t i = chunk.first_segment; i < chunk.end_segment; ++i) {
                const ClaheSegment& s = segments[i];
                loops.pack(tables.at(plane, band.first, s.first), tables.at(plane, band.first, s.second),
                           tables.at(plane, band.second, s.first), tables.at(plane, band.second, s.second),
                           packed[plane][i - chunk.first_segment]);
            }
        }
        const int count = chunk.x_end - chunk.x_begin;
        for (int y = band.begin; y < band.end; ++y) {
            const uint8_t* from = in.pixel(chunk.x_begin, y);
            uint8_t* to = out.pixel(chunk.x_begin, y);
            const bool direct = out.spec.format == PixelFormat::gray8;
            const RowWeights weights{2 * g.tile_width, 2 * g.tile_height, band.weight_begin + 2 * (y - band.begin)};
            for (int plane = 0; plane < plane_total; ++plane) {
                const uint8_t* plane_values = from;
                if (planes != ClahePlanes::value) {
                    loops.extract(from, count, planes, plane, values[plane]);
                    plane_values = values[plane];
                }
                for (size_t i = chunk.first_segment; i < chunk.end_segment; ++i) {
                    const ClaheSegment& s = segments[i];
                    const int offset = s.begin - chunk.x_begin;
                    look_up(plane_values + offset, s.end - s.begin, packed[plane][i - chunk.first_segment],
                            entries + offset);
                }
                blend(entries, &x_weights[size_t(chunk.x_begin)], count, weights, direct ? to : changed[plane]);
            }
            if (direct) continue;
            if (planes == ClahePlanes::channels)
                loops.merge(from, changed[0], changed[1], changed[2], count, to);
            else if (color == color_gray)
                loops.merge(from, changed[0], changed[0], changed[0], count, to);
            else
                loops.shift(from, values[0], changed[0], count, to);
        }
    };

    const auto tasks = int64_t(bands.size() * chunks.size());
#pragma omp parallel for num_threads(std::max(job.threads, 1)) schedule(dynamic, 2)
    for (int64_t task = 0; task < tasks; ++task) {
        if (job.stop.stop_requested()) continue;
        blend_chunk(bands[size_t(task) / chunks.size()], chunks[size_t(task) % chunks.size()]);
    }
}

}  // namespace tonescope
