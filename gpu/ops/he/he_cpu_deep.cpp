// The multi-threaded histogram equalization of deep images: the same three steps with a bin and an entry for each value
// that the image can have.
#include <algorithm>
#include <mutex>

#include "gpu/core/parallel.h"
#include "gpu/ops/deep_rows.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {
namespace {

constexpr int kDeepBandRows = 16;  // that a thread takes at a time

/// Two counters for each value, so that equal neighbors do not wait for each other.
void count_values(const uint16_t* values, int n, uint32_t* even, uint32_t* odd) {
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        uint64_t v;
        std::memcpy(&v, values + i, 8);
        ++even[v & 0xffff];
        ++odd[v >> 16 & 0xffff];
        ++even[v >> 32 & 0xffff];
        ++odd[v >> 48];
    }
    for (; i < n; ++i) ++even[values[i]];
}

/// Four loads before four stores, as in look_up().
void look_up_deep(const uint16_t* lut, const uint16_t* in, uint16_t* out, int n) {
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        const uint16_t a = lut[in[i]], b = lut[in[i + 1]], c = lut[in[i + 2]], d = lut[in[i + 3]];
        out[i] = a;
        out[i + 1] = b;
        out[i + 2] = c;
        out[i + 3] = d;
    }
    for (; i < n; ++i) out[i] = lut[in[i]];
}

/// Looks each channel up in a table of its own.
void look_up_deep_channels(const DeepTables& tables, const uint16_t* in, uint16_t* out, int n) {
    const uint16_t *r = tables[0].data(), *g = tables[1].data(), *b = tables[2].data();
    for (int i = 0; i < n; ++i, in += 4, out += 4) {
        const uint16_t pixel[4] = {r[in[0]], g[in[1]], b[in[2]], in[3]};
        std::memcpy(out, pixel, 8);
    }
}

}  // namespace

DeepCounts count_deep(const ImageView& image, int32_t color, int32_t left_out, int threads,
                      const std::stop_token& stop) {
    const ImageSpec& spec = image.spec;
    const size_t planes = size_t(plane_count(spec, color)), values = size_t(spec.max_sample) + 1;
    DeepCounts total;
    for (size_t k = 0; k < planes; ++k) total[k].resize(values);
    std::mutex merging;
    parallel_pieces(threads, spec.height, kDeepBandRows, [&](Pieces& pieces) {
        std::vector<uint32_t> counters(2 * planes * values);
        alignas(64) uint16_t buffer[kChunk_px];
        for (const int64_t y : pieces) {
            if (stop.stop_requested()) return;
            for (int x = 0; x < spec.width; x += kChunk_px) {
                const int n = std::min(spec.width - x, kChunk_px);
                const auto* pixels = pixel_of<uint16_t>(image, x, int(y));
                for (size_t k = 0; k < planes; ++k) {
                    uint32_t* even = &counters[2 * k * values];
                    count_values(plane_values(pixels, n, spec, color, int(k), buffer), n, even, even + values);
                }
            }
        }
        const std::lock_guard lock(merging);
        for (size_t k = 0; k < planes; ++k) {
            const uint32_t *even = &counters[2 * k * values], *odd = even + values;
            for (size_t v = 0; v < values; ++v) total[k][v] += even[v] + odd[v];
        }
    });
    if (left_out != kNothingLeftOut)
        for (size_t k = 0; k < planes; ++k) total[k][size_t(left_out)] = 0;
    return total;
}

ValueRange counted_range(const DeepCounts& counts, ValueRange none) {
    ValueRange range{65535, 0};
    for (const std::vector<uint32_t>& plane : counts) {
        const auto counted = [](uint32_t count) { return count != 0; };
        const auto first = std::ranges::find_if(plane, counted);
        if (first == plane.end()) continue;
        const auto last = std::find_if(plane.rbegin(), plane.rend(), counted);
        range.lo = std::min(range.lo, int32_t(first - plane.begin()));
        range.hi = std::max(range.hi, int32_t(plane.rend() - last) - 1);
    }
    return range.lo <= range.hi ? range : none;
}

DeepTables make_deep_tables(const DeepCounts& counts, ValueRange range, int32_t left_out) {
    DeepTables tables;
    for (size_t k = 0; k < counts.size(); ++k) {
        tables[k].resize(counts[k].size());
        if (!counts[k].empty()) fill_table<uint16_t>(counts[k], range, left_out, tables[k]);
    }
    return tables;
}

void apply_deep(const ImageView& in, const DeepTables& tables, const ColorChange& change, const MutableImageView& out,
                int threads, const std::stop_token& stop) {
    const int32_t color = change.color;
    const bool mixes = mixes_values(in.spec, color);
    const bool to_gray = is_gray(out.spec.format), by_channels = plane_count(in.spec, color) == 3;
    parallel_for(threads, in.spec.height, kDeepBandRows, [&](int64_t row) {
        if (stop.stop_requested()) return;
        alignas(64) uint16_t values[kChunk_px], changed[3][kChunk_px];
        for (int x = 0; x < in.spec.width; x += kChunk_px) {
            const auto* from = pixel_of<uint16_t>(in, x, int(row));
            auto* to = pixel_of<uint16_t>(out, x, int(row));
            const int n = std::min(in.spec.width - x, kChunk_px);
            if (by_channels) {
                look_up_deep_channels(tables, from, to, n);
                mix_samples(from, 4 * n, change.amount, to);
                continue;
            }
            const uint16_t* old_values = plane_values(from, n, in.spec, color, 0, values);
            uint16_t* result = to_gray ? to : changed[0];
            look_up_deep(tables[0].data(), old_values, result, n);
            if (mixes) mix_samples(old_values, n, change.amount, result);
            if (!to_gray) write_pixels(from, n, change, values, changed, out.spec, to);
        }
    });
}

}  // namespace tonescope::he
