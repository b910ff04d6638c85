// From a tile's counts to its table, by one warp whose lanes hold eight bins next to each other. Of two small tiles a
// bin's counts share a word, 16 bits each, and one clipping, one prefix sum by shuffles and one spreading serve both.
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/short_quotient.cuh"
#include "gpu/ops/clahe/clahe_tiles.cuh"
#include "gpu/ops/clahe/tuned/packed_pixels.cuh"
#include "gpu/ops/clahe/tuned/quotients.cuh"

namespace tonescope::clahe {

/// Spreading e excess pixels adds min(e, floor(b / s) + 1) to the inclusive sum of bin b, s = floor(256 / e). For e
/// from 1 on: ceil(2^16 / s), whose products with b + s, shifted down by 16, are the second term: b is below 256, and
/// the rounding of the factor below 1.
struct SpreadSteps {
    uint32_t step[256];
    constexpr SpreadSteps() : step{} {
        for (uint32_t e = 0; e < 256; ++e) {
            const uint32_t stride = e == 0 ? 256 : 256 / e;
            step[e] = (65536 + stride - 1) / stride;
        }
    }
};
__constant__ constexpr SpreadSteps kSpreadSteps{};

/// The same for the rest of a tile's excess under each `excess`: of bin b, (b * step + first) / 65536, at most `rest`.
struct RestSteps {
    uint32_t rest, step, first;
    __device__ RestSteps(uint32_t excess, Excess spread) : rest(spread == excess_drop ? 0 : excess & 255) {
        const bool evenly = spread == excess_evenly;  // floor((b + 1) rest / 256)
        step = evenly ? rest << 8 : kSpreadSteps.step[rest];
        first = evenly ? step : 65536;
    }
};

/// The first of a lane's eight bins.
__device__ inline unsigned first_bin() {
    return threadIdx.x % 32 * 8;
}

/// Adds `lift` to every bin and makes prefix sums of the lane's bins. Returns the sum of the lanes before.
__device__ inline uint32_t scan_bins(uint32_t (&bins)[8], uint32_t lift) {
#pragma unroll
    for (int i = 0; i < 8; ++i) bins[i] += i == 0 ? lift : bins[i - 1] + lift;
    return warp_inclusive_scan(bins[7]) - bins[7];
}

/// Writes the lane's entries, four to a word.
__device__ inline void store_entries(uint32_t first_four, uint32_t last_four, uint8_t* d_table) {
    reinterpret_cast<uint2*>(d_table)[threadIdx.x % 32] = make_uint2(first_four, last_four);
}

__device__ inline void store_entries(const uint32_t (&entries)[8], uint8_t* d_table) {
    store_entries(pack_bytes(entries[0], entries[1], entries[2], entries[3]),
                  pack_bytes(entries[4], entries[5], entries[6], entries[7]), d_table);
}

/// A value that does not count and stays as it is.
struct LeftOut {
    int32_t value = kNothingLeftOut;
    uint32_t* d_counted = nullptr;  // of each table, where there is such a value: the pixels that count
};

/// Writes the table of a tile of `pixels` that count, clipped at `clip`, by one warp whose lanes hold eight bins each.
/// by_twice_pixels: Reciprocal<uint64_t> or ShortQuotient. `left_out`: a value that stays as it is, or kNothingLeftOut.
template <class Quotient>
__device__ inline void make_table(uint32_t (&bins)[8], const Geometry& geometry, uint32_t clip, uint32_t pixels,
                                  const Quotient& by_twice_pixels, int32_t left_out, uint8_t* d_table) {
    uint32_t excess = 0;
    if (geometry.clips) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const uint32_t kept = min(bins[i], clip);
            excess += bins[i] - kept;
            bins[i] = kept;
        }
        excess = warp_sum(excess);
    }
    const uint32_t before = scan_bins(bins, excess / 256);
    const RestSteps steps(excess, geometry.excess);
    uint32_t entries[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const uint32_t bin = first_bin() + unsigned(i);
        const uint32_t gained = min((steps.step * bin + steps.first) >> 16, steps.rest);
        const uint32_t entry = uint32_t(by_twice_pixels.divide(uint64_t{510} * (bins[i] + before + gained) + pixels));
        entries[i] = int32_t(bin) == left_out ? bin : entry;
    }
    store_entries(entries, d_table);
}

/// The same of a tile of `pixels` in all, of which those of the value that is left out do not count. d_table: in all
/// tables, which begin at d_tables.
__device__ inline void make_counted_table(uint32_t (&bins)[8], const Geometry& geometry, uint32_t pixels,
                                          const LeftOut& left_out, const uint8_t* d_tables, uint8_t* d_table) {
    uint32_t left = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        if (int32_t(first_bin()) + i != left_out.value) continue;
        left = bins[i];
        bins[i] = 0;
    }
    const uint32_t counted = pixels - warp_sum(left);
    if (threadIdx.x % 32 == 0) left_out.d_counted[(d_table - d_tables) / 256] = counted;
    const auto clip = geometry.clips ? uint32_t(min(geometry.clip_at(256, counted, pixels), int64_t{UINT32_MAX})) : 0;
    make_table(bins, geometry, clip, counted, ShortQuotient(2 * max(counted, 1u)), left_out.value, d_table);
}

/// How tiles pair up, and what their tables need.
struct PairPlan {
    const uint8_t* d_input;
    size_t pitch_bytes;
    int width, height;  // of the image
    Geometry geometry;
    uint32_t clip;  // at most 65535
    // For the four kinds of tiles, [2 * (last row) + (last column)]:
    uint32_t pixels[4] = {};
    FloatQuotient by_pixels[4] = {};
    uint32_t word_factors[4] = {};           // see PairParams::word_factor
    int pairs;                               // across the image
    int blocks_across = 0, blocks_down = 0;  // of the grid, in one plane
    int team = 1;                            // warps that count a pair together: a power of two
    uint8_t* d_tables;
    LeftOut left_out;
};

/// What a warp needs to know of its two tiles.
struct PairParams {
    bool has_second;
    uint32_t pixels;  // those of the second tile stand in the upper half
    FloatQuotient by_first, by_second;
    /// 255 * 256 / A where that is whole and the same for both tiles, else 0. Then a sum times the factor, plus 128, is
    /// its entry in the upper byte of 16 bits, and both tiles' sums can be multiplied in one word.
    uint32_t word_factor;

    __device__ PairParams(const PairPlan& plan, int pair, bool last_row) {
        const int columns = plan.geometry.columns, first = 2 * pair;
        const auto choose = [&](const auto(&of)[4], bool last_column) {
            return last_row ? (last_column ? of[3] : of[2]) : (last_column ? of[1] : of[0]);
        };
        has_second = first + 1 < columns;
        pixels = choose(plan.pixels, !has_second);
        by_first = choose(plan.by_pixels, !has_second);
        by_second = choose(plan.by_pixels, first + 2 == columns);
        word_factor = choose(plan.word_factors, !has_second);
        if (!has_second) return;
        pixels |= choose(plan.pixels, first + 2 == columns) << 16;
        if (choose(plan.word_factors, first + 2 == columns) != word_factor) word_factor = 0;
    }
};

/// Packs a bin's two counts into one word.
__device__ inline uint32_t both_tiles(uint32_t first, uint32_t second) {
    return __byte_perm(first, second, bytes::kLowerHalves);
}

/// Takes both tiles' bins from the pair's counters, which become zero. Those of the second tile stand in the upper
/// halves of the words.
__device__ inline void take_pair_bins(uint32_t* s_pair, uint32_t (&bins)[8]) {
    // Of eight lanes, which are served at once, four read their last bins first: each has banks of its own.
    const bool swapped = threadIdx.x & 4;
    constexpr int kSecondTile = 256 / 4;  // vectors from a bin of the first tile to that of the second one
    auto* s_four = reinterpret_cast<uint4*>(s_pair + first_bin() + (swapped ? 4 : 0));
    auto* s_others = reinterpret_cast<uint4*>(s_pair + first_bin() + (swapped ? 0 : 4));
    const uint4 first = s_four[0], second = s_four[kSecondTile];
    const uint4 others0 = s_others[0], others1 = s_others[kSecondTile];
    s_four[0] = s_four[kSecondTile] = s_others[0] = s_others[kSecondTile] = make_uint4(0, 0, 0, 0);
    const uint32_t one[4] = {both_tiles(first.x, second.x), both_tiles(first.y, second.y),
                             both_tiles(first.z, second.z), both_tiles(first.w, second.w)};
    const uint32_t other[4] = {both_tiles(others0.x, others1.x), both_tiles(others0.y, others1.y),
                               both_tiles(others0.z, others1.z), both_tiles(others0.w, others1.w)};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        bins[i] = swapped ? other[i] : one[i];
        bins[4 + i] = swapped ? one[i] : other[i];
    }
}

/// Clips the bins of a pair and makes prefix sums of them, with the excess spread out.
__device__ inline void sum_pair_bins(uint32_t (&bins)[8], const PairPlan& plan, uint32_t pixels) {
    uint32_t excess = 0;  // of both tiles, in halves
    if (plan.geometry.clips) {
        uint32_t kept = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) kept += bins[i] = __vminu2(bins[i], plan.clip * 0x10001u);
        excess = pixels - warp_sum(kept);
    }
    constexpr uint32_t kLowBytes = 0x00ff00ffu;
    const uint32_t before = scan_bins(bins, excess >> 8 & kLowBytes);
    const RestSteps steps0(excess, plan.geometry.excess), steps1(excess >> 16, plan.geometry.excess);
    const uint32_t rest = steps0.rest | steps1.rest << 16;
    const uint32_t gain0 = steps0.step * first_bin() + steps0.first, gain1 = steps1.step * first_bin() + steps1.first;
#pragma unroll
    for (uint32_t i = 0; i < 8; ++i)
        bins[i] +=
            before + __vminu2(__byte_perm(gain0 + i * steps0.step, gain1 + i * steps1.step, bytes::kUpperHalves), rest);
}

/// Writes both tables where one factor serves both tiles: a multiplication makes an entry of each.
__device__ inline void store_by_word_factor(const uint32_t (&sums)[8], uint32_t factor, bool has_second,
                                            uint8_t* d_tables) {
    constexpr uint32_t kHalves = 0x00800080u;  // 1/2 for the upper bytes
    uint32_t two[4];                           // the first tile's entries in the lower halves
#pragma unroll
    for (int i = 0; i < 4; ++i)
        two[i] = __byte_perm(sums[2 * i] * factor + kHalves, sums[2 * i + 1] * factor + kHalves, bytes::kInterleaveOdd);
    store_entries(__byte_perm(two[0], two[1], bytes::kLowerHalves), __byte_perm(two[2], two[3], bytes::kLowerHalves),
                  d_tables);
    if (has_second)
        store_entries(__byte_perm(two[0], two[1], bytes::kUpperHalves),
                      __byte_perm(two[2], two[3], bytes::kUpperHalves), d_tables + 256);
}

/// Writes the table of the pair's first or second tile.
__device__ inline void store_by_quotient(const uint32_t (&sums)[8], bool second, const FloatQuotient& by_pixels,
                                         uint8_t* d_table) {
    uint32_t entries[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const uint32_t sum = second ? sums[i] >> 16 : sums[i] & 0xffffu;
        entries[i] = by_pixels.divide(FloatQuotient::weigh(sum, FloatQuotient::kLift));
    }
    store_entries(entries, d_table);
}

/// Writes both tables of a pair of tiles whose counts are `bins`.
__device__ inline void make_pair_tables(uint32_t (&bins)[8], const PairPlan& plan, const PairParams& params,
                                        uint8_t* d_tables) {
    if (plan.left_out.value != kNothingLeftOut) {
#pragma unroll 1
        for (uint32_t tile = 0; tile < (params.has_second ? 2 : 1); ++tile) {
            uint32_t own[8];
#pragma unroll
            for (int i = 0; i < 8; ++i) own[i] = bins[i] >> (16 * tile) & 0xffffu;
            make_counted_table(own, plan.geometry, params.pixels >> (16 * tile) & 0xffffu, plan.left_out, plan.d_tables,
                               d_tables + 256 * tile);
        }
        return;
    }
    sum_pair_bins(bins, plan, params.pixels);
    if (params.word_factor != 0) {
        store_by_word_factor(bins, params.word_factor, params.has_second, d_tables);
        return;
    }
    store_by_quotient(bins, false, params.by_first, d_tables);
    if (params.has_second) store_by_quotient(bins, true, params.by_second, d_tables + 256);
}

}  // namespace tonescope::clahe
