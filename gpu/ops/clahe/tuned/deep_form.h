// Which tables `tuned` makes for an image of any depth and range, and in which form its blend reads them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gpu/ops/clahe/clahe.h"

namespace tonescope::clahe {

/// packed: four entries side by side for each value, in shared memory. lines: EntryLine for each bin, interpolated:
/// EdgeStep, in shared memory. grouped: GroupedEntries, in shared memory, or apart where they do not hold a table.
/// quads: four entries side by side in device memory. apart: four tables in device memory.
enum class TableForm { packed, lines, interpolated, grouped, quads, apart };

/// An image, its tiles and bins, and the shared memory that a block may have.
struct DeepShape {
    static constexpr size_t kQuads_bytes = size_t{256} << 20, kQuad_bytes = 8;
    static constexpr int kMostPackedValues = 8192;
    static constexpr int kMostEdges = 2048;  // or lines, of a table
    static constexpr int kMostLineBins = 2048;
    static constexpr int kPixelsOfEntry = 8;
    static constexpr int kLineTile_px = 32 * 1024;  // from such tiles on lines are looked for
    static constexpr int kMostPartsOfValues = 4;    // of a tile

    Geometry geometry;
    int planes, most_values, most_bins, wanted_bins;
    size_t block_bytes;  // of shared memory, at most

    DeepShape(const ImageSpec& image, const Params& params, int plane_count, size_t shared_bytes)
        : geometry(make_geometry(image, params)),
          planes(plane_count),
          most_values(image.max_sample + 1),
          wanted_bins(is_deep(image.format) ? kLeastBins << params.bins : 65536),
          block_bytes(shared_bytes) {
        most_bins = std::min(wanted_bins, most_values);
    }

    bool full() const { return wanted_bins >= most_values; }
    int64_t segment_pixels() const { return geometry.tile_pixels(); }
    uint32_t entries_stride() const { return uint32_t(most_values + 31) / 32 * 32; }
    uint32_t sums_stride() const { return uint32_t(most_bins + 1 + 7) / 8 * 8; }

    size_t packed_words() const { return size_t(entries_stride()) * 2; }
    /// Copies of four edges or four lines side by side.
    int copies_log2() const {
        int log2 = 0;
        while (log2 < 3 && (wanted_bins << (log2 + 1)) <= kMostEdges && fits(bin_words(log2 + 1)) &&
               segment_pixels() >= 16 * (int64_t{wanted_bins} << log2))
            ++log2;
        return log2;
    }
    size_t bin_words(int copies_log2) const { return (size_t(most_bins + 1) << copies_log2) * 8; }
    size_t bin_words() const { return bin_words(copies_log2()); }
    bool fits(size_t words) const { return size_t(planes) * words * sizeof(uint32_t) + 1024 <= block_bytes; }
    /// GroupedEntries: four bits, a fourth of a byte and a 32nd of 16 bits, of four entries for each value.
    size_t grouped_words() const { return size_t(entries_stride()) / 32 * 26; }
    /// Whether the limit keeps slopes so low that groups hold most tables.
    bool is_flat() const {
        if (!geometry.clips) return false;
        return double(geometry.clip_at(most_bins)) * most_bins <= 4 * double(geometry.tile_pixels());
    }
    TableForm form() const {
        const bool wide = is_wide(), large = segment_pixels() * 2 >= most_values;
        // Looking entries up is cheaper than interpolating them, where many pixels use each.
        if (!full() && !wide && segment_pixels() >= kPixelsOfEntry * int64_t{most_values} &&
            most_values <= kMostPackedValues && fits(packed_words()))
            return TableForm::packed;
        if (!full() && !wide && wanted_bins <= kMostEdges && fits(bin_words()))
            return large && has_large_tiles() ? TableForm::lines : TableForm::interpolated;
        if (wide || !large) return TableForm::apart;
        if (most_values <= kMostPackedValues && fits(packed_words())) return TableForm::packed;
        if (full() && planes == 1 && is_flat() && fits(grouped_words())) return TableForm::grouped;
        const size_t quads =
            size_t(geometry.columns + 1) * size_t(geometry.rows + 1) * size_t(planes) * entries_stride() * kQuad_bytes;
        return quads <= kQuads_bytes ? TableForm::quads : TableForm::apart;
    }
    bool has_large_tiles() const { return segment_pixels() >= kLineTile_px; }
    /// Whether clahe_deep_line_kernel makes the tables.
    bool by_lines() const {
        if (form() == TableForm::lines) return true;
        return form() == TableForm::packed && !full() && has_large_tiles() && most_bins <= kMostLineBins;
    }
    /// Whether each value may be counted in place of each bin: then the image's range need not be known before. Where
    /// many blocks share a tile, reading their counts would take longer than reading the image.
    bool may_count_values(int multiprocessors) const {
        return form() == TableForm::packed && by_lines() &&
               multiprocessors / (geometry.columns * geometry.rows * planes) <= kMostPartsOfValues;
    }
    /// Whether the sum of the weights is beyond WeightQuotient.
    bool is_wide() const {
        const auto full_weight = [](int tile_px) { return uint64_t(2 * tile_px) >> (tile_px % 2 == 0 ? 1 : 0); };
        const uint64_t across = full_weight(geometry.tile_width), down = full_weight(geometry.tile_height);
        return across * down >= uint64_t{1} << 31 || across > 65535;
    }
};

/// What `tuned` does on images of any depth and range; instructions and shared memory as counted on noise of 4K.
Work tuned_deep_work(const WorkCase& c);

}  // namespace tonescope::clahe
