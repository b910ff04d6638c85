// From the counts of two tiles to their tables, by one warp: a bin's two counts share a word, 16 bits each, and one
// clipping, one prefix sum by shuffles and one spreading serve both tiles.
#pragma once

#include <cstdint>

#include "gpu/ops/clahe/clahe_tuned_finish.cuh"
#include "gpu/ops/clahe/clahe_tuned_words.cuh"

namespace tonescope::clahe {

/// How tiles pair up, and what their tables need.
struct PairPlan {
    const uint8_t* d_input;
    size_t pitch_bytes;
    int width, height;  // of the image
    Geometry geometry;
    uint32_t clip;  // at most 65535; no clipping: 65535, which no bin exceeds
    bool spread;
    // [2 * (last row) + (last column)]
    uint32_t pixels[4] = {};
    FloatQuotient by_pixels[4] = {};
    uint32_t word_factors[4] = {};           // see PairParams::word_factor
    int pairs;                               // across the image
    int blocks_across = 0, blocks_down = 0;  // of the grid, in one plane
    int team = 1;                            // warps that count a pair together: a power of two
    uint8_t* d_tables;
};

/// What a warp needs to know of its two tiles.
struct PairParams {
    bool has_second;
    uint32_t pixels;  // the second tile's in the upper half
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

/// Both tiles' bins, the second one's in the upper halves of the words, from the pair's counters, which become zero.
__device__ inline void take_pair_bins(uint32_t* s_pair, uint32_t (&bins)[8]) {
    // Of eight lanes, which are served at once, four read their last bins first: each has banks of its own.
    const bool swapped = threadIdx.x & 4;
    auto* s_four = reinterpret_cast<uint4*>(s_pair + first_bin() + (swapped ? 4 : 0));
    auto* s_others = reinterpret_cast<uint4*>(s_pair + first_bin() + (swapped ? 0 : 4));
    const uint4 first = s_four[0], second = s_four[64], others0 = s_others[0], others1 = s_others[64];
    s_four[0] = s_four[64] = s_others[0] = s_others[64] = make_uint4(0, 0, 0, 0);
    const uint32_t one[4] = {__byte_perm(first.x, second.x, 0x5410), __byte_perm(first.y, second.y, 0x5410),
                             __byte_perm(first.z, second.z, 0x5410), __byte_perm(first.w, second.w, 0x5410)};
    const uint32_t other[4] = {__byte_perm(others0.x, others1.x, 0x5410), __byte_perm(others0.y, others1.y, 0x5410),
                               __byte_perm(others0.z, others1.z, 0x5410), __byte_perm(others0.w, others1.w, 0x5410)};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        bins[i] = swapped ? other[i] : one[i];
        bins[4 + i] = swapped ? one[i] : other[i];
    }
}

/// Clips the bins of a pair, makes sums of them and writes both tables.
__device__ inline void make_pair_tables(uint32_t (&bins)[8], const PairPlan& plan, const PairParams& facts,
                                        uint8_t* d_tables) {
    uint32_t excess = 0;  // of both
    if (plan.geometry.clips) {
        uint32_t kept = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) kept += bins[i] = __vminu2(bins[i], plan.clip * 0x10001u);
        excess = facts.pixels - warp_sum(kept);
    }
    constexpr uint32_t kLowBytes = 0x00ff00ffu;
    const uint32_t before = scan_bins(bins, excess >> 8 & kLowBytes);
    const uint32_t rest = plan.spread ? excess & kLowBytes : 0;
    const uint32_t step0 = kSpreadSteps.step[rest & 255], step1 = kSpreadSteps.step[rest >> 16];
    const uint32_t gain0 = step0 * first_bin() + 65536, gain1 = step1 * first_bin() + 65536;
#pragma unroll
    for (uint32_t i = 0; i < 8; ++i)
        bins[i] += before + __vminu2(__byte_perm(gain0 + i * step0, gain1 + i * step1, 0x7632), rest);

    if (facts.word_factor != 0) {
        uint32_t two[4];  // the first tile's entries in the lower halves
#pragma unroll
        for (int i = 0; i < 4; ++i)
            two[i] = __byte_perm(bins[2 * i] * facts.word_factor + 0x00800080u,
                                 bins[2 * i + 1] * facts.word_factor + 0x00800080u, 0x7351);
        store_entries(__byte_perm(two[0], two[1], 0x5410), __byte_perm(two[2], two[3], 0x5410), d_tables);
        if (facts.has_second)
            store_entries(__byte_perm(two[0], two[1], 0x7632), __byte_perm(two[2], two[3], 0x7632), d_tables + 256);
        return;
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        if (i == 1 && !facts.has_second) return;
        const FloatQuotient& by_pixels = i == 0 ? facts.by_first : facts.by_second;
        uint32_t entries[8];
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            const float sum = __uint_as_float(i == 0 ? bins[j] & 0xffffu : bins[j] >> 16);
            entries[j] = by_pixels.divide(sum * FloatQuotient::kLift);
        }
        store_entries(pack_bytes(entries[0], entries[1], entries[2], entries[3]),
                      pack_bytes(entries[4], entries[5], entries[6], entries[7]), d_tables + i * 256);
    }
}

}  // namespace tonescope::clahe
