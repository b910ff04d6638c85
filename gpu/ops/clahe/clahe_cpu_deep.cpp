#include "gpu/ops/clahe/clahe_cpu_deep.h"

#include <algorithm>
#include <memory>

#include "gpu/core/free_memory.h"
#include "gpu/core/parallel.h"
#include "gpu/cpu/used_values.h"
#include "gpu/ops/clahe/clahe_cpu.h"
#include "gpu/ops/deep_rows.h"

namespace tonescope::clahe {
namespace {

/// Counts bin_of(value) for a run of pixels, into two histograms in turn, so that equal neighbors do not wait for each
/// other.
void count_run(const uint16_t* values, int n, uint32_t* even, uint32_t* odd, auto bin_of) {
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        uint64_t v;
        std::memcpy(&v, values + i, 8);
        ++even[bin_of(v & 0xffff)];
        ++odd[bin_of(v >> 16 & 0xffff)];
        ++even[bin_of(v >> 32 & 0xffff)];
        ++odd[bin_of(v >> 48)];
    }
    for (; i < n; ++i) ++even[bin_of(values[i])];
}

/// `bins`: null where each value has a bin.
void count_run(const uint16_t* values, int n, int32_t lo, const uint16_t* bins, uint32_t* even, uint32_t* odd) {
    if (bins == nullptr)
        count_run(values, n, even - lo, odd - lo, [](uint64_t v) { return v; });
    else
        count_run(values, n, even, odd, [from_0 = bins - lo](uint64_t v) { return from_0[v]; });
}

template <class Sample>
void count_rows(const ImageView& image, int32_t color, int plane, const Rect& area, int32_t lo, const uint16_t* bins,
                const std::stop_token& stop, uint32_t* even, uint32_t* odd) {
    const ImageSpec& spec = image.spec;
    const int x_end = area.x + area.width, inside_end = std::clamp(spec.width, area.x, x_end);
    alignas(64) uint16_t buffer[kChunk_px];
    for (int y = area.y; y < area.y + area.height; ++y) {
        if ((y - area.y) % 64 == 63 && stop.stop_requested()) return;
        const int source_y = mirror_index(y, spec.height);
        for (int x = area.x; x < inside_end; x += kChunk_px) {
            const int n = std::min(kChunk_px, inside_end - x);
            const Sample* pixels = pixel_of<Sample>(image, x, source_y);
            count_run(plane_values(pixels, n, spec.format, color, plane, buffer), n, lo, bins, even, odd);
        }
        for (int x = inside_end; x < x_end; ++x) {
            const Sample* pixel = pixel_of<Sample>(image, mirror_index(x, spec.width), source_y);
            count_run(plane_values(pixel, 1, spec.format, color, plane, buffer), 1, lo, bins, even, odd);
        }
    }
}

TONESCOPE_HOT_LOOP void clip_bins(uint32_t* counts, uint32_t pixels, const Geometry& g, int32_t bins) {
    const auto clip = uint32_t(g.clip_at(bins));
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
    DeepTileTables tables;

    DeepRun(const CpuJob& cpu_job, ValueRange range)
        : job(cpu_job),
          params(job.params.as<Params>()),
          g(make_geometry(job.input.spec, params)),
          levels(make_levels(job.input.spec, params, range)),
          bins(bins_of_values(levels)),
          planes(plane_count(job.input.spec, params.color)),
          tables(planes, g, levels) {}
};

void finish_tile(DeepRun& run, int plane, int row, int column, uint32_t* counts) {
    const Rect area = run.g.tile(row, column);
    ValueRange& used = run.tables.used(plane, row, column);
    for (used.lo = 0; counts[used.lo] == 0 && used.lo + 1 < run.levels.bins;) ++used.lo;
    for (used.hi = run.levels.bins - 1; counts[used.hi] == 0 && used.hi > used.lo;) --used.hi;
    const auto pixels = uint32_t(area.width) * uint32_t(area.height);
    sum_bins(counts, pixels, run.g, run.levels);
    if (run.tables.has_entries()) {
        fill_entries(counts, pixels, run.levels, run.tables.entries(plane, row, column));
    } else {
        uint32_t* sums = run.tables.sums(plane, row, column);
        sums[0] = 0;
        std::copy_n(counts, run.levels.bins, sums + 1);
    }
}

/// Adds `from` to `to` and leaves zeros there.
void add_counts(uint32_t* __restrict from, uint32_t* __restrict to, int count) {
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
                count_bins(job.input, run.params.color, plane, area, run.levels, run.bins, job.stop, counted,
                           odd_counts.data());
                add_counts(odd_counts.data(), counted, run.levels.bins);
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
            for (int slice = 1; slice < slices; ++slice)
                add_counts(partial_of(tile, plane, slice), counts, run.levels.bins);
            finish_tile(run, plane, int(tile / g.columns), int(tile % g.columns), counts);
        }
    }
}

/// What the four tables have for a pixel's value, 16 bits each: top left, top right, bottom left, bottom right.
using FourEntries = uint64_t;
/// The same of a run of pixels, in halves.
struct EntryRows {
    alignas(64) uint32_t top[kChunk_px], bottom[kChunk_px];
    void set(int i, FourEntries four) {
        top[i] = uint32_t(four);
        bottom[i] = uint32_t(four >> 32);
    }
};
/// The four tables in one, so that a pixel needs one look-up.
TONESCOPE_HOT_LOOP void pack_entries(const uint16_t* a, const uint16_t* b, const uint16_t* c, const uint16_t* d,
                                     int count, FourEntries* packed) {
    for (int v = 0; v < count; ++v)
        packed[v] = FourEntries{a[v]} | FourEntries{b[v]} << 16 | FourEntries{c[v]} << 32 | FourEntries{d[v]} << 48;
}

/// out = floor((sum of entry * weight + 2 Tx Ty) / (4 Tx Ty)), D = 4 Tx Ty.
struct BlendWeights {
    int32_t width2, height2;  // 2 Tx, 2 Ty
    int32_t y_weight;         // of the lower tables

    /// 65535 * 2 Tx and 2 D stay below 2^31.
    bool are_narrow() const { return width2 <= 32767 && int64_t{width2} * height2 < 1 << 30; }
};

/// The product with a factor that is a little too small, in float, gives the quotient or one less: it is off by less
/// than 2^-21 of itself and the factor is less by 2^-20, in all below 1/8 of a level. The remainder, below 2 D, tells
/// which; it is right in 32 bits though the sums pass them.
TONESCOPE_HOT_LOOP void blend_narrow(const EntryRows& entries, const int32_t* x_weights, int count,
                                     const BlendWeights& w, uint16_t* __restrict out) {
    const int32_t lower = w.y_weight, upper = w.height2 - lower, d = w.width2 * w.height2;
    const float lower_f = float(lower), upper_f = float(upper), half_f = float(d / 2);
    const float factor = (1 - 0x1p-20F) / float(d);
    for (int i = 0; i < count; ++i) {
        const int32_t right = x_weights[i], left = w.width2 - right;
        const uint32_t t = entries.top[i], b = entries.bottom[i];
        const int32_t top = int32_t(t & 0xffff) * left + int32_t(t >> 16) * right;
        const int32_t bottom = int32_t(b & 0xffff) * left + int32_t(b >> 16) * right;
        const auto quotient = int32_t((float(top) * upper_f + float(bottom) * lower_f + half_f) * factor);
        const uint32_t sum = uint32_t(top) * uint32_t(upper) + uint32_t(bottom) * uint32_t(lower) + uint32_t(d / 2);
        const auto rest = int32_t(sum - uint32_t(quotient) * uint32_t(d));
        out[i] = uint16_t(quotient + (rest >= d ? 1 : 0));
    }
}

/// In double: the sum, with 1/2 more above the line, is at least 2^-33 of a level away from every integer, and double
/// off by less than 2^-35.
TONESCOPE_HOT_LOOP void blend_wide(const EntryRows& entries, const int32_t* x_weights, int count, const BlendWeights& w,
                                   uint16_t* __restrict out) {
    const double lower = w.y_weight, upper = w.height2 - w.y_weight;
    const double divisor = double(w.width2) * w.height2, factor = 1 / divisor, offset = divisor / 2 + 0.5;
    for (int i = 0; i < count; ++i) {
        const double right = x_weights[i], left = w.width2 - x_weights[i];
        const uint32_t t = entries.top[i], b = entries.bottom[i];
        const double top = int32_t(t & 0xffff) * left + int32_t(t >> 16) * right;
        const double bottom = int32_t(b & 0xffff) * left + int32_t(b >> 16) * right;
        out[i] = uint16_t(int32_t((top * upper + bottom * lower + offset) * factor));
    }
}

/// The tables that a rectangle of pixels blends, which it looks its values up in.
class Corners {
  public:
    explicit Corners(const DeepRun& run) : run_(run) {}

    /// `pixels`: how many will be looked up. Packs the tables where that pays.
    void take(int plane, const TileBlend& down, const TileBlend& across, int64_t pixels) {
        const int rows[] = {down.first, down.first, down.second, down.second};
        const int columns[] = {across.first, across.second, across.first, across.second};
        const int size = run_.levels.range.size();
        ValueRange used{run_.levels.bins, 0};  // bins of the pixels: each lies in one of the tiles
        for (int k = 0; k < 4; ++k) {
            const ValueRange& of_tile = run_.tables.used(plane, rows[k], columns[k]);
            used = {std::min(used.lo, of_tile.lo), std::max(used.hi, of_tile.hi)};
            if (run_.tables.has_entries()) {
                entries_[k] = run_.tables.entries(plane, rows[k], columns[k]);
                continue;
            }
            const Rect area = run_.g.tile(rows[k], columns[k]);
            pixels_[k] = double(area.width) * area.height;
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

    void look_up(const uint16_t* values, int count, EntryRows& out) const {
        const int32_t lo = run_.levels.range.lo;
        if (is_packed_) {
            const FourEntries* packed = packed_.data();
            for (int i = 0; i < count; ++i) out.set(i, packed[values[i] - lo]);
        } else if (run_.tables.has_entries()) {
            for (int i = 0; i < count; ++i) {
                const int v = values[i] - lo;
                out.top[i] = uint32_t{entries_[0][v]} | uint32_t{entries_[1][v]} << 16;
                out.bottom[i] = uint32_t{entries_[2][v]} | uint32_t{entries_[3][v]} << 16;
            }
        } else {
            interpolate(values, count, out);
        }
    }

  private:
    /// floor((2 (hi - lo) (c0 R + (c1 - c0) g) + A R) / (2 A R)) in double. The sums stay below 2^53, since a tile has
    /// fewer than R / 2 pixels here, and the quotient with 1/2 more above the line lies at least 2^-33 from every
    /// integer.
    void interpolate(const uint16_t* values, int count, EntryRows& out) const {
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
            FourEntries four = 0;
            for (int k = 0; k < 4; ++k) {
                const double before = int32_t(sums_[k][b]), inside = int32_t(sums_[k][b + 1] - sums_[k][b]);
                const double entry = (twice * (before * size + inside * place) + offset[k]) * factor[k];
                four |= FourEntries(lo + int32_t(entry)) << (16 * k);
            }
            out.set(i, four);
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
    const int32_t color = run.params.color;
    const bool direct = sizeof(Sample) == 2 && is_gray(out.spec.format);

    // Where few tiles are large, their pixels are shared out among tasks that pack the tables anew.
    const int64_t enough_px = 8 * int64_t{run.levels.range.size()};
    const int wide_px = std::min(g.tile_width, in.spec.width);
    const int longest_rows = int(std::clamp<int64_t>(enough_px / wide_px, 64, 1 << 16));
    const std::vector<Segment> segments = segments_of(in.spec.width, g.tile_width, g.columns, g.tile_width);
    const std::vector<Segment> bands = segments_of(in.spec.height, g.tile_height, g.rows, longest_rows);
    std::vector<int32_t> x_weights(size_t(in.spec.width));
    for (const Segment& s : segments)
        for (int x = s.begin; x < s.end; ++x) x_weights[size_t(x)] = s.blend.weight + 2 * (x - s.begin);

    const auto blend_rect = [&](std::vector<Corners>& corners, const Segment& band, const Segment& segment) {
        alignas(64) uint16_t values[kChunk_px];
        alignas(64) uint16_t changed[3][kChunk_px];
        EntryRows entries;
        for (int plane = 0; plane < run.planes; ++plane)
            corners[size_t(plane)].take(plane, band.blend, segment.blend,
                                        int64_t{band.end - band.begin} * (segment.end - segment.begin));
        for (int y = band.begin; y < band.end; ++y) {
            const BlendWeights weights{2 * g.tile_width, 2 * g.tile_height, band.blend.weight + 2 * (y - band.begin)};
            for (int x = segment.begin; x < segment.end; x += kChunk_px) {
                const int count = std::min(kChunk_px, segment.end - x);
                const Sample* from = pixel_of<Sample>(in, x, y);
                Sample* to = pixel_of<Sample>(out, x, y);
                const uint16_t* old_values = nullptr;
                for (int plane = 0; plane < run.planes; ++plane) {
                    old_values = plane_values(from, count, in.spec.format, color, plane, values);
                    corners[size_t(plane)].look_up(old_values, count, entries);
                    uint16_t* result = direct ? reinterpret_cast<uint16_t*>(to) : changed[plane];
                    if (weights.are_narrow())
                        run_hot<blend_narrow>(entries, &x_weights[size_t(x)], count, weights, result);
                    else
                        run_hot<blend_wide>(entries, &x_weights[size_t(x)], count, weights, result);
                }
                if (!direct) write_pixels(from, count, color, old_values, changed, out.spec, to);
            }
        }
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
    return !is_deep(image.format) && !takes_used_values(image, params.range);
}

std::vector<uint16_t> bins_of_values(const Levels& levels) {
    const ValueRange range = levels.range;
    std::vector<uint16_t> bins(size_t(range.size()));
    for (int v = range.lo; v <= range.hi; ++v) bins[size_t(v - range.lo)] = uint16_t(bin_of(v, range, levels.bins));
    return bins;
}

void count_bins(const ImageView& image, int32_t color, int plane, const Rect& area, const Levels& levels,
                std::span<const uint16_t> bins, const std::stop_token& stop, uint32_t* counts, uint32_t* odd_counts) {
    const bool one_each = levels.bins == levels.range.size();
    with_sample(image.spec.format, [&]<class Sample>(Sample) {
        count_rows<Sample>(image, color, plane, area, levels.range.lo, one_each ? nullptr : bins.data(), stop, counts,
                           odd_counts);
    });
}

void sum_bins(uint32_t* counts, uint32_t pixels, const Geometry& g, const Levels& levels) {
    if (g.clips && g.clip_at(levels.bins) < pixels) run_hot<clip_bins>(counts, pixels, g, levels.bins);
    uint32_t sum = 0;
    for (int b = 0; b < levels.bins; ++b) counts[b] = sum += counts[b];
}

void fill_entries(const uint32_t* sums, uint32_t pixels, const Levels& levels, uint16_t* entries) {
    if (levels.bins == levels.range.size())
        run_hot<scale_sums>(sums, levels.bins, pixels, levels.range, entries);
    else
        interpolate_sums(sums, pixels, levels, entries);
}

void run_deep(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    const int32_t choice = job.params.as<Params>().range;
    ValueRange range = full_values(spec);
    if (takes_used_values(spec, choice)) {
        const ScopedStage stage(job.stages, "range");
        range = find_values(job.input, choice, job.threads, job.stop);
        if (job.stop.stop_requested()) return;
    }
    DeepRun run(job, range);
    make_deep_tables(run);
    if (job.stop.stop_requested()) return;
    with_sample(spec.format, [&]<class Sample>(Sample) { blend_deep_tables<Sample>(run); });
}

}  // namespace tonescope::clahe
