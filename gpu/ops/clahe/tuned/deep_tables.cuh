// Tables of `tuned` for images of any depth and range, from the counts of bin_counts.cuh.
//
// Where every value has a bin, an entry for each (full tables). Where there are fewer bins than values, a line for each
// bin that gives its entries (deep_lines.cuh); or, where tiles have so few pixels that looking for lines would take
// longer than it saves, the sums up to each bin: sums as they are, for exact decisions, and edges of bins, which are
// the sums in the scale of the result (EdgeStep). Full tables can be made of sums and of lines.
//
// Full tables of 65,536 values are too large for shared memory. Where the limit keeps their slope low, entries can be
// written as what they lie above those of groups of values (GroupedEntries).
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/bin_counts.cuh"
#include "gpu/cuda/kernels/short_quotient.cuh"
#include "gpu/ops/clahe/clahe_tiles.cuh"

namespace tonescope::clahe {

struct DeepTablePolicy {
    static constexpr int kThreads = 512;  // of a block, at most
    static constexpr int kSliceBins = kThreads * 8;
    static constexpr int kMostSlices = 65536 / kSliceBins;
    static_assert(kMostSlices <= 32);
    static constexpr int kExpandThreads = 256;
};

/// Entries of which none is below the one before, at three levels: of each kValues values the entry of the first one
/// (the base), of each four values how far the entry of their first one lies above that, in a byte, and of each value
/// how far its entry lies above that, in four bits. That is enough for a slope of 5.
struct GroupedEntries {
    static constexpr int kValues = 32;
    uint32_t nibbles, bytes;  // of eight values: eight, and two
    bool fit;                 // false where an entry lies too far above the one that it is written by

    __device__ GroupedEntries(const uint32_t (&entries)[8], uint32_t base)
        : nibbles(0), bytes((entries[0] - base) | (entries[4] - base) << 8), fit(entries[7] - base < 256) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const uint32_t above = entries[k] - entries[k & 4];
            if (k % 4 == 3) fit = fit && above < 16;
            nibbles |= above << (4 * k);
        }
    }
};

/// A bin of an interpolated table, with 16 more bits than entries have: its lower edge, plus 1/2, and how far the upper
/// one lies above that. The step comes first, as the lower word of 64 bits.
struct alignas(8) EdgeStep {
    static constexpr uint32_t kHalf = 1u << 15, kMargin = 1;  // SegmentTables says what the margin is for
    uint32_t step, edge;
    __device__ EdgeStep(uint32_t lower, uint32_t upper) : step(upper - lower), edge(lower + kHalf - kMargin) {}
};

/// A bin of an interpolated table: the entry of each of its values v is the upper half of edge + v step, modulo 2^32.
struct alignas(8) EntryLine {
    uint32_t edge, step;
    __device__ uint32_t entry(uint32_t value) const { return (edge + value * step) >> 16; }
};

struct DeepTables {
    Geometry geometry;
    int first_row, rows;  // of tiles
    int slices;           // of a tile's bins
    uint32_t* d_kept;     // pixels that clipping leaves in each slice; kMostSlices a tile
    // Of each tile, plane by plane:
    uint16_t* d_entries;  // entries_stride: of value lo + i, entry i
    uint32_t* d_sums;     // sums_stride: of bin b - 1 and those before it, word b
    EdgeStep* d_edges;    // sums_stride: of each bin, and one more whose step is 0; null where not interpolated
    EntryLine* d_lines;   // lines_stride: of each bin; null where there are none
    uint32_t entries_stride, sums_stride, lines_stride;
    // Where entries are grouped as well (GroupedEntries), of each tile:
    uint16_t* d_bases;      // entries_stride / kValues
    uint16_t* d_bytes;      // entries_stride / 8, two bytes each
    uint32_t* d_nibbles;    // entries_stride / 8, eight each
    uint32_t* d_ungrouped;  // of each tile: not zero where GroupedEntries cannot hold it
    Reciprocal<uint32_t> by_columns{1};
    Reciprocal<uint32_t> by_slices{1};
    int most_bins = 0;                                         // that a tile may have, and
    uint32_t most_bins_clip = 0;                               // where they are clipped
    ShortQuotient by_pixels[4] = {}, by_twice_pixels[4] = {};  // of the kinds of tiles, 2 * (last row) + (last column)

    __host__ __device__ int tiles() const { return geometry.columns * rows; }
    __device__ size_t index(int plane, int tile) const { return size_t(plane) * size_t(tiles()) + size_t(tile); }
    /// A, of a tile.
    __device__ uint32_t pixels(int tile) const {
        const int row_of_band = int(by_columns.divide(uint32_t(tile)));
        const int row = first_row + row_of_band, column = tile - row_of_band * geometry.columns;
        const int width = min(geometry.tile_width, geometry.padded_width - column * geometry.tile_width);
        const int height = min(geometry.tile_height, geometry.padded_height - row * geometry.tile_height);
        return uint32_t(width) * uint32_t(height);
    }
    __device__ int kind(int tile) const {
        const int row_of_band = int(by_columns.divide(uint32_t(tile)));
        const int row = first_row + row_of_band, column = tile - row_of_band * geometry.columns;
        return (row == geometry.rows - 1 ? 2 : 0) + (column == geometry.columns - 1 ? 1 : 0);
    }
    /// Whether clahe_deep_clip_kernel leaves a tile's clipped counts, as halves of 16 bits, where its first part was.
    template <bool kPacked>
    __device__ static bool keeps_clipped(uint32_t clip) {
        return kPacked && clip <= 0xffff;
    }
    __host__ __device__ uint32_t clip(int bins) const {
        if (bins == most_bins) return most_bins_clip;
        return geometry.clips ? uint32_t(geometry.clip_at(bins) < UINT32_MAX ? geometry.clip_at(bins) : UINT32_MAX)
                              : UINT32_MAX;
    }
};

/// Block (tile and slice, plane): what clipping leaves.
template <bool kPacked>
__global__ void __launch_bounds__(DeepTablePolicy::kThreads)
    clahe_deep_clip_kernel(const CountPlan plan, const DeepTables tables) {
    using Bins = SlicedBins<kPacked>;
    __shared__ uint32_t s_warp_sums[32];
    __shared__ uint32_t s_spilled[Bins::kSharedWords];
    const int tile = int(tables.by_slices.divide(blockIdx.x)), slice = int(blockIdx.x) - tile * tables.slices,
              plane = int(blockIdx.y);
    pdl_wait();
    const Binning binning(plan.range.get(), plan.wanted_bins);
    const Bins bins(plan, plane, tile, slice, uint32_t(binning.bins()), s_spilled);
    if (tables.d_ungrouped != nullptr && slice == 0 && threadIdx.x == 0)
        tables.d_ungrouped[tables.index(plane, tile)] = 0;
    const uint32_t clip = tables.clip(binning.bins());
    uint32_t kept = 0;
#pragma unroll
    for (const uint32_t count : bins.counts) kept += min(count, clip);
    if (tables.keeps_clipped<kPacked>(clip) && bins.first < uint32_t(binning.bins())) {
        uint32_t words[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            words[i] = __byte_perm(min(bins.counts[2 * i], clip), min(bins.counts[2 * i + 1], clip), 0x5410);
        reinterpret_cast<uint4*>(plan.d_counts + plan.part_index(plane, tile, 0) * plan.part_words)[bins.first / 8] =
            make_uint4(words[0], words[1], words[2], words[3]);
    }
    kept = block_sum(kept, s_warp_sums);
    if (threadIdx.x == 0) tables.d_kept[tables.index(plane, tile) * DeepTablePolicy::kMostSlices + slice] = kept;
}

/// Block (tile and slice, plane): from counts to the table. kFull: its entries, else sums and edges. Where a tile has
/// several slices, after clahe_deep_clip_kernel.
template <bool kPacked, bool kFull>
__global__ void __launch_bounds__(DeepTablePolicy::kThreads)
    clahe_deep_table_kernel(const CountPlan plan, const DeepTables tables) {
    using Bins = SlicedBins<kPacked>;
    __shared__ uint32_t s_warp_sums[32];
    const int tile = int(tables.by_slices.divide(blockIdx.x)), slice = int(blockIdx.x) - tile * tables.slices,
              plane = int(blockIdx.y);
    const size_t index = tables.index(plane, tile);
    const uint32_t pixels = tables.pixels(tile);
    __shared__ uint32_t s_spilled[Bins::kSharedWords];
    pdl_wait();
    const ValueRange range = plan.range.get();
    const Binning binning(range, plan.wanted_bins);
    const uint32_t bins = uint32_t(binning.bins()), clip = tables.clip(binning.bins());
    // What clipping left in the slices, those before this one apart.
    uint32_t kept = 0, before = 0;
    if (tables.slices > 1) {
        const uint32_t lane = threadIdx.x % 32;
        const uint32_t of_slice =
            lane < uint32_t(tables.slices) ? __ldcg(tables.d_kept + index * DeepTablePolicy::kMostSlices + lane) : 0;
        const uint32_t up_to = warp_inclusive_scan(of_slice);
        kept = __shfl_sync(kFullWarp, up_to, 31);
        before = __shfl_sync(kFullWarp, up_to - of_slice, slice);
    }
    const Bins own(plan, plane, tile, slice, bins, s_spilled, tables.keeps_clipped<kPacked>(clip));
    uint32_t sums[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) sums[i] = min(own.counts[i], clip) + (i > 0 ? sums[i - 1] : 0);
    const uint32_t up_to = block_inclusive_scan(sums[7], s_warp_sums);
    before += up_to - sums[7];
    if (tables.slices == 1) {
        __shared__ uint32_t s_kept;
        if (threadIdx.x == blockDim.x - 1) s_kept = up_to;
        __syncthreads();
        kept = s_kept;
    }
    const uint32_t excess = pixels - kept, share = excess / bins;
    const uint32_t rest = tables.geometry.excess == excess_drop ? 0 : excess - share * bins;
    // Up to bin b min(rest, floor(b / s) + 1) bins gain 1, or evenly floor((b + 1) rest / B): `gained`, and what is
    // left above the line.
    const bool evenly = tables.geometry.excess == excess_evenly;
    const uint32_t divisor = evenly ? bins : max(bins / max(rest, 1u), 1u), step = evenly ? rest : 1;
    uint32_t above = own.first * step + (evenly ? rest : divisor), gained = above / divisor;
    above -= gained * divisor;
#pragma unroll
    for (uint32_t i = 0; i < 8; ++i) {
        sums[i] += before + share * (own.first + i + 1) + min(rest, gained);
        above += step;
        if (above >= divisor) {
            above -= divisor;
            ++gained;
        }
    }
    const uint32_t spread = uint32_t(range.hi - range.lo);
    if constexpr (kFull) {
        const ShortQuotient& by_twice_pixels = tables.by_twice_pixels[tables.kind(tile)];
        uint32_t entries[8], words[4];
#pragma unroll
        for (uint32_t i = 0; i < 8; ++i) {
            entries[i] =
                min(by_twice_pixels.divide(2 * uint64_t{spread} * sums[i] + pixels), spread) + uint32_t(range.lo);
            if (i > 0 && own.first + i >= bins) entries[i] = entries[i - 1];
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) words[i] = __byte_perm(entries[2 * i], entries[2 * i + 1], 0x5410);
        const uint32_t base = __shfl_sync(kFullWarp, entries[0], 0, GroupedEntries::kValues / 8);
        if (own.first >= tables.entries_stride) return;
        const size_t first = index * tables.entries_stride + own.first;
        *reinterpret_cast<uint4*>(tables.d_entries + first) = make_uint4(words[0], words[1], words[2], words[3]);
        if (tables.d_ungrouped == nullptr) return;
        const GroupedEntries grouped(entries, base);
        if (!grouped.fit && own.first < bins) tables.d_ungrouped[index] = 1;
        tables.d_nibbles[first / 8] = grouped.nibbles;
        tables.d_bytes[first / 8] = uint16_t(grouped.bytes);
        if (own.first % GroupedEntries::kValues == 0) tables.d_bases[first / GroupedEntries::kValues] = uint16_t(base);
    } else {
        __shared__ uint32_t s_edges[DeepTablePolicy::kThreads + 1];  // behind each thread's last bin
        const ShortQuotient& by_pixels = tables.by_pixels[tables.kind(tile)];
        uint32_t edges[9];  // of the thread's bins
#pragma unroll
        for (uint32_t i = 0; i < 8; ++i) {
            const uint64_t scaled = uint64_t{spread} * sums[i];
            const uint32_t edge = by_pixels.divide(scaled), rest_of_edge = uint32_t(scaled) - edge * pixels;
            edges[i + 1] = edge << 16 | by_pixels.divide(uint64_t{rest_of_edge} << 16);
        }
        s_edges[threadIdx.x + 1] = edges[8];
        if (threadIdx.x == 0) s_edges[0] = 0;
        __syncthreads();
        edges[0] = s_edges[threadIdx.x];
        if (own.first >= bins) return;
        uint32_t* const d_sums = tables.d_sums + index * tables.sums_stride;
        if (own.first == 0) d_sums[0] = 0;
#pragma unroll
        for (uint32_t i = 0; i < 8; ++i) {
            if (own.first + i >= bins) break;
            d_sums[own.first + i + 1] = sums[i];
            if (tables.d_edges == nullptr) continue;
            EdgeStep* const d_bin = tables.d_edges + index * tables.sums_stride + own.first + i;
            d_bin[0] = EdgeStep(edges[i], edges[i + 1]);
            if (own.first + i + 1 == bins) d_bin[1] = EdgeStep(edges[i + 1], edges[i + 1]);
        }
    }
}

/// Block (entries, tables): full tables from sums.
static __global__ void __launch_bounds__(DeepTablePolicy::kExpandThreads)
    clahe_deep_expand_kernel(RangeSource source, int wanted_bins, int planes, const DeepTables tables) {
    pdl_wait();
    const ValueRange range = source.get();
    const Binning binning(range, wanted_bins);
    const uint32_t bins = uint32_t(binning.bins());
    // Entries are read eight at a time: those behind the last value's are like it.
    const uint32_t own = blockIdx.x * blockDim.x + threadIdx.x, size = uint32_t(range.size());
    if (own >= (size + 7) / 8 * 8) return;
    const uint32_t value = min(own, size - 1);  // beyond lo
    const uint32_t bin = binning.is_one_to_one() ? value : binning.scaled(int(value) + range.lo);
    const uint32_t place = (value + 1) * bins - bin * size;
    for (int table = int(blockIdx.y); table < planes * tables.tiles(); table += int(gridDim.y)) {
        const uint32_t* d_sums = tables.d_sums + size_t(table) * tables.sums_stride;
        const InterpolatedEntry entry(d_sums[bin], d_sums[bin + 1], place, range,
                                      tables.pixels(table % tables.tiles()));
        const uint32_t result = min(uint32_t(entry.numerator / entry.denominator), uint32_t(range.hi - range.lo));
        tables.d_entries[size_t(table) * tables.entries_stride + own] = uint16_t(uint32_t(range.lo) + result);
    }
}

}  // namespace tonescope::clahe
