// From counts of few bins to the entries of every value: either the entries themselves, or a line for each bin that
// gives them exactly (EntryLine), so that the blend neither rounds twice nor has to look at anything again.
//
// Over the n values of a bin, at most 257, the entries are y_k = floor((P + k Q) / D). A line with a slope s and a
// height t, in 2^-16ths, gives them where max(s k - 2^16 y_k) - min(s k - 2^16 y_k) < 2^16. One of the three s next to
// 2^16 Q / D does. Proof: the pairs of slope and height that give the y_k make a convex cell. Its heights add up to 1 /
// q at the slope p / q of the least denominator, q < 257, and grow towards it at least in proportion to the distance
// from a corner of the cell, whose slope is a fraction as well: q' times the distance, if q' is its denominator (Farey
// fan; M. D. McIlroy, "A note on discrete representation of lines", 1985). Q / D lies in the cell. Where p / q is
// within 2^-16 of it, one of the three lies within 2^-17 of p / q and has heights of 1 / q - 256 / 2^17 >= 2^-9.
// Otherwise, of the two that lie towards p / q, the first is 2^-17 or more beyond the corner, which suffices unless q'
// = 1, when its distance is a multiple of 2^-16; or the second is 2^-16 or more beyond it. Heights of 2^-16 hold a
// multiple of 2^-16.
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/bin_counts.cuh"
#include "gpu/ops/clahe/tuned/deep_form.h"
#include "gpu/ops/clahe/tuned/deep_tables.cuh"

namespace tonescope::clahe {

struct DeepLinePolicy {
    static constexpr int kThreads = 512, kBlocks = 2;  // blocks of a multiprocessor, at least
    static constexpr int kLanes = 8;                   // that share the values of a bin
    static constexpr int kBlockBins = kThreads / kLanes;
    static constexpr int kMostBins = DeepShape::kMostLineBins, kBinsOfThread = kMostBins / kThreads;
};

/// n = quotient divisor + remainder, for a divisor below 2^47, n below 2^63 and a quotient below 2^18.
struct QuotientAndRemainder {
    uint32_t quotient;
    uint64_t remainder;
    /// `reciprocal`: of the divisor, rounded.
    __device__ QuotientAndRemainder(uint64_t n, uint64_t divisor, double reciprocal)
        : quotient(uint32_t(double(n) * reciprocal)) {
        auto rest = int64_t(n - quotient * divisor);
        if (rest < 0) {
            --quotient;
            rest += int64_t(divisor);
        } else if (rest >= int64_t(divisor)) {
            ++quotient;
            rest -= int64_t(divisor);
        }
        remainder = uint64_t(rest);
    }
};

/// s_bins: zero before; the pixels of each bin, added up from counts of each value. Every thread of the block calls;
/// ends with a barrier.
__device__ inline void sum_values_of_bins(const CountPlan& plan, int plane, int tile, ValueRange range,
                                          const Binning& binning, uint32_t* s_bins) {
    const auto* d_eights =
        reinterpret_cast<const uint4*>(plan.d_counts + plan.part_index(plane, tile, 0) * plan.part_words);
#pragma unroll 1
    for (uint32_t eight = threadIdx.x; eight < plan.part_words / 8; eight += blockDim.x) {
        uint32_t counts[8] = {};
#pragma unroll 2
        for (int part = 0; part < plan.parts; ++part) {
            const uint4* const d_eight = d_eights + size_t(part) * plan.part_words / 4 + eight * 2;
            const uint4 low = __ldcg(d_eight), high = __ldcg(d_eight + 1);
            const uint32_t words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
            for (int i = 0; i < 8; ++i) counts[i] += words[i];
        }
        // Neighbors mostly share a bin. Beyond the range nothing is counted.
        const auto bin_of = [&](int value) { return binning.scaled(min(max(value, range.lo), range.hi)); };
        uint32_t bin = bin_of(int(eight) * 8), sum = counts[0];
#pragma unroll
        for (int i = 1; i < 8; ++i) {
            const uint32_t next = bin_of(int(eight) * 8 + i);
            if (next != bin) {
                if (sum > 0) atomicAdd(&s_bins[bin], sum);
                bin = next;
                sum = 0;
            }
            sum += counts[i];
        }
        if (sum > 0) atomicAdd(&s_bins[bin], sum);
    }
    __syncthreads();
}

/// s_sums: zero before; behind the first word, which is 0, those up to each bin, after clipping. The counts are of
/// `binning`, or of each value. Every thread of the block calls; ends with a barrier.
__device__ inline void sum_clipped_bins(const CountPlan& plan, const DeepTables& tables, int plane, int tile,
                                        ValueRange range, const Binning& binning, int wanted_bins, uint32_t* s_sums) {
    constexpr int kMost = DeepLinePolicy::kBinsOfThread;
    __shared__ uint32_t s_warp_sums[32];
    __shared__ uint32_t s_kept;
    const bool of_values = plan.wanted_bins != wanted_bins;
    if (of_values) sum_values_of_bins(plan, plane, tile, range, binning, s_sums);
    const auto bins = uint32_t(binning.bins());
    const uint32_t clip = tables.clip(int(bins)), of_thread = (bins + blockDim.x - 1) / blockDim.x;
    const uint32_t first = threadIdx.x * of_thread;
    uint32_t counts[kMost] = {}, sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < kMost; ++i) {
        if (i >= of_thread || first + i >= bins) break;
        if (of_values) {
            counts[i] = s_sums[first + i];
        } else {
            const uint32_t* d_count = plan.d_counts + plan.part_index(plane, tile, 0) * plan.part_words + first + i;
#pragma unroll 8
            for (int part = 0; part < plan.parts; ++part) counts[i] += __ldcg(d_count + size_t(part) * plan.part_words);
        }
        counts[i] = min(counts[i], clip);
        sum += counts[i];
    }
    const uint32_t up_to = block_inclusive_scan(sum, s_warp_sums);
    if (threadIdx.x == blockDim.x - 1) s_kept = up_to;
    __syncthreads();
    const uint32_t excess = tables.pixels(tile) - s_kept, share = excess / bins, rest = excess - share * bins;
    uint32_t before = up_to - sum;
#pragma unroll
    for (uint32_t i = 0; i < kMost; ++i) {
        const uint32_t bin = first + i;
        if (i >= of_thread || bin >= bins) break;
        before += counts[i];
        s_sums[bin + 1] = before + share * (bin + 1) + gains_up_to(bin, bins, rest, tables.geometry.excess);
    }
    if (threadIdx.x == 0) s_sums[0] = 0;
    __syncthreads();
}

/// Block (tile and kBlockBins of its bins, plane): kLines, a line for each bin, else the entries of its values.
template <bool kLines>
__global__ void __launch_bounds__(DeepLinePolicy::kThreads, DeepLinePolicy::kBlocks)
    clahe_deep_line_kernel(const CountPlan plan, RangeSource range_source, int wanted_bins, const DeepTables tables,
                           const Reciprocal<uint32_t> by_blocks) {
    using Policy = DeepLinePolicy;
    __shared__ uint32_t s_sums[Policy::kMostBins + 1];
    const uint32_t tile_block = by_blocks.divide(blockIdx.x);
    const int tile = int(tile_block), plane = int(blockIdx.y);
    const uint32_t first_bin = by_blocks.remainder(blockIdx.x, tile_block) * Policy::kBlockBins;
    block_clear(s_sums, Policy::kMostBins + 1);
    pdl_wait();
    const ValueRange range = range_source.get();
    const Binning binning(range, wanted_bins);
    const auto size = uint32_t(range.size()), spread = size - 1, lo = uint32_t(range.lo);
    const auto bins = uint32_t(binning.bins());
    if (first_bin >= bins) return;
    sum_clipped_bins(plan, tables, plane, tile, range, binning, wanted_bins, s_sums);

    // The values of a bin are lo - 1 + n, n = first ... last; those of a lane end before n_end.
    const uint32_t bin = min(first_bin + threadIdx.x / Policy::kLanes, bins - 1), lane = threadIdx.x % Policy::kLanes;
    const bool by_shift = (bins & (bins - 1)) == 0;
    const auto by_bins = [&](uint32_t n) { return by_shift ? n >> (31 - __clz(int(bins))) : n / bins; };
    const uint32_t first = by_bins(bin * size) + 1, last = by_bins((bin + 1) * size);
    const uint32_t of_lane = (last - first + Policy::kLanes) / Policy::kLanes;
    const uint32_t n_begin = min(first + lane * of_lane, last + 1), n_end = min(n_begin + of_lane, last + 1);
    // InterpolatedEntry of n_begin, and what each further value adds to it.
    const uint64_t pixels = tables.pixels(tile), divisor = 2 * pixels * size;
    const double reciprocal = 1 / double(divisor);
    const uint64_t below = s_sums[bin], within = s_sums[bin + 1] - s_sums[bin], twice = 2 * uint64_t{spread};
    const uint64_t slope = twice * within * bins;
    const QuotientAndRemainder step(slope, divisor, reciprocal);
    const QuotientAndRemainder entry(twice * (below * size + within * (n_begin * bins - bin * size)) + pixels * size,
                                     divisor, reciprocal);
    uint64_t remainder = entry.remainder;
    const auto carries = [&] {
        remainder += step.remainder;
        const bool over = remainder >= divisor;
        if (over) remainder -= divisor;
        return over;
    };
    const size_t table = tables.index(plane, tile);
    if constexpr (!kLines) {
        uint32_t above = entry.quotient;  // above lo
        uint16_t* const d_entries = tables.d_entries + table * tables.entries_stride;
        for (uint32_t n = n_begin; n < n_end; ++n) {
            d_entries[n - 1] = uint16_t(lo + min(above, spread));
            above += step.quotient + carries();
        }
        if (n_begin < n_end && n_end == size + 1)  // entries are read eight at a time
            for (uint32_t n = size; n % 8 != 0; ++n) d_entries[n] = 0;
        return;
    }
    const uint32_t first_above = __shfl_sync(kFullWarp, entry.quotient, 0, Policy::kLanes);
    const auto nearest = uint32_t(__double2ll_rn(double(slope) * reciprocal * 0x1p16));
    // What the sum of an entry has above its integer, in 2^-32ths, and kOpen more. It is wrong by 1 at most, and by 1
    // more for each further value of the lane. Where no value comes near an integer, this tells how s k - 2^16 y_k
    // changes, which is an integer, with an error far below 1 / 2: by the fraction's upper bits and by what the line
    // leaves the slope, here as multiples of 2^-14.
    constexpr uint32_t kOpen = 64;
    static_assert((65536 / 256 + 1 + Policy::kLanes) / Policy::kLanes < kOpen);
    const double scale = reciprocal * 0x1p32;
    const uint32_t first_fraction = uint32_t(double(entry.remainder) * scale) + kOpen,
                   fraction_step = uint32_t(double(step.remainder) * scale);
    EntryLine line{};
    bool found = false;
    for (int turn = 0; turn < 3; ++turn) {  // one of a hundred bins takes more than one
        const uint32_t line_step = nearest + (turn == 0 ? 0 : turn == 1 ? 1 : uint32_t(-1));
        const uint32_t k = n_begin - first, height_step = line_step - (step.quotient << 16);
        uint32_t height = line_step * k - ((entry.quotient - first_above) << 16);  // s k - 2^16 (y_k - y_0)
        int least = INT32_MAX, greatest = INT32_MIN;
        const int bend_step = int((height_step << 16) - fraction_step) >> 2;  // by how much the line leaves the slope
        uint32_t fraction = first_fraction, next_to_integer = ~0u;
        int bend = 0, low = INT32_MAX, high = INT32_MIN;
#pragma unroll 4
        for (uint32_t n = n_begin; n < n_end; ++n) {
            next_to_integer = min(next_to_integer, fraction);
            const int at = int(fraction >> 2) + bend;
            low = min(low, at);
            high = max(high, at);
            fraction += fraction_step;
            bend += bend_step;
        }
        if (next_to_integer < 2 * kOpen) {
            remainder = entry.remainder;
            for (uint32_t n = n_begin; n < n_end; ++n) {
                least = min(least, int(height));
                greatest = max(greatest, int(height));
                height += height_step - (carries() ? 1u << 16 : 0);
            }
        } else if (n_begin < n_end) {
            const auto height_of = [&](int at) {
                return int(height) + ((at - int(first_fraction >> 2) + (1 << 13)) >> 14);
            };
            least = height_of(low);
            greatest = height_of(high);
        }
        for (int other = 1; other < Policy::kLanes; other *= 2) {
            least = min(least, __shfl_xor_sync(kFullWarp, least, other));
            greatest = max(greatest, __shfl_xor_sync(kFullWarp, greatest, other));
        }
        if (!found && greatest - least < 1 << 16) {
            found = true;
            line.step = line_step;
            line.edge = ((lo + first_above) << 16) - uint32_t(least) - line_step * (lo + first - 1);
        }
        if (__all_sync(kFullWarp, found)) break;
    }
    if (lane == 0) tables.d_lines[table * tables.lines_stride + bin] = line;
}

}  // namespace tonescope::clahe
