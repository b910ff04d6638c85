// The blend of `tuned`: warps that march down strips of the image.
//
// Between four neighbouring centres of tiles lies a rectangle in which every pixel blends the same four tables. A warp
// takes a strip of 64 or 128 columns and keeps, for every rectangle across it, the four tables in shared memory,
// packed: the four entries of a value are one word, so that a pixel costs one look-up. When it comes to the next row of
// tiles, the lower halves of the words become the upper ones and the new row's tables fill the lower ones. Warps do not
// wait for each other.
//
// A lane owns one 16-byte vector of each row it takes. Horizontal weights stay in registers, vertical ones change by
// rows; two dp2a blend the upper and the lower pair of entries. The pixels of the next rows are already on their way to
// shared memory meanwhile.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "gpu/cuda/grid.cuh"
#include "gpu/ops/clahe/clahe_tuned_words.cuh"

namespace tonescope {

struct ClaheBlendPolicy {
    static constexpr int kWarps = 4;  // of a block
    static constexpr int kThreads = 32 * kWarps;
    static constexpr int kBlocks = 6;  // of a multiprocessor: what registers are meant to allow
    static constexpr int kAhead = 4;   // vectors of a lane on their way
    static constexpr int kNarrowStrip_px = 64, kWideStrip_px = 128;
    static constexpr int kNarrowTile_px = 32;               // from here on, strips are wide
    static constexpr int kLeastRows = 16, kMostRows = 512;  // of a warp
    /// Words of a packed table. Equal values in neighbouring tables fall into different banks.
    static constexpr int kTableWords = 256 + 4;
    static constexpr int kAtOnce = 5;  // tables whose loads are under way together
};

/// One axis. Weights are halved where the tile's side is even: all of them are even then.
struct BlendAxis {
    int side_px, tile_px, tiles;
    int halved;     // 1 or 0
    uint32_t full;  // sum of both weights

    BlendAxis(int side, int tile, int count)
        : side_px(side), tile_px(tile), tiles(count), halved(tile % 2 == 0), full(uint32_t(2 * tile) >> halved) {}
    /// The segment between centres that a position lies in: between tile segment - 1 and tile segment.
    __host__ __device__ int segment(int position) const { return (2 * position + tile_px) / (2 * tile_px); }
    __device__ int begin(int segment) const { return segment == 0 ? 0 : ((2 * segment - 1) * tile_px + 1) / 2; }
    __device__ uint32_t second_weight(int position, int segment) const {
        return uint32_t(2 * position + tile_px - 2 * tile_px * segment) >> halved;
    }
};

struct BlendPlan {
    const uint8_t* d_input;
    uint32_t pitch_bytes;  // offsets fit 32 bits: images have at most 2^29 pixels
    BlendAxis x, y;
    const uint8_t* d_tables;
    size_t plane_bytes;      // of tables
    FloatQuotient by_float;  // by the sum of the weights
    WordQuotient by_word;    // where by_float is not exact
    int lanes_across;        // of a warp's strip
    int strips;              // across the image
    int rows = 0;            // of a warp
    int tables;              // across a strip, at most
};

/// How the two blended entries of a row become its result. kFloat: see FloatQuotient; else in 32-bit integers.
template <bool kFloat>
struct RowBlend;
template <>
struct RowBlend<true> {
    float upper, lower;
    __device__ RowBlend(const BlendPlan& plan, uint32_t weight)
        : upper(float(plan.y.full - weight) * FloatQuotient::kLift), lower(float(weight) * FloatQuotient::kLift) {}
    __device__ uint32_t operator()(const BlendPlan& plan, uint32_t above, uint32_t below) const {
        return plan.by_float.divide(fmaf(__uint_as_float(above), upper, __uint_as_float(below) * lower));
    }
};
template <>
struct RowBlend<false> {
    uint32_t upper, lower;
    __device__ RowBlend(const BlendPlan& plan, uint32_t weight) : upper(plan.y.full - weight), lower(weight) {}
    __device__ uint32_t operator()(const BlendPlan& plan, uint32_t above, uint32_t below) const {
        return plan.by_word.divide(above * upper + (below * lower + plan.by_word.divisor() / 2));
    }
};

/// A warp's packed tables. The bytes of a word, from the lowest: upper left, upper right, lower left, lower right.
class PackedTables {
  public:
    /// `first`: the segment of the first table; `count`: tables across.
    __device__ PackedTables(const BlendPlan& plan, uint32_t* s_words, int first, int count)
        : plan_(plan), s_words_(s_words + threadIdx.x % 32 * 4), first_(first), count_(count) {}

    /// The lower entries become the upper ones; the tables of a row of tiles become the lower ones. For whole warps.
    __device__ void push(int row, int plane) {
        const uint32_t* d_row = reinterpret_cast<const uint32_t*>(plan_.d_tables + plane * plan_.plane_bytes +
                                                                  size_t(row) * size_t(plan_.x.tiles) * 256) +
                                threadIdx.x % 32;
        const auto load = [&](int tile) { return make_uint2(d_row[tile * 64], d_row[tile * 64 + 32]); };
        uint32_t* s_table = s_words_ + plane * plan_.tables * ClaheBlendPolicy::kTableWords;
        uint2 left = load(max(first_ - 1, 0));
        for (int table = 0; table < count_; table += ClaheBlendPolicy::kAtOnce) {
            uint2 right[ClaheBlendPolicy::kAtOnce];
#pragma unroll
            for (int i = 0; i < ClaheBlendPolicy::kAtOnce; ++i)
                if (table + i < count_) right[i] = load(min(first_ + table + i, plan_.x.tiles - 1));
            if (table == 0) __syncwarp();
#pragma unroll
            for (int i = 0; i < ClaheBlendPolicy::kAtOnce; ++i)
                if (table + i < count_) {
                    replace(s_table, left.x, right[i].x);
                    replace(s_table + 128, left.y, right[i].y);
                    left = right[i];
                    s_table += ClaheBlendPolicy::kTableWords;
                }
        }
    }

  private:
    /// Four words, whose new entries stand in `left` and `right`.
    __device__ static void replace(uint32_t* s_four, uint32_t left, uint32_t right) {
        uint4& four = *reinterpret_cast<uint4*>(s_four);
        const uint32_t low = __byte_perm(left, right, 0x5140), high = __byte_perm(left, right, 0x7362);
        four = make_uint4(__byte_perm(four.x, low, 0x5432), __byte_perm(four.y, low, 0x7632),
                          __byte_perm(four.z, high, 0x5432), __byte_perm(four.w, high, 0x7632));
    }
    const BlendPlan& plan_;
    uint32_t* s_words_;  // the lane's words of the first table: four, and four more 128 behind them
    int first_, count_;
};

/// Blocks of ClaheBlendPolicy::kThreads. Shared memory: blend_shared_bytes.
template <class Map, bool kFloat, class Sink>
__global__ void __launch_bounds__(ClaheBlendPolicy::kThreads, Map::kPlanes == 1 ? ClaheBlendPolicy::kBlocks : 2)
    clahe_tuned_blend_kernel(const BlendPlan plan, const Sink sink) {
    using Policy = ClaheBlendPolicy;
    constexpr int kPixels = kVector_bytes / int(sizeof(typename Map::In));
    extern __shared__ uint4 s_memory[];
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
    const int plane_words = plan.tables * Policy::kTableWords;
    uint4* const s_ahead = s_memory + threadIdx.x;
    uint32_t* const s_tables =
        reinterpret_cast<uint32_t*>(s_memory + Policy::kAhead * Policy::kThreads) + warp * Map::kPlanes * plane_words;

    const int index = int(blockIdx.x) * Policy::kWarps + warp, chunk = index / plan.strips;
    const int strip_x = (index - chunk * plan.strips) * plan.lanes_across * kPixels;
    const int y_begin = chunk * plan.rows, y_end = min(y_begin + plan.rows, plan.y.side_px);
    if (y_begin >= y_end) return;
    const int step = 32 / plan.lanes_across, first_row = lane / plan.lanes_across;
    const int x = strip_x + (lane - first_row * plan.lanes_across) * kPixels;
    const int inside = min(plan.x.side_px - x, kPixels);  // pixels of the vector; may be negative
    int y = y_begin + first_row;

    const int segment0 = plan.x.segment(strip_x);
    const int last_x = min(strip_x + plan.lanes_across * kPixels, plan.x.side_px) - 1;
    uint32_t weights[kPixels], tables[kPixels];  // left and right; addresses in shared memory
    {
        const int period = 2 * plan.x.tile_px, segment = plan.x.segment(x);
        int phase = 2 * x + plan.x.tile_px - period * segment;
        uint32_t table = shared_address(s_tables) + uint32_t(segment - segment0) * (Policy::kTableWords * 4);
#pragma unroll
        for (int i = 0; i < kPixels; ++i) {
            const uint32_t right = uint32_t(phase) >> plan.x.halved;
            weights[i] = __byte_perm(plan.x.full - right, right, 0x5410);
            tables[i] = table;
            phase += 2;
            const bool next = phase >= period;  // without a branch
            phase -= next ? period : 0;
            table += next ? Policy::kTableWords * 4 : 0;
        }
    }
    wait_for_kernel_before();

    int ahead_y = y, slot = 0;
    const auto ask = [&](int into) {
        if (inside == kPixels && ahead_y < y_end)
            __pipeline_memcpy_async(
                s_ahead + into * Policy::kThreads,
                plan.d_input + (uint32_t(ahead_y) * plan.pitch_bytes + uint32_t(x) * sizeof(typename Map::In)),
                kVector_bytes);
        __pipeline_commit();
        ahead_y += step;
    };
#pragma unroll
    for (int i = 0; i < Policy::kAhead; ++i) ask(i);

    PackedTables packed(plan, s_tables, segment0, plan.x.segment(last_x) - segment0 + 1);
    int segment_y = plan.y.segment(y_begin);
    for (int plane = 0; plane < Map::kPlanes; ++plane) packed.push(max(segment_y - 1, 0), plane);
    for (;;) {
        for (int plane = 0; plane < Map::kPlanes; ++plane) packed.push(min(segment_y, plan.y.tiles - 1), plane);
        __syncwarp();
        const int segment_end = min(plan.y.begin(segment_y + 1), y_end);
        for (; y < segment_end; y += step) {
            __pipeline_wait_prior(Policy::kAhead - 1);
            uint4 vector = s_ahead[slot * Policy::kThreads];
            ask(slot);
            slot = slot + 1 == Policy::kAhead ? 0 : slot + 1;
            if (inside <= 0) continue;
            uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
            if (inside < kPixels) {
                words[0] = words[1] = words[2] = words[3] = 0;
                const uint8_t* d_row = plan.d_input + uint32_t(y) * plan.pitch_bytes;
                constexpr int kInWord = kPixels / 4;
#pragma unroll
                for (int i = 0; i < kPixels; ++i)
                    if (i < inside) words[i / kInWord] |= load_pixel<Map>(d_row, x + i) << (i % kInWord * 8);
            }
            const RowBlend<kFloat> blend(plan, plan.y.second_weight(y, segment_y));
            uint32_t values[Map::kPlanes][kPixels];
#pragma unroll
            for (int plane = 0; plane < Map::kPlanes; ++plane)
#pragma unroll
                for (int i = 0; i < kPixels; ++i) {
                    const PackedValue value = packed_value<Map>(words, i, plane);
                    const uint32_t at = byte_times(value.word, value.byte, 4, tables[i]) + plane * plane_words * 4;
                    const uint32_t four = load_shared(at);
                    values[plane][i] = blend(plan, __dp2a_lo(weights[i], four, 0u), __dp2a_hi(weights[i], four, 0u));
                }
            const auto result = packed_result<Map, kPixels>(words, values);
            if (inside == kPixels)
                store_result(sink, uint32_t(x), uint32_t(y), result);
            else
                store_pixels(sink, uint32_t(x), uint32_t(y), result, uint32_t(inside));
        }
        if (segment_end >= y_end) return;
        ++segment_y;
    }
}

}  // namespace tonescope
