#include "gpu/ops/clahe/clahe_cpu_deep.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "gpu/core/free_memory.h"
#include "gpu/core/parallel.h"
#include "gpu/ops/counted_values.h"
#include "gpu/ops/deep_rows.h"

namespace tonescope::clahe {
namespace {

/// Images are worked on in strips so narrow that smooth content finds the bins, or the entries, of the row before in
/// the first-level cache.
constexpr int kStrip_px = 256;

/// Whether equal values often stand beside each other, by a sample of a run.
bool has_equal_neighbors(const uint16_t* values, int n) {
    constexpr int kSampled = 16;
    int equal = 0;
    for (int k = 0; k < kSampled; ++k) {
        const int i = (n - 1) * k / kSampled;
        equal += i + 1 < n && values[i] == values[i + 1] ? 1 : 0;
    }
    return equal > kSampled / 4;
}

/// Counts bin_of(value) for a run of pixels, into two histograms in turn where equal neighbors would wait for each
/// other; otherwise one stays in the cache sooner than two.
void count_run(const uint16_t* values, int n, uint32_t* even, uint32_t* odd, auto bin_of) {
    if (!has_equal_neighbors(values, n)) odd = even;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        ++even[bin_of(values[i])];
        ++odd[bin_of(values[i + 1])];
        ++even[bin_of(values[i + 2])];
        ++odd[bin_of(values[i + 3])];
    }
    for (; i < n; ++i) ++even[bin_of(values[i])];
}

/// `bins`: null where each value has a bin.
void count_run(const uint16_t* values, int n, int32_t lo, const uint16_t* bins, uint32_t* even, uint32_t* odd) {
    if (bins == nullptr)
        count_run(values, n, even - lo, odd - lo, [](uint16_t v) { return v; });
    else
        count_run(values, n, even, odd, [from_0 = bins - lo](uint16_t v) { return from_0[v]; });
}

/// The values with lo in place of the one that is left out, which may lie in no bin. Returns how often that is.
uint32_t fill_left_out(const uint16_t* values, int count, int32_t left_out, int32_t lo, uint16_t* filled) {
    uint32_t found = 0;
    for (int i = 0; i < count; ++i) {
        const bool is_left_out = values[i] == left_out;
        found += is_left_out ? 1 : 0;
        filled[i] = is_left_out ? uint16_t(lo) : values[i];
    }
    return found;
}

/// Returns how many pixels are left out: they are counted as lo.
template <class Sample>
uint32_t count_rows(const ImageView& image, const Counting& counting, int plane, const Rect& area, int32_t lo,
                    const uint16_t* bins, const std::stop_token& stop, uint32_t* even, uint32_t* odd) {
    const ImageSpec& spec = image.spec;
    const int x_end = area.x + area.width;
    const int inside_begin = std::clamp(0, area.x, x_end), inside_end = std::clamp(spec.width, area.x, x_end);
    alignas(64) uint16_t buffer[kStrip_px];
    uint32_t left_out = 0;
    const auto count = [&](int x, int source_y, int n) {
        const Sample* pixels = pixel_of<Sample>(image, x, source_y);
        const uint16_t* values = plane_values(pixels, n, spec, counting.color, plane, buffer);
        if (counting.left_out != kNothingLeftOut) {
            left_out += fill_left_out(values, n, counting.left_out, lo, buffer);
            values = buffer;
        }
        count_run(values, n, lo, bins, even, odd);
    };
    for (int begin = area.x; begin < x_end; begin += kStrip_px) {
        const int end = std::min(begin + kStrip_px, x_end);
        const int first = std::clamp(inside_begin, begin, end), last = std::clamp(inside_end, first, end);
        for (int y = area.y; y < area.y + area.height; ++y) {
            if ((y - area.y) % 64 == 63 && stop.stop_requested()) return left_out;
            const int source_y = mirror_around(y, spec.height);
            if (last > first) {
                prefetch_ahead(image, first, last, source_y);
                count(first, source_y, last - first);
            }
            for (int x = begin; x < first; ++x) count(mirror_around(x, spec.width), source_y, 1);
            for (int x = last; x < end; ++x) count(mirror_around(x, spec.width), source_y, 1);
        }
    }
    return left_out;
}

/// `pixels`: the sum of the counts.
TONESCOPE_HOT_LOOP void clip_bins(uint32_t* counts, uint32_t pixels, uint32_t clip, const Geometry& g, int32_t bins) {
    uint32_t kept = 0;
    for (int b = 0; b < bins; ++b) kept += std::min(counts[b], clip);
    const uint32_t excess = pixels - kept, share = excess / uint32_t(bins);
    for (int b = 0; b < bins; ++b) counts[b] = std::min(counts[b], clip) + share;
    const uint32_t rest = g.excess == excess_drop ? 0 : excess % uint32_t(bins);
    if (rest == 0) return;
    if (g.excess == excess_evenly) {
        uint32_t carried = 0;  // a bin's number times the rest, less the multiples of B in it
        for (int b = 0; b < bins; ++b) {
            carried += rest;
            if (carried < uint32_t(bins)) continue;
            carried -= uint32_t(bins);
            ++counts[b];
        }
        return;
    }
    const uint32_t stride = std::max(uint32_t(bins) / rest, 1u);
    for (uint32_t k = 0; k < rest; ++k) ++counts[k * stride];
}

/// Inclusive sums in place, eight at a time.
TONESCOPE_HOT_LOOP void sum_up_bins(uint32_t* counts, int32_t bins) {
    typedef uint32_t Eight __attribute__((vector_size(32)));
    const Eight zeros{};
    Eight before{};
    int b = 0;
    for (; b + 8 <= bins; b += 8) {
        Eight sums;
        std::memcpy(&sums, counts + b, sizeof sums);
        sums += __builtin_shufflevector(sums, zeros, 8, 0, 1, 2, 3, 4, 5, 6);
        sums += __builtin_shufflevector(sums, zeros, 8, 8, 0, 1, 2, 3, 4, 5);
        sums += __builtin_shufflevector(sums, zeros, 8, 8, 8, 8, 0, 1, 2, 3);
        sums += before;
        before = __builtin_shufflevector(sums, sums, 7, 7, 7, 7, 7, 7, 7, 7);
        std::memcpy(counts + b, &sums, sizeof sums);
    }
    for (uint32_t sum = before[0]; b < bins; ++b) counts[b] = sum += counts[b];
}

/// The bins from the first to the last one that holds something; all of them where none does.
TONESCOPE_HOT_LOOP void find_used_bins(const uint32_t* counts, int32_t bins, ValueRange& used) {
    constexpr int kStep = 32;
    const auto is_empty = [&](int32_t begin) {
        uint32_t any = 0;
        for (int b = begin; b < begin + kStep; ++b) any |= counts[b];
        return any == 0;
    };
    used = {0, bins - 1};
    while (used.lo + kStep <= used.hi && is_empty(used.lo)) used.lo += kStep;
    while (used.hi - kStep >= used.lo && is_empty(used.hi - kStep + 1)) used.hi -= kStep;
    while (used.lo < used.hi && counts[used.lo] == 0) ++used.lo;
    while (used.hi > used.lo && counts[used.hi] == 0) --used.hi;
}

/// lo + floor((2 (hi - lo) cdf + A) / (2 A)) by a multiplication: the quotient with 1/2 more above the line lies at
/// least 1 / (4 A) from every integer, which is above 2^-33, and double is off by less than 2^-35 below 2^16.
TONESCOPE_HOT_LOOP void scale_sums(const uint32_t* sums, int count, uint32_t pixels, ValueRange range,
                                   uint16_t* entries) {
    const double twice = 2.0 * (range.hi - range.lo), offset = double(pixels) + 0.5, factor = 1 / (2.0 * pixels);
    const int32_t lo = range.lo;
    for (int i = 0; i < count; ++i)
        entries[i] = uint16_t(lo + int32_t((twice * double(int32_t(sums[i])) + offset) * factor));
}

/// The numerator of an entry grows by the same from value to value within a bin, and so quotient and remainder do.
void interpolate_sums(const uint32_t* sums, uint32_t pixels, const Levels& levels, uint16_t* entries) {
    const auto [lo, hi] = levels.range;
    const int64_t size = levels.range.size(), bins = levels.bins, twice = 2 * int64_t{hi - lo};
    const int64_t divisor = 2 * int64_t{pixels} * size;
    int64_t place = 1;  // value - lo + 1
    for (int64_t b = 0; b < bins; ++b) {
        const int64_t before = b == 0 ? 0 : sums[b - 1], count = sums[b] - before, end = (b + 1) * size / bins;
        const int64_t first = twice * (before * size + count * (place * bins - b * size)) + pixels * size;
        const int64_t step = twice * count * bins, whole_step = step / divisor, rest_step = step % divisor;
        int64_t whole = first / divisor, rest = first % divisor;
        for (; place <= end; ++place) {
            entries[place - 1] = uint16_t(lo + whole);
            whole += whole_step;
            rest += rest_step;
            if (rest >= divisor) {
                rest -= divisor;
                ++whole;
            }
        }
    }
}

/// What the tables of all planes and tiles hold: entries for every value where a tile has about as many pixels as there
/// are values, and otherwise the sums of bins alone, between which each pixel interpolates.
class DeepTileTables {
  public:
    DeepTileTables(int planes, const Geometry& g, const Levels& levels)
        : columns_(size_t(g.columns)),
          tiles_(size_t(g.rows) * columns_),
          entries_of_tile_(size_t(levels.range.size())),
          sums_of_tile_(size_t(levels.bins) + 1),
          has_entries_(2 * g.tile_pixels() >= levels.range.size()) {
        const size_t all = size_t(planes) * tiles_;
        used_.resize(all);
        check_memory(all * (has_entries_ ? 2 * entries_of_tile_ : 4 * sums_of_tile_));
        if (has_entries_)
            entries_ = std::make_unique_for_overwrite<uint16_t[]>(all * entries_of_tile_);
        else
            sums_ = std::make_unique_for_overwrite<uint32_t[]>(all * sums_of_tile_);
    }
    bool has_entries() const { return has_entries_; }
    uint16_t* entries(int plane, int row, int column) const {
        return entries_.get() + at(plane, row, column) * entries_of_tile_;
    }
    /// The bins from the first to the last one that holds something.
    ValueRange& used(int plane, int row, int column) { return used_[at(plane, row, column)]; }
    const ValueRange& used(int plane, int row, int column) const { return used_[at(plane, row, column)]; }
    /// Begins with 0.
    uint32_t* sums(int plane, int row, int column) const {
        return sums_.get() + at(plane, row, column) * sums_of_tile_;
    }

  private:
    size_t at(int plane, int row, int column) const {
        return size_t(plane) * tiles_ + size_t(row) * columns_ + size_t(column);
    }
    size_t columns_, tiles_, entries_of_tile_, sums_of_tile_;
    bool has_entries_;
    std::vector<ValueRange> used_;
    std::unique_ptr<uint16_t[]> entries_;
    std::unique_ptr<uint32_t[]> sums_;
};

/// What both stages of a run get.
struct DeepRun {
    const CpuJob& job;
    const Params params;
    const Geometry g;
    const Levels levels;
    const std::vector<uint16_t> bins;  // bins_of_values()
    const int planes;
    const Counting counting;
    DeepTileTables tables;
    std::vector<uint32_t> counted;  // pixels of each plane and tile that count

    DeepRun(const CpuJob& cpu_job, ValueRange range)
        : job(cpu_job),
          params(job.params.as<Params>()),
          g(make_geometry(job.input.spec, params)),
          levels(make_levels(job.input.spec, params, range)),
          bins(bins_of_values(levels)),
          planes(plane_count(job.input.spec, params.color)),
          counting{params.color, params.left_out(job.input.spec)},
          tables(planes, g, levels),
          counted(size_t(planes) * size_t(g.rows) * size_t(g.columns)) {}
    uint32_t& counted_of(int plane, int tile) {
        return counted[size_t(plane) * size_t(g.rows) * size_t(g.columns) + size_t(tile)];
    }
    uint32_t counted_of(int plane, int tile) const { return const_cast<DeepRun*>(this)->counted_of(plane, tile); }
};

void finish_tile(DeepRun& run, int plane, int row, int column, uint32_t* counts) {
    const Rect area = run.g.tile(row, column);
    run_hot<find_used_bins>(counts, run.levels.bins, run.tables.used(plane, row, column));
    // A tile that counts nothing has a table that no pixel takes.
    const uint32_t counted = std::max(run.counted_of(plane, row * run.g.columns + column), 1u);
    sum_bins(counts, counted, uint32_t(area.width) * uint32_t(area.height), run.g, run.levels);
    if (run.tables.has_entries()) {
        fill_entries(counts, counted, run.levels, run.tables.entries(plane, row, column));
    } else {
        uint32_t* sums = run.tables.sums(plane, row, column);
        sums[0] = 0;
        std::copy_n(counts, run.levels.bins, sums + 1);
    }
}

/// Adds `from` to `to` and leaves zeros there.
TONESCOPE_HOT_LOOP void add_counts(uint32_t* __restrict from, uint32_t* __restrict to, int count) {
    for (int b = 0; b < count; ++b) {
        to[b] += from[b];
        from[b] = 0;
    }
}

/// Each task is a slice of a tile, or all of it where there are tiles enough to keep all threads busy.
void make_deep_tables(DeepRun& run) {
    const Geometry& g = run.g;
    const CpuJob& job = run.job;
    const ScopedStage stage(job.stages, "tables");
    const int64_t tiles = int64_t{g.rows} * g.columns;
    const int slices = tiles < 4 * job.threads ? std::clamp(8 * job.threads, 1, g.tile_height) : 1;
    const size_t bins = size_t(run.levels.bins);
    std::vector<uint32_t> partial(slices > 1 ? size_t(tiles * run.planes * slices) * bins : 0);
    std::vector<uint32_t> counted_slices(slices > 1 ? size_t(tiles * run.planes * slices) : 0);
    const auto partial_of = [&](int64_t tile, int plane, int64_t slice) {
        return &partial[size_t((tile * run.planes + plane) * slices + slice) * bins];
    };
    parallel_pieces(job.threads, tiles * slices, 1, [&](Pieces& pieces) {
        std::vector<uint32_t> counts(bins), odd_counts(bins);
        for (const int64_t task : pieces) {
            if (job.stop.stop_requested()) return;
            const int64_t tile = task / slices, slice = task % slices;
            const int row = int(tile / g.columns), column = int(tile % g.columns);
            Rect area = g.tile(row, column);
            const int begin = int(area.height * slice / slices), end = int(area.height * (slice + 1) / slices);
            area.y += begin;
            area.height = end - begin;
            for (int plane = 0; plane < run.planes; ++plane) {
                uint32_t* counted = slices > 1 ? partial_of(tile, plane, slice) : counts.data();
                uint32_t& pixels = slices > 1 ? counted_slices[size_t((tile * run.planes + plane) * slices + slice)]
                                              : run.counted_of(plane, int(tile));
                pixels = count_bins(job.input, run.counting, plane, area, run.levels, run.bins, job.stop, counted,
                                    odd_counts.data());
                run_hot<add_counts>(odd_counts.data(), counted, run.levels.bins);
                if (slices > 1) continue;
                finish_tile(run, plane, row, column, counted);
                std::ranges::fill(counts, 0);
            }
        }
    });
    if (slices == 1 || job.stop.stop_requested()) return;
    for (int64_t tile = 0; tile < tiles; ++tile) {
        for (int plane = 0; plane < run.planes; ++plane) {
            uint32_t* counts = partial_of(tile, plane, 0);
            const auto* of_slices = &counted_slices[size_t((tile * run.planes + plane) * slices)];
            run.counted_of(plane, int(tile)) = std::accumulate(of_slices, of_slices + slices, 0u);
            for (int slice = 1; slice < slices; ++slice)
                run_hot<add_counts>(partial_of(tile, plane, slice), counts, run.levels.bins);
            finish_tile(run, plane, int(tile / g.columns), int(tile % g.columns), counts);
        }
    }
}

/// The four tables in one, so that a pixel needs one look-up.
TONESCOPE_HOT_LOOP void pack_entries(const uint16_t* a, const uint16_t* b, const uint16_t* c, const uint16_t* d,
                                     int count, FourEntries* packed) {
    typedef uint16_t Eight __attribute__((vector_size(16)));
    typedef uint32_t Four __attribute__((vector_size(16)));
    int v = 0;
    for (; v + 8 <= count; v += 8) {
        const auto load = [v](const uint16_t* table) {
            Eight entries;
            std::memcpy(&entries, table + v, sizeof entries);
            return entries ^ uint16_t(0x8000);
        };
        const auto store = [&](int at, Four two) { std::memcpy(packed + v + at, &two, sizeof two); };
        const auto low = [](Eight x, Eight y) { return Four(__builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11)); };
        const auto high = [](Eight x, Eight y) {
            return Four(__builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15));
        };
        const Eight of_a = load(a), of_b = load(b), of_c = load(c), of_d = load(d);
        store(0, __builtin_shufflevector(low(of_a, of_b), low(of_c, of_d), 0, 4, 1, 5));
        store(2, __builtin_shufflevector(low(of_a, of_b), low(of_c, of_d), 2, 6, 3, 7));
        store(4, __builtin_shufflevector(high(of_a, of_b), high(of_c, of_d), 0, 4, 1, 5));
        store(6, __builtin_shufflevector(high(of_a, of_b), high(of_c, of_d), 2, 6, 3, 7));
    }
    for (; v < count; ++v) packed[v] = pack_four(a[v], b[v], c[v], d[v]);
}

/// The tables that a rectangle of pixels blends, which it looks its values up in.
class Corners {
  public:
    explicit Corners(const DeepRun& run) : run_(run) {}

    /// `pixels`: how many will be looked up. Packs the tables where that pays.
    void take(int plane, const TileBlend& down, const TileBlend& across, int64_t pixels) {
        int rows[] = {down.first, down.first, down.second, down.second};
        int columns[] = {across.first, across.second, across.first, across.second};
        for (int k = 0; k < 4; ++k) {
            const int tile = tile_for(run_.g, rows[k] * run_.g.columns + columns[k],
                                      [&](int t) { return run_.counted_of(plane, t); });
            rows[k] = tile / run_.g.columns;
            columns[k] = tile % run_.g.columns;
            pixels_[k] = std::max(run_.counted_of(plane, tile), 1u);
        }
        const int size = run_.levels.range.size();
        ValueRange used{run_.levels.bins, 0};  // bins of the pixels: each lies in one of the tiles
        for (int k = 0; k < 4; ++k) {
            const ValueRange& of_tile = run_.tables.used(plane, rows[k], columns[k]);
            used = {std::min(used.lo, of_tile.lo), std::max(used.hi, of_tile.hi)};
            if (run_.tables.has_entries()) {
                entries_[k] = run_.tables.entries(plane, rows[k], columns[k]);
                continue;
            }
            sums_[k] = run_.tables.sums(plane, rows[k], columns[k]);
        }
        const auto value_of = [&](int64_t bin) { return int(bin * size / run_.levels.bins); };  // its first, less lo
        const int first = value_of(used.lo), end = value_of(used.hi + 1);
        is_packed_ = run_.tables.has_entries() && pixels >= end - first;
        if (!is_packed_) return;
        packed_.resize(size_t(size));
        run_hot<pack_entries>(entries_[0] + first, entries_[1] + first, entries_[2] + first, entries_[3] + first,
                              end - first, packed_.data() + first);
    }

    /// At each value what look_up() gives; null where the tables are not packed.
    const FourEntries* packed() const { return is_packed_ ? packed_.data() - run_.levels.range.lo : nullptr; }

    void look_up(const uint16_t* values, int count, FourEntries* four) const {
        const int32_t lo = run_.levels.range.lo;
        if (is_packed_) {
            for (int i = 0; i < count; ++i) four[i] = packed()[values[i]];
        } else if (run_.tables.has_entries()) {
            for (int i = 0; i < count; ++i) {
                const int v = values[i] - lo;
                four[i] = pack_four(entries_[0][v], entries_[1][v], entries_[2][v], entries_[3][v]);
            }
        } else {
            interpolate(values, count, four);
        }
    }

  private:
    /// floor((2 (hi - lo) (c0 R + (c1 - c0) g) + A R) / (2 A R)) in double. The sums stay below 2^53, since a tile has
    /// fewer than R / 2 pixels here, and the quotient with 1/2 more above the line lies at least 2^-33 from every
    /// integer.
    void interpolate(const uint16_t* values, int count, FourEntries* four) const {
        const auto [lo, hi] = run_.levels.range;
        const int32_t bins = run_.levels.bins;
        const double twice = 2.0 * (hi - lo), size = run_.levels.range.size();
        double offset[4], factor[4];
        for (int k = 0; k < 4; ++k) {
            offset[k] = pixels_[k] * size + 0.5;
            factor[k] = 1 / (2 * pixels_[k] * size);
        }
        for (int i = 0; i < count; ++i) {
            const int b = run_.bins[size_t(values[i] - lo)];
            const double place = place_in_bin(values[i], run_.levels.range, bins, b);
            uint16_t entries[4];
            for (int k = 0; k < 4; ++k) {
                const double before = int32_t(sums_[k][b]), inside = int32_t(sums_[k][b + 1] - sums_[k][b]);
                const double entry = (twice * (before * size + inside * place) + offset[k]) * factor[k];
                entries[k] = uint16_t(lo + int32_t(entry));
            }
            four[i] = pack_four(entries[0], entries[1], entries[2], entries[3]);
        }
    }

    const DeepRun& run_;
    bool is_packed_ = false;
    const uint16_t* entries_[4] = {};
    const uint32_t* sums_[4] = {};
    double pixels_[4] = {};
    std::vector<FourEntries> packed_;
};

template <class Sample>
void blend_deep_tables(const DeepRun& run) {
    const Geometry& g = run.g;
    const CpuJob& job = run.job;
    const ImageView& in = job.input;
    const MutableImageView& out = job.output;
    const ScopedStage stage(job.stages, "blend");
    const ColorChange change = run.params.change();
    const int32_t color = change.color, left_out = run.counting.left_out;
    const bool mixes = mixes_values(in.spec, color);
    const bool direct = sizeof(Sample) == 2 && is_gray(out.spec.format);

    // Where few tiles are large, their pixels are shared out among tasks that pack the tables anew.
    const int64_t enough_px = 8 * int64_t{run.levels.range.size()};
    const int wide_px = std::min(g.tile_width, in.spec.width);
    const int longest_rows = int(std::clamp<int64_t>(enough_px / wide_px, 64, 1 << 16));
    const std::vector<Segment> segments = segments_of(in.spec.width, g.tile_width, g.columns, g.tile_width);
    const std::vector<Segment> bands = segments_of(in.spec.height, g.tile_height, g.rows, longest_rows);
    const DeepBlend blend(segments, 2 * g.tile_width, 2 * g.tile_height);

    // Few values stay in the cache in any case.
    const int longest_px = run.levels.range.size() <= 4096 ? kChunk_px : kStrip_px;
    const auto blend_strip = [&](const std::vector<Corners>& corners, const Segment& band, int x, int count) {
        alignas(64) uint16_t values[kChunk_px], filled[kChunk_px];
        alignas(64) uint16_t changed[3][kChunk_px];
        alignas(64) FourEntries four[kChunk_px];
        for (int y = band.begin; y < band.end; ++y) {
            prefetch_ahead(in, x, x + count, y);
            const int32_t y_weight = band.blend.weight + 2 * (y - band.begin);
            const Sample* from = pixel_of<Sample>(in, x, y);
            Sample* to = pixel_of<Sample>(out, x, y);
            const uint16_t* old_values = nullptr;
            for (int plane = 0; plane < run.planes; ++plane) {
                old_values = plane_values(from, count, in.spec, color, plane, values);
                uint16_t* result = direct ? reinterpret_cast<uint16_t*>(to) : changed[plane];
                const Corners& tables = corners[size_t(plane)];
                const uint16_t* looked_up = old_values;
                if (left_out != kNothingLeftOut) {
                    fill_left_out(old_values, count, left_out, run.levels.range.lo, filled);
                    looked_up = filled;
                }
                int done = 0;
                if (tables.packed() != nullptr) {
                    done = blend.run(tables.packed(), looked_up, x, count, y_weight, result);
                }
                tables.look_up(looked_up + done, count - done, four);
                blend.run(four, x + done, count - done, y_weight, result + done);
                for (int i = 0; left_out != kNothingLeftOut && i < count; ++i)
                    if (old_values[i] == left_out) result[i] = uint16_t(left_out);
                if (mixes) mix_samples(old_values, count, change.amount, result);
            }
            if (!direct) write_pixels(from, count, change, old_values, changed, out.spec, to);
        }
    };
    const auto blend_rect = [&](std::vector<Corners>& corners, const Segment& band, const Segment& segment) {
        const int width = segment.end - segment.begin, strips = (width + longest_px - 1) / longest_px;
        for (int plane = 0; plane < run.planes; ++plane)
            corners[size_t(plane)].take(plane, band.blend, segment.blend, int64_t{band.end - band.begin} * width);
        const int strip_px = ((width - 1) / strips + 16) / 16 * 16;  // about equal ones; 16 pixels are blended together
        for (int x = segment.begin; x < segment.end; x += strip_px)
            blend_strip(corners, band, x, std::min(strip_px, segment.end - x));
    };

    const auto tasks = int64_t(bands.size() * segments.size());
    parallel_pieces(job.threads, tasks, tasks >= 1024 ? 16 : 1, [&](Pieces& pieces) {
        std::vector<Corners> corners(size_t(run.planes), Corners(run));
        for (const int64_t task : pieces) {
            if (job.stop.stop_requested()) return;
            blend_rect(corners, bands[size_t(task) / segments.size()], segments[size_t(task) % segments.size()]);
        }
    });
}

}  // namespace

bool has_byte_tables(const ImageSpec& image, const Params& params) {
    return !is_deep(image.format) && !takes_used_values(image, params.range_choice()) &&
           params.left_out(image) == kNothingLeftOut;
}

std::vector<uint16_t> bins_of_values(const Levels& levels) {
    const auto size = uint32_t(levels.range.size()), bins = uint32_t(levels.bins);
    std::vector<uint16_t> bin_of_value(size);
    uint32_t bin = 0, rest = bins - 1;  // quotient and remainder of bin_of(), whose numerator grows by `bins` a value
    for (uint16_t& of_value : bin_of_value) {
        of_value = uint16_t(bin);
        rest += bins;
        if (rest < size) continue;
        rest -= size;
        ++bin;
    }
    return bin_of_value;
}

uint32_t count_bins(const ImageView& image, const Counting& counting, int plane, const Rect& area, const Levels& levels,
                    std::span<const uint16_t> bins, const std::stop_token& stop, uint32_t* counts,
                    uint32_t* odd_counts) {
    const bool one_each = levels.bins == levels.range.size();
    const uint32_t left_out = with_sample(image.spec.format, [&]<class Sample>(Sample) {
        return count_rows<Sample>(image, counting, plane, area, levels.range.lo, one_each ? nullptr : bins.data(), stop,
                                  counts, odd_counts);
    });
    counts[0] -= left_out;
    return uint32_t(area.width) * uint32_t(area.height) - left_out;
}

void sum_bins(uint32_t* counts, uint32_t counted, uint32_t pixels, const Geometry& g, const Levels& levels) {
    const int64_t clip = g.clips ? g.clip_at(levels.bins, counted, pixels) : counted;
    if (clip < counted) run_hot<clip_bins>(counts, counted, uint32_t(clip), g, levels.bins);
    run_hot<sum_up_bins>(counts, levels.bins);
}

void fill_entries(const uint32_t* sums, uint32_t pixels, const Levels& levels, uint16_t* entries) {
    if (levels.bins == levels.range.size())
        run_hot<scale_sums>(sums, levels.bins, pixels, levels.range, entries);
    else
        interpolate_sums(sums, pixels, levels, entries);
}

void run_deep(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    const auto params = job.params.as<Params>();
    const int32_t choice = params.range_choice();
    ValueRange range = full_values(spec);
    if (takes_used_values(spec, choice)) {
        const ScopedStage stage(job.stages, "range");
        range = find_counted_values(job.input, choice, params.color, params.left_out(spec), job.threads, job.stop);
        if (job.stop.stop_requested()) return;
    }
    DeepRun run(job, range);
    make_deep_tables(run);
    if (job.stop.stop_requested()) return;
    with_sample(spec.format, [&]<class Sample>(Sample) { blend_deep_tables<Sample>(run); });
}

}  // namespace tonescope::clahe
