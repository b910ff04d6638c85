// Tables of many small tiles: a warp makes two tables at a time, side by side, and waits for nobody. Where tiles are
// too few for that, several warps count a pair, and one of them makes its tables.
//
// The lanes read both tiles' rows in words and count into two histograms in shared memory with plain increments, which
// the hardware merges where lanes of a warp meet in a bin, and make tables of these (clahe_tuned_pair_tables.cuh).
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/kernels/prefetch.cuh"
#include "gpu/ops/clahe/clahe_tuned_pair_tables.cuh"

namespace tonescope::clahe {

struct PairPolicy {
    static constexpr int kWarps = 8;  // of a block
    static constexpr int kThreads = 32 * kWarps;
    static constexpr int kBlocks = 4;             // of a multiprocessor: what registers are meant to allow
    static constexpr int kVectorsInFlight = 4;    // loads of a lane
    static constexpr int kMaxPixels = 128 * 128;  // of a tile; larger ones need more than a block
    static constexpr int kMaxRows = 12;           // of tiles that a warp makes one after the other
    static constexpr int kFewPixels = 24 * 24;    // tiles up to here gain from it
};

/// What a lane reads at once: 4 pixels, or 16 gray ones where no tile's border divides them.
template <class Map, bool kWide>
struct PairUnit {
    static constexpr bool kGray = sizeof(typename Map::In) == 1;
    static_assert(kGray || !kWide);
    static constexpr int kPixels = kWide ? 16 : 4;
    static constexpr int kBorders = kWide ? 1 : 4;  // pixels that may belong to different tiles
    using Word = std::conditional_t<kGray && !kWide, uint32_t, uint4>;
    /// Whether 32 lanes suffice for two tiles, one unit each.
    static bool once(int tile_width, int tile_height) {
        const int pair_px = 2 * tile_width, units = pair_px / kPixels + (pair_px % kPixels == 0 ? 0 : 2);
        return units * tile_height <= 32;
    }
    static __device__ void split(uint32_t word, uint32_t (&words)[4]) { words[0] = word; }
    static __device__ void split(uint4 word, uint32_t (&words)[4]) {
        words[0] = word.x, words[1] = word.y, words[2] = word.z, words[3] = word.w;
    }
};

/// Blocks of PairPolicy::kThreads. kOnce: no lane has more than one unit of a pair of tiles (PairUnit::once).
template <class Map, bool kWide, bool kOnce>
__global__ void __launch_bounds__(PairPolicy::kThreads, PairPolicy::kBlocks)
    clahe_tuned_pair_kernel(const PairPlan plan) {
    using Policy = PairPolicy;
    using Unit = PairUnit<Map, kWide>;
    constexpr int kPixels = Unit::kPixels, kPairWords = 2 * 256;
    __shared__ __align__(16) uint32_t s_words[Policy::kWarps * kPairWords + 256];  // the last 256: of neither tile
    const Geometry& g = plan.geometry;
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

    const int band = down - plane * plan.blocks_down;
    const int row_begin = band * g.rows / plan.blocks_down, row_end = (band + 1) * g.rows / plan.blocks_down;
    uint8_t* d_tables =
        plan.d_tables +
        ((size_t(plane) * size_t(g.rows) + size_t(row_begin)) * size_t(g.columns) + 2 * size_t(pair)) * 256;
    PairParams facts(plan, pair, false);

    const auto count_unit = [&](typename Unit::Word unit_word, const uint32_t(&zeros)[Unit::kBorders]) {
        uint32_t words[4];
        Unit::split(unit_word, words);
#pragma unroll
        for (int i = 0; i < kPixels; ++i) count(words, i, zeros[i % Unit::kBorders]);
    };
    // What lies behind the image may never have been written: pixel by pixel.
    const auto count_cut_unit = [&](const uint8_t* d_unit, int x) {
        for (int i = 0; x + i < plan.width; ++i) {
            const uint32_t word = load_pixel<Map>(d_unit, i);
            count(&word, 0, bin_zero(x + i));
        }
    };
    const auto load = [](const uint8_t* d_unit) { return *reinterpret_cast<const typename Unit::Word*>(d_unit); };
    const auto set_zeros = [&](int x, uint32_t(&zeros)[Unit::kBorders]) {
#pragma unroll
        for (int i = 0; i < Unit::kBorders; ++i) zeros[i] = bin_zero(x + i);
    };

    // kOnce: the lane's unit in the first row of tiles, then in the next one: on its way while tables are made.
    const int x_once = (first_unit + first_column) * kPixels;
    const bool has_unit = first_column < units && first_row < min(warp_step, g.tile_height);
    const bool has_whole_unit = has_unit && x_once + kPixels <= plan.width;
    const size_t tile_row_bytes = size_t(g.tile_height) * plan.pitch_bytes;
    int y_once = row_begin * g.tile_height + first_row;
    const uint8_t* d_once =
        plan.d_input + size_t(y_once) * plan.pitch_bytes + size_t(x_once) * sizeof(typename Map::In);
    uint32_t zeros_once[Unit::kBorders];
    typename Unit::Word next{};
    if constexpr (kOnce) {
        set_zeros(x_once, zeros_once);
        if (has_unit && y_once < plan.height) prefetch_to_l2(d_once);
    }
    pdl_wait_and_trigger();
    if (kOnce && has_whole_unit && y_once < plan.height) next = load(d_once);

    for (int row = row_begin; row < row_end; ++row) {
        __syncwarp();
        const int y_begin = row * g.tile_height, y_end = min(y_begin + g.tile_height, g.padded_height);
        const int y_inside = min(y_end, plan.height);
        if constexpr (kOnce) {
            if (has_unit && y_once < plan.height) {
                if (has_whole_unit)
                    count_unit(next, zeros_once);
                else
                    count_cut_unit(d_once, x_once);
            }
            y_once += g.tile_height;
            d_once += tile_row_bytes;
            if (row + 1 < row_end && has_whole_unit && y_once < plan.height) next = load(d_once);
        } else {
            // The loop over units has one turn, up to 32 units across.
            for (int unit = first_column; unit < units && warp_row < warp_step; unit += 32) {
                const int x = (first_unit + unit) * kPixels;
                uint32_t zeros[Unit::kBorders];
                set_zeros(x, zeros);
                const size_t step_bytes = size_t(step) * plan.pitch_bytes;
                const uint8_t* d_unit = plan.d_input + size_t(y_begin + first_row) * plan.pitch_bytes +
                                        size_t(x) * sizeof(typename Map::In);
                int left = y_inside - y_begin - first_row;  // rows from the lane's next one on
                if (x + kPixels > plan.width) {
                    for (; left > 0; left -= step, d_unit += step_bytes) count_cut_unit(d_unit, x);
                    continue;
                }
                for (; left > (Policy::kVectorsInFlight - 1) * step; left -= Policy::kVectorsInFlight * step) {
                    typename Unit::Word batch[Policy::kVectorsInFlight];
#pragma unroll
                    for (int i = 0; i < Policy::kVectorsInFlight; ++i, d_unit += step_bytes) batch[i] = load(d_unit);
#pragma unroll
                    for (int i = 0; i < Policy::kVectorsInFlight; ++i) count_unit(batch[i], zeros);
                }
                for (; left > 0; left -= step, d_unit += step_bytes) count_unit(load(d_unit), zeros);
            }
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
        if (!kOnce && plan.team > 1) {
            __syncthreads();
            if (member > 0 || pair >= plan.pairs) return;
        }
        uint32_t bins[8];
        take_pair_bins(s_pair, bins);
        if (row == g.rows - 1) facts = PairParams(plan, pair, true);
        make_pair_tables(bins, plan, facts, d_tables);
        d_tables += size_t(g.columns) * 256;
    }
}

}  // namespace tonescope::clahe
