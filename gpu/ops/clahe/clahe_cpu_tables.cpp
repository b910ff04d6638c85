#include "gpu/ops/clahe/clahe_cpu_tables.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace tonescope {
namespace {

constexpr int kLanes = 4;  // histograms side by side: equal neighbours then do not wait for each other's increment
constexpr int kBuffer_px = 1024;
constexpr int kAheadRows = 8;           // how far ahead of a narrow tile's rows memory is asked for
constexpr size_t kNarrow_bytes = 4096;  // wider rows are fetched ahead by the processor itself

/// Counters of 16 bits where a tile's pixels fit in them, else of 32.
template <class Count>
struct Histogram {
    alignas(64) Count lane[kLanes][256] = {};
};

template <class Count>
void count_values(const uint8_t* values, int count, Histogram<Count>& h) {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        uint64_t eight;
        std::memcpy(&eight, values + i, 8);
        ++h.lane[0][eight & 255];
        ++h.lane[1][eight >> 8 & 255];
        ++h.lane[2][eight >> 16 & 255];
        ++h.lane[3][eight >> 24 & 255];
        ++h.lane[0][eight >> 32 & 255];
        ++h.lane[1][eight >> 40 & 255];
        ++h.lane[2][eight >> 48 & 255];
        ++h.lane[3][eight >> 56];
    }
    for (; i < count; ++i) ++h.lane[i % kLanes][values[i]];
}

/// lut[v] = floor((510 cdf[v] + A) / (2 A)) by a multiplication. The numerator plus 1/2 lies at least 1 / (4 A) of a
/// level away from every integer; float is off by less than 2^-14.9 below 256, so it serves up to A = 4096, and double
/// up to 2^30 and more.
template <class Real, class Count>
TONESCOPE_HOT_LOOP void scale_cdf(const Count* cdf, uint32_t pixels, uint8_t* table) {
    const Real factor = Real(1) / Real(2 * int64_t{pixels});
    const Real offset = Real(pixels) + Real(0.5);
    for (int v = 0; v < 256; ++v) table[v] = uint8_t(int32_t((Real(510) * Real(int32_t(cdf[v])) + offset) * factor));
}

/// Prefix sums in place. A word of several counters times a word of ones holds the prefix sums of the word.
template <class Count>
TONESCOPE_HOT_LOOP void sum_up(Count* h) {
    constexpr int kCounters = 8 / int(sizeof(Count));
    constexpr int kBits = 64 / kCounters;
    constexpr uint64_t kOnes = ~uint64_t{0} / std::numeric_limits<Count>::max();
    uint64_t before = 0;
    for (int i = 0; i < 256; i += kCounters) {
        uint64_t word;
        std::memcpy(&word, h + i, 8);
        word *= kOnes;
        const uint64_t sums = word + before * kOnes;
        std::memcpy(h + i, &sums, 8);
        before += word >> (64 - kBits);
    }
}

/// Clip, prefix sum, scale. `pixels` is the sum of all bins, so no entry passes 255.
template <class Count>
TONESCOPE_HOT_LOOP void finish_counts(Count* h, uint32_t pixels, const ClaheGeometry& g, bool spread, uint8_t* table) {
    if (g.clips && g.clip < pixels) {
        const auto clip = Count(g.clip);
        uint32_t kept = 0;
        for (int v = 0; v < 256; ++v) kept += h[v] = std::min(h[v], clip);
        const uint32_t excess = pixels - kept;
        const uint32_t share = excess / 256, rest = excess % 256;
        for (int v = 0; v < 256; ++v) h[v] = Count(h[v] + share);
        if (spread && rest > 128) {
            for (uint32_t k = 0; k < rest; ++k) ++h[k];
        } else if (spread && rest > 0) {
            const uint32_t stride = 256 / rest;
            for (uint32_t k = 0; k < rest; ++k) ++h[k * stride];
        }
    }
    sum_up(h);
    if (pixels <= 4096)
        scale_cdf<float>(h, pixels, table);
    else
        scale_cdf<double>(h, pixels, table);
}

template <class Count>
TONESCOPE_HOT_LOOP void finish_loop(const Histogram<Count>& lanes, uint32_t pixels, const ClaheGeometry& g, bool spread,
                                    uint8_t* table) {
    alignas(64) Count h[256];
    for (int v = 0; v < 256; ++v)
        h[v] = Count(lanes.lane[0][v] + lanes.lane[1][v] + lanes.lane[2][v] + lanes.lane[3][v]);
    finish_counts(h, pixels, g, spread, table);
}

/// The loops above, compiled for one instruction set.
template <class Count>
struct Loops {
    void (*extract)(const uint8_t*, int, ClahePlanes, int, uint8_t*);
    void (*finish)(const Histogram<Count>&, uint32_t, const ClaheGeometry&, bool, uint8_t*);
};
TONESCOPE_AVX2 void extract_avx2(const uint8_t* pixels, int count, ClahePlanes planes, int plane, uint8_t* values) {
    extract_loop(pixels, count, planes, plane, values);
}
void extract_plain(const uint8_t* pixels, int count, ClahePlanes planes, int plane, uint8_t* values) {
    extract_loop(pixels, count, planes, plane, values);
}
template <class Count>
TONESCOPE_AVX2 void finish_avx2(const Histogram<Count>& h, uint32_t pixels, const ClaheGeometry& g, bool spread,
                                uint8_t* table) {
    finish_loop(h, pixels, g, spread, table);
}
template <class Count>
void finish_plain(const Histogram<Count>& h, uint32_t pixels, const ClaheGeometry& g, bool spread, uint8_t* table) {
    finish_loop(h, pixels, g, spread, table);
}

TONESCOPE_AVX2 void finish_counts_avx2(uint32_t* h, uint32_t pixels, const ClaheGeometry& g, bool spread,
                                       uint8_t* table) {
    finish_counts(h, pixels, g, spread, table);
}

template <class Count>
class TableMaker {
  public:
    TableMaker(const CpuJob& job, const ClaheGeometry& geometry, ClahePlanes planes, bool spread, ClaheTables& tables)
        : job_(job), image_(job.input), g_(geometry), planes_(planes), spread_(spread), tables_(tables) {}

    /// A tile a task.
    void run_by_tiles() {
        const int64_t tiles = int64_t{g_.rows} * g_.columns;
#pragma omp parallel for num_threads(std::max(job_.threads, 1)) schedule(dynamic, tiles >= 4096 ? 32 : 1)
        for (int64_t tile = 0; tile < tiles; ++tile) {
            if (job_.stop.stop_requested()) continue;
            const int row = int(tile / g_.columns), column = int(tile % g_.columns);
            for (int plane = 0; plane < plane_count(planes_); ++plane) {
                Histogram<Count> h;
                count_rows(column, plane, row * g_.tile_height, end_of(row), h);
                finish(row, column, plane, h);
            }
        }
    }

    /// Few tiles: each is counted in slices, so that all threads have work.
    void run_by_slices() {
        const int64_t tiles = int64_t{g_.rows} * g_.columns;
        const int plane_total = plane_count(planes_);
        const int slices = std::clamp(8 * job_.threads, 1, g_.tile_height);
        std::vector<Histogram<Count>> partial(size_t(tiles) * size_t(plane_total) * size_t(slices));
        const auto partial_at = [&](int64_t tile, int plane, int slice) -> Histogram<Count>& {
            return partial[(size_t(tile) * size_t(plane_total) + size_t(plane)) * size_t(slices) + size_t(slice)];
        };
#pragma omp parallel for num_threads(std::max(job_.threads, 1)) schedule(dynamic) collapse(2)
        for (int64_t tile = 0; tile < tiles; ++tile) {
            for (int slice = 0; slice < slices; ++slice) {
                const int row = int(tile / g_.columns), column = int(tile % g_.columns);
                const int y = row * g_.tile_height;
                const int64_t height = end_of(row) - y;
                for (int plane = 0; plane < plane_total; ++plane)
                    count_rows(column, plane, y + int(height * slice / slices), y + int(height * (slice + 1) / slices),
                               partial_at(tile, plane, slice));
            }
        }
        for (int64_t tile = 0; tile < tiles; ++tile) {
            for (int plane = 0; plane < plane_total; ++plane) {
                Histogram<Count>& h = partial_at(tile, plane, 0);
                for (int slice = 1; slice < slices; ++slice)
                    for (int i = 0; i < kLanes; ++i)
                        for (int v = 0; v < 256; ++v)
                            h.lane[i][v] = Count(h.lane[i][v] + partial_at(tile, plane, slice).lane[i][v]);
                finish(int(tile / g_.columns), int(tile % g_.columns), plane, h);
            }
        }
    }

  private:
    int end_of(int row) const {
        return std::min((row + 1) * g_.tile_height, g_.padded_height);
    }

    /// Counts rows [y_begin, y_end) of a column of tiles, in the padded image.
    void count_rows(int column, int plane, int y_begin, int y_end, Histogram<Count>& h) const {
        const int x_begin = column * g_.tile_width, x_end = std::min(x_begin + g_.tile_width, g_.padded_width);
        const int inside_end = std::min(x_end, image_.spec.width);
        const size_t inside_bytes =
            size_t(std::max(inside_end - x_begin, 0)) * size_t(bytes_per_pixel(image_.spec.format));
        for (int y = y_begin; y < y_end; ++y) {
            if ((y - y_begin) % 64 == 63 && job_.stop.stop_requested()) return;
            if (inside_bytes <= kNarrow_bytes && y + kAheadRows < image_.spec.height)
                for (size_t i = 0; i < inside_bytes; i += 64) prefetch(image_.pixel(x_begin, y + kAheadRows) + i);
            count_row(mirror_index(y, image_.spec.height), x_begin, inside_end, x_end, plane, h);
        }
    }

    void count_row(int y, int x_begin, int inside_end, int x_end, int plane, Histogram<Count>& h) const {
        uint8_t values[kBuffer_px];
        for (int x = x_begin; x < inside_end; x += kBuffer_px) {
            const int count = std::min(kBuffer_px, inside_end - x);
            const uint8_t* from = image_.pixel(x, y);
            if (planes_ != ClahePlanes::value) {
                loops_.extract(from, count, planes_, plane, values);
                from = values;
            }
            count_values(from, count, h);
        }
        for (int x = std::max(x_begin, inside_end); x < x_end; ++x) {
            loops_.extract(image_.pixel(mirror_index(x, image_.spec.width), y), 1, planes_, plane, values);
            count_values(values, 1, h);
        }
    }

    void finish(int row, int column, int plane, const Histogram<Count>& h) {
        const int x = column * g_.tile_width, y = row * g_.tile_height;
        const int x_end = std::min(x + g_.tile_width, g_.padded_width);
        loops_.finish(h, uint32_t(x_end - x) * uint32_t(end_of(row) - y), g_, spread_, tables_.at(plane, row, column));
    }

    const Loops<Count> loops_ = cpu_has_avx2() ? Loops<Count>{extract_avx2, finish_avx2<Count>}
                                               : Loops<Count>{extract_plain, finish_plain<Count>};
    const CpuJob& job_;
    const ImageView& image_;
    const ClaheGeometry& g_;
    const ClahePlanes planes_;
    const bool spread_;
    ClaheTables& tables_;
};

}  // namespace

void finish_clahe_table(uint32_t* counts, uint32_t pixels, const ClaheGeometry& geometry, bool spread, uint8_t* table) {
    if (cpu_has_avx2())
        finish_counts_avx2(counts, pixels, geometry, spread, table);
    else
        finish_counts(counts, pixels, geometry, spread, table);
}

void make_clahe_tables(const CpuJob& job, const ClaheGeometry& geometry, ClahePlanes planes, bool spread,
                       ClaheTables& tables) {
    const ScopedStage stage(job.stages, "tables", uint64_t(job.input.spec.height) * job.input.spec.row_bytes());
    if (int64_t{geometry.rows} * geometry.columns < 4 * job.threads)
        TableMaker<uint32_t>(job, geometry, planes, spread, tables).run_by_slices();
    else if (int64_t{geometry.tile_width} * geometry.tile_height > std::numeric_limits<uint16_t>::max())
        TableMaker<uint32_t>(job, geometry, planes, spread, tables).run_by_tiles();
    else
        TableMaker<uint16_t>(job, geometry, planes, spread, tables).run_by_tiles();
}

}  // namespace tonescope
