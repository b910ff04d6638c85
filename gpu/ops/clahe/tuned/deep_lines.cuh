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
#include "gpu/ops/clahe/tuned/deep_tables.cuh"

namespace tonescope::clahe {

struct DeepLinePolicy {
    static constexpr int kThreads = 512, kBlocks = 2;  // blocks of a multiprocessor, at least
    static constexpr int kLanes = 8;                   // that share the values of a bin
    static constexpr int kBlockBins = kThreads / kLanes;
    static constexpr int kMostBins = 2048, kBinsOfThread = kMostBins / kThreads;
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

/// s_sums: behind the first word, which is 0, those up to each bin, after clipping. Every thread of the block calls;
/// ends with a barrier.
__device__ inline void sum_clipped_bins(const CountPlan& plan, const DeepTables& tables, int plane, int tile,
                                        uint32_t bins, uint32_t* s_sums) {
    constexpr int kMost = DeepLinePolicy::kBinsOfThread;
    __shared__ uint32_t s_warp_sums[32];
    __shared__ uint32_t s_kept;
    const uint32_t clip = tables.clip(int(bins)), of_thread = (bins + blockDim.x - 1) / blockDim.x;
    const uint32_t first = threadIdx.x * of_thread;
    uint32_t counts[kMost] = {}, sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < kMost; ++i) {
        if (i >= of_thread || first + i >= bins) break;
        const uint32_t* d_count = plan.d_counts + plan.part_index(plane, tile, 0) * plan.part_words + first + i;
#pragma unroll 8
        for (int part = 0; part < plan.parts; ++part) counts[i] += __ldcg(d_count + size_t(part) * plan.part_words);
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
    clahe_deep_line_kernel(const CountPlan plan, const DeepTables tables, int blocks_of_tile) {
    using Policy = DeepLinePolicy;
    __shared__ uint32_t s_sums[Policy::kMostBins + 1];
    const int tile = int(blockIdx.x) / blocks_of_tile, plane = int(blockIdx.y);
    const uint32_t first_bin = uint32_t(int(blockIdx.x) % blocks_of_tile) * Policy::kBlockBins;
    pdl_wait();
    const ValueRange range = plan.range.get();
    const auto size = uint32_t(range.size()), spread = size - 1, lo = uint32_t(range.lo);
    const auto bins = uint32_t(Binning(range, plan.wanted_bins).bins());
    if (first_bin >= bins) return;
    sum_clipped_bins(plan, tables, plane, tile, bins, s_sums);

    // The values of a bin are lo - 1 + n, n = first ... last; those of a lane end before n_end.
    const uint32_t bin = min(first_bin + threadIdx.x / Policy::kLanes, bins - 1), lane = threadIdx.x % Policy::kLanes;
    const uint32_t first = bin * size / bins + 1, last = (bin + 1) * size / bins;
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
        return;
    }
    const uint32_t first_above = __shfl_sync(kFullWarp, entry.quotient, 0, Policy::kLanes);
    const auto nearest = uint32_t(__double2ll_rn(double(slope) * reciprocal * 0x1p16));
    EntryLine line{};
    bool found = false;
    for (int turn = 0; turn < 3; ++turn) {  // one of a hundred bins takes more than one
        const uint32_t line_step = nearest + (turn == 0 ? 0 : turn == 1 ? 1 : uint32_t(-1));
        const uint32_t k = n_begin - first, height_step = line_step - (step.quotient << 16);
        uint32_t height = line_step * k - ((entry.quotient - first_above) << 16);  // s k - 2^16 (y_k - y_0)
        int least = INT32_MAX, greatest = INT32_MIN;
        remainder = entry.remainder;
#pragma unroll 4
        for (uint32_t n = n_begin; n < n_end; ++n) {
            least = min(least, int(height));
            greatest = max(greatest, int(height));
            height += height_step - (carries() ? 1u << 16 : 0);
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
