// Tables of many small tiles: a warp makes two tables at a time, side by side, and waits for nobody. Where tiles are
// too few for that, several warps count a pair, and one of them makes its tables.
//
// The lanes read both tiles' rows in words and count into two histograms in shared memory with plain increments, which
// the hardware merges where lanes of a warp meet in a bin. Then a bin's two counts share a word, 16 bits each, and one
// clipping, one prefix sum by shuffles and one spreading serve both tiles.
#pragma once

#include <cstdint>

#include "gpu/cuda/grid.cuh"
#include "gpu/ops/clahe/clahe_tuned_finish.cuh"
#include "gpu/ops/clahe/clahe_tuned_words.cuh"

namespace tonescope {

struct ClahePairPolicy {
    static constexpr int kWarps = 8;  // of a block
    static constexpr int kThreads = 32 * kWarps;
    static constexpr int kBlocks = 4;              // of a multiprocessor: what registers are meant to allow
    static constexpr int kAtOnce = 4;              // loads of a lane
    static constexpr int kMostPixels = 128 * 128;  // of a tile; larger ones need more than a block
    static constexpr int kMostRows = 12;           // of tiles that a warp makes one after the other
    static constexpr int kFewPixels = 24 * 24;     // tiles up to here gain from it
};

struct PairPlan {
    const uint8_t* d_input;
    size_t pitch_bytes;
    int width, height;  // of the image
    ClaheGeometry geometry;
    uint32_t clip;  // at most 65535; no clipping: 65535, which no bin exceeds
    bool spread;
    // [2 * (last row) + (last column)]
    uint32_t pixels[4] = {};
    FloatQuotient by_pixels[4] = {};
    int pairs;                               // across the image
    int blocks_across = 0, blocks_down = 0;  // of the grid, in one plane
    int rows_of_block = 1;                   // of tiles; more only where team is 1
    int team = 1;                            // warps that count a pair together: a power of two
    uint8_t* d_tables;
};

/// What a warp needs to know of its two tiles.
struct PairFacts {
    bool has_second;
    uint32_t pixels;  // the second tile's in the upper half
    FloatQuotient by_first, by_second;

    __device__ PairFacts(const PairPlan& plan, int pair, bool last_row) {
        const int columns = plan.geometry.columns, first = 2 * pair;
        const auto choose = [&](const auto(&of)[4], bool last_column) {
            return last_row ? (last_column ? of[3] : of[2]) : (last_column ? of[1] : of[0]);
        };
        has_second = first + 1 < columns;
        pixels = choose(plan.pixels, !has_second);
        by_first = choose(plan.by_pixels, !has_second);
        by_second = choose(plan.by_pixels, first + 2 == columns);
        if (has_second) pixels |= choose(plan.pixels, first + 2 == columns) << 16;
    }
};

/// What a lane reads at once: 4 pixels, or 16 gray ones where no tile's border divides them.
template <class Map, bool kWide>
struct PairUnit {
    static constexpr bool kGray = sizeof(typename Map::In) == 1;
    static_assert(kGray || !kWide);
    static constexpr int kPixels = kWide ? 16 : 4;
    static constexpr int kBorders = kWide ? 1 : 4;  // pixels that may belong to different tiles
    using Word = std::conditional_t<kGray && !kWide, uint32_t, uint4>;
    static __device__ void split(uint32_t word, uint32_t (&words)[4]) { words[0] = word; }
    static __device__ void split(uint4 word, uint32_t (&words)[4]) {
        words[0] = word.x, words[1] = word.y, words[2] = word.z, words[3] = word.w;
    }
};

/// Blocks of ClahePairPolicy::kThreads.
template <class Map, bool kWide>
__global__ void __launch_bounds__(ClahePairPolicy::kThreads, ClahePairPolicy::kBlocks)
    clahe_tuned_pair_kernel(const PairPlan plan) {
    using Policy = ClahePairPolicy;
    using Unit = PairUnit<Map, kWide>;
    constexpr int kPixels = Unit::kPixels, kPairWords = 2 * 256;
    __shared__ __align__(16) uint32_t s_words[Policy::kWarps * kPairWords + 256];  // the last 256: of neither tile
    const ClaheGeometry& g = plan.geometry;
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
    const int down = int(blockIdx.x) / plan.blocks_across, plane = down / plan.blocks_down;
    const int team = warp / plan.team, member = warp - team * plan.team;
    const int pair = (int(blockIdx.x) - down * plan.blocks_across) * (Policy::kWarps / plan.team) + team;
    if (plan.team == 1 && pair >= plan.pairs) return;
    uint32_t* const s_pair = s_words + team * kPairWords;
    const uint32_t zero_address = shared_address(s_words);

    const int x_begin = 2 * pair * g.tile_width, x_middle = x_begin + g.tile_width;
    const int x_end = min(x_middle + g.tile_width, g.padded_width), x_inside = min(x_end, plan.width);
    const int first_unit = x_begin / kPixels, units = (x_inside + kPixels - 1) / kPixels - first_unit;  // across
    const int across = min(max(units, 1), 32);
    const float by_across = 1 / float(across);
    const int warp_step = int(32.5F * by_across), warp_row = int((float(lane) + 0.5F) * by_across);
    const int first_column = lane - warp_row * across;
    const int step = warp_step * plan.team, first_row = warp_row + warp_step * member;

    const auto bin_zero = [&](int x) {  // the address of bin 0 of column x's tile
        const int tile = x < x_begin || x >= x_inside ? Policy::kWarps * 2 : team * 2 + (x >= x_middle);
        return zero_address + uint32_t(tile) * 1024;
    };
    const auto count = [&](const uint32_t* words, int pixel, uint32_t zero) {
        const PackedValue value = packed_value<Map>(words, pixel, plane);
        count_shared(byte_times(value.word, value.byte, 4, zero));
    };
#pragma unroll
    for (int i = 0; i < 4; ++i) reinterpret_cast<uint4*>(s_pair)[lane + 32 * i] = make_uint4(0, 0, 0, 0);
    if (plan.team > 1) __syncthreads();
    wait_for_kernel_before();

    const int row_begin = (down - plane * plan.blocks_down) * plan.rows_of_block;
    const int row_end = min(row_begin + plan.rows_of_block, g.rows);
    uint8_t* d_tables =
        plan.d_tables +
        ((size_t(plane) * size_t(g.rows) + size_t(row_begin)) * size_t(g.columns) + 2 * size_t(pair)) * 256;
    PairFacts facts(plan, pair, false);
    for (int row = row_begin; row < row_end; ++row) {
        __syncwarp();
        const int y_begin = row * g.tile_height, y_end = min(y_begin + g.tile_height, g.padded_height);
        const int y_inside = min(y_end, plan.height);
        for (int unit = first_column; unit < units && warp_row < warp_step;
             unit += 32) {  // once, up to 32 units across
            const int x = (first_unit + unit) * kPixels;
            uint32_t zeros[Unit::kBorders];
#pragma unroll
            for (int i = 0; i < Unit::kBorders; ++i) zeros[i] = bin_zero(x + i);
            const size_t step_bytes = size_t(step) * plan.pitch_bytes;
            const uint8_t* d_unit =
                plan.d_input + size_t(y_begin + first_row) * plan.pitch_bytes + size_t(x) * sizeof(typename Map::In);
            int left = y_inside - y_begin - first_row;  // rows from the lane's next one on
            if (x + kPixels > plan.width) {             // what lies behind the image may never have been written
                for (; left > 0; left -= step, d_unit += step_bytes)
                    for (int i = 0; x + i < plan.width; ++i) {
                        const uint32_t word = load_pixel<Map>(d_unit, i);
                        count(&word, 0, bin_zero(x + i));
                    }
                continue;
            }
            const auto count_unit = [&](typename Unit::Word unit_word) {
                uint32_t words[4];
                Unit::split(unit_word, words);
#pragma unroll
                for (int i = 0; i < kPixels; ++i) count(words, i, zeros[i % Unit::kBorders]);
            };
            for (; left > (Policy::kAtOnce - 1) * step; left -= Policy::kAtOnce * step) {
                typename Unit::Word batch[Policy::kAtOnce];
#pragma unroll
                for (int i = 0; i < Policy::kAtOnce; ++i, d_unit += step_bytes)
                    batch[i] = *reinterpret_cast<const typename Unit::Word*>(d_unit);
#pragma unroll
                for (int i = 0; i < Policy::kAtOnce; ++i) count_unit(batch[i]);
            }
            for (; left > 0; left -= step, d_unit += step_bytes)
                count_unit(*reinterpret_cast<const typename Unit::Word*>(d_unit));
        }
        if (x_end > x_inside || y_end > y_inside) {  // what pads the image
            for (int y = y_begin + member; y < y_end; y += plan.team) {
                const uint8_t* d_row = plan.d_input + size_t(mirror_index(y, plan.height)) * plan.pitch_bytes;
                for (int x = (y < y_inside ? max(x_inside, x_begin) : x_begin) + lane; x < x_end; x += 32) {
                    const uint32_t word = load_pixel<Map>(d_row, mirror_index(x, plan.width));
                    count(&word, 0, zero_address + uint32_t(team * 2 + (x >= x_middle)) * 1024);
                }
            }
        }
        __syncwarp();
        if (plan.team > 1) {
            __syncthreads();
            if (member > 0 || pair >= plan.pairs) return;
        }

        uint32_t bins[8];  // the second tile's in the upper halves
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            uint4* s_four = reinterpret_cast<uint4*>(s_pair + first_bin(i));
            const uint4 first = s_four[0], second = s_four[64];
            s_four[0] = s_four[64] = make_uint4(0, 0, 0, 0);
            bins[4 * i] = __byte_perm(first.x, second.x, 0x5410);
            bins[4 * i + 1] = __byte_perm(first.y, second.y, 0x5410);
            bins[4 * i + 2] = __byte_perm(first.z, second.z, 0x5410);
            bins[4 * i + 3] = __byte_perm(first.w, second.w, 0x5410);
        }
        if (row == g.rows - 1) facts = PairFacts(plan, pair, true);
        uint32_t excess = 0;  // of both
        if (g.clips) {
            uint32_t kept = 0;
#pragma unroll
            for (int i = 0; i < 8; ++i) kept += bins[i] = __vminu2(bins[i], plan.clip * 0x10001u);
            excess = facts.pixels - warp_sum(kept);
        }
        constexpr uint32_t kLowBytes = 0x00ff00ffu;
        scan_bins(bins, excess >> 8 & kLowBytes);
        const uint32_t rest = plan.spread ? excess & kLowBytes : 0;
        if (rest != 0) {
            const uint32_t step0 = kSpreadSteps.step[rest & 255], step1 = kSpreadSteps.step[rest >> 16];
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                uint32_t gain0 = step0 * first_bin(half) + 65536, gain1 = step1 * first_bin(half) + 65536;
#pragma unroll
                for (int i = 0; i < 4; ++i, gain0 += step0, gain1 += step1)
                    bins[4 * half + i] += __vminu2(__byte_perm(gain0, gain1, 0x7632), rest);
            }
        }
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            if (i == 1 && !facts.has_second) break;
            const FloatQuotient& by_pixels = i == 0 ? facts.by_first : facts.by_second;
            uint32_t entries[8];
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                const float sum = __uint_as_float(i == 0 ? bins[j] & 0xffffu : bins[j] >> 16);
                entries[j] = by_pixels.divide(sum * FloatQuotient::kLift);
            }
            store_entries(entries, d_tables + i * 256);
        }
        d_tables += size_t(g.columns) * 256;
    }
}

}  // namespace tonescope
