#include <algorithm>
#include <limits>
#include <vector>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/parallel.h"
#include "gpu/ops/clahe/clahe_cpu.h"
#include "gpu/ops/color_rows.h"

namespace tonescope::clahe {
namespace {

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
TONESCOPE_HOT_LOOP void finish_counts(Count* h, uint32_t pixels, const Geometry& g, uint8_t* table) {
    if (g.clips && g.clip < pixels) {
        const auto clip = Count(g.clip);
        uint32_t kept = 0;
        for (int v = 0; v < 256; ++v) kept += h[v] = std::min(h[v], clip);
        const uint32_t excess = pixels - kept;
        const uint32_t share = excess / 256, rest = g.excess == excess_drop ? 0 : excess % 256;
        for (int v = 0; v < 256; ++v) h[v] = Count(h[v] + share);
        if (g.excess == excess_evenly) {
            // A bin gains where its number times the rest passes a multiple of 256.
            for (uint32_t v = 0; v < 256; ++v) h[v] = Count(h[v] + ((v * rest & 255) + rest >= 256 ? 1 : 0));
        } else if (rest > 128) {
            for (uint32_t k = 0; k < rest; ++k) ++h[k];
        } else if (rest > 0) {
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
TONESCOPE_HOT_LOOP void finish_counters(const ByteCounters<Count>& counters, uint32_t pixels, const Geometry& g,
                                        uint8_t* table) {
    alignas(64) std::array<Count, 256> counts{};
    counters.add_to(counts);
    finish_counts(counts.data(), pixels, g, table);
}

/// Each task is a slice of a tile, or all of it where there are tiles enough to keep all threads busy.
template <class Count>
void make_tables(const CpuJob& job, const Geometry& g, Tables& tables, int slices) {
    const int32_t color = job.params.as<Params>().color;
    const int plane_total = plane_count(job.input.spec, color);
    const int64_t tiles = int64_t{g.rows} * g.columns;
    const auto finish = [&](int64_t tile, int plane, const ByteCounters<Count>& counters) {
        const int row = int(tile / g.columns), column = int(tile % g.columns);
        const Rect area = g.tile(row, column);
        run_hot<finish_counters<Count>>(counters, uint32_t(area.width) * uint32_t(area.height), g,
                                        tables.at(plane, row, column));
    };
    std::vector<ByteCounters<Count>> partial(slices > 1 ? size_t(tiles * plane_total * slices) : 0);
    const auto partial_of = [&](int64_t tile, int plane) {
        return &partial[size_t((tile * plane_total + plane) * slices)];
    };
    parallel_for(job.threads, tiles * slices, tiles >= 4096 ? 32 : 1, [&](int64_t task) {
        if (job.stop.stop_requested()) return;
        const int64_t tile = task / slices, slice = task % slices;
        Rect area = g.tile(int(tile / g.columns), int(tile % g.columns));
        const int begin = int(area.height * slice / slices), end = int(area.height * (slice + 1) / slices);
        area.y += begin;
        area.height = end - begin;
        for (int plane = 0; plane < plane_total; ++plane) {
            if (slices > 1) {
                count_area(job.input, color, plane, area, job.stop, partial_of(tile, plane)[slice]);
                continue;
            }
            ByteCounters<Count> counters;
            count_area(job.input, color, plane, area, job.stop, counters);
            finish(tile, plane, counters);
        }
    });
    if (slices == 1) return;
    for (int64_t tile = 0; tile < tiles; ++tile) {
        for (int plane = 0; plane < plane_total; ++plane) {
            ByteCounters<Count>* counters = partial_of(tile, plane);
            for (int slice = 1; slice < slices; ++slice) counters[0].add(counters[slice]);
            finish(tile, plane, counters[0]);
        }
    }
}

}  // namespace

template <class Count>
void count_area(const ImageView& image, int32_t color, int plane, const Rect& area, const std::stop_token& stop,
                ByteCounters<Count>& counts) {
    const ImageSpec& spec = image.spec;
    const int x_end = area.x + area.width, inside_end = std::clamp(spec.width, area.x, x_end);
    uint8_t values[kChunk_px];
    for (int y = area.y; y < area.y + area.height; ++y) {
        if ((y - area.y) % 64 == 63 && stop.stop_requested()) return;
        prefetch_ahead(image, area.x, inside_end, y);
        const int source_y = mirror_index(y, spec.height);
        for (int x = area.x; x < inside_end; x += kChunk_px) {
            const int count = std::min(kChunk_px, inside_end - x);
            counts.add(plane_values(image.pixel(x, source_y), count, spec.format, color, plane, values), count);
        }
        for (int x = inside_end; x < x_end; ++x) {
            const uint8_t* pixel = image.pixel(mirror_index(x, spec.width), source_y);
            counts.add(plane_values(pixel, 1, spec.format, color, plane, values), 1);
        }
    }
}
template void count_area(const ImageView&, int32_t, int, const Rect&, const std::stop_token&, ByteCounters<uint32_t>&);

void make_tables(const CpuJob& job, const Geometry& geometry, Tables& tables) {
    const ScopedStage stage(job.stages, "tables");
    const bool few = int64_t{geometry.rows} * geometry.columns < 4 * job.threads;
    if (few || geometry.tile_pixels() > std::numeric_limits<uint16_t>::max())
        make_tables<uint32_t>(job, geometry, tables, few ? std::clamp(8 * job.threads, 1, geometry.tile_height) : 1);
    else
        make_tables<uint16_t>(job, geometry, tables, 1);
}

}  // namespace tonescope::clahe
