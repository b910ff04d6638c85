// The blend of `tuned`: warps that march down strips of the image.
//
// Between four neighbouring centres of tiles lies a rectangle in which every pixel blends the same four tables. A warp
// takes a strip of 64 or 128 columns and keeps, for every rectangle across it, the four tables in shared memory,
// packed: the four entries of a value are one word, so that a pixel costs one look-up. When it comes to the next row of
// tiles, the lower halves of the words become the upper ones and the new row's tables fill the lower ones. Warps do not
// wait for each other.
//
// A lane owns one 16-byte vector of each row it takes. Horizontal weights stay in registers, vertical ones change by
// rows; two dp2a blend the upper and the lower pair of entries. The pixels of the next rows and the tables of the next
// row of tiles are already on their way to shared memory meanwhile.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/ops/clahe/clahe_tuned_words.cuh"

namespace tonescope::clahe {

struct BlendPolicy {
    static constexpr int kWarps = 4;  // of a block
    static constexpr int kThreads = 32 * kWarps;
    static constexpr int kBlocks = 6;  // of a multiprocessor: what registers are meant to allow
    static constexpr int kAhead = 4;   // vectors of a lane on their way
    static constexpr int kNarrowStrip_px = 64, kWideStrip_px = 128;
    static constexpr int kWideTile_px = 64, kWideRows = 32;  // from both on, strips are wide
    static constexpr int kMinRows = 16, kMaxRows = 512;      // of a warp
    static constexpr int kRawWords = 256 / 4;                // of a table before it is packed
    static constexpr int kVectorsInFlight = 5;               // tables that are packed together
};

/// How the sum of the weighted entries is divided by that of the weights: FloatQuotient, or WordQuotient where the
/// former is not exact, with the quotient in a byte of a product or without.
enum class BlendQuotient { kFloat, kByte, kWord };

/// Words of a packed table. Small tiles: equal values in neighbouring tables fall into different banks. Large ones:
/// addresses are put together bit by bit.
constexpr int table_words(BlendQuotient quotient) {
    return quotient == BlendQuotient::kFloat ? 256 + 4 : 256;
}

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
    int lanes_across = 0;    // of a warp's strip: 1 << lanes_log2
    int lanes_log2 = 0;
    int strips = 0;  // across the image
    int rows = 0;    // of a warp
    int tables = 0;  // across a strip, at most
};

/// How the two blended entries of a row become its result, which is byte kByte.
template <BlendQuotient kQuotient>
struct RowBlend {
    static constexpr int kByte = kQuotient == BlendQuotient::kByte ? WordQuotient::kByte : 0;
    uint32_t upper, lower;
    __device__ RowBlend(const BlendPlan& plan, uint32_t weight) : upper(plan.y.full - weight), lower(weight) {}
    __device__ uint32_t operator()(const BlendPlan& plan, uint32_t above, uint32_t below) const {
        const uint32_t sum = above * upper + (below * lower + plan.by_word.divisor() / 2);
        return kQuotient == BlendQuotient::kByte ? plan.by_word.product(sum) : plan.by_word.divide(sum);
    }
};
template <>
struct RowBlend<BlendQuotient::kFloat> {
    static constexpr int kByte = 0;
    float upper, lower;
    __device__ RowBlend(const BlendPlan& plan, uint32_t weight)
        : upper(float(plan.y.full - weight) * FloatQuotient::kLift), lower(float(weight) * FloatQuotient::kLift) {}
    __device__ uint32_t operator()(const BlendPlan& plan, uint32_t above, uint32_t below) const {
        return plan.by_float.divide(fmaf(__uint_as_float(above), upper, __uint_as_float(below) * lower));
    }
};

/// Where a value's entry stands in shared memory. dp4a shares its pipe with the multiplications of WordQuotient.
template <BlendQuotient kQuotient>
__device__ inline uint32_t entry_address(const PackedValue& value, uint32_t table) {
    if (kQuotient == BlendQuotient::kFloat) return byte_times(value.word, value.byte, 4, table);
    const uint32_t fours = value.byte == 0 ? value.word << 2 : value.word >> (8 * value.byte - 2);
    return (fours & 0x3fc) | table;  // tables are aligned to their size
}

/// A warp's packed tables. The bytes of a word, from the lowest: upper left, upper right, lower left, lower right.
/// Tables come from device memory as they are (request) and are packed later (push). For whole warps; what was
/// requested is there for those that waited for their own copies and then for each other.
template <int kTableWords>
class PackedTables {
    using Policy = BlendPolicy;

  public:
    /// For tables of `plane`, of which the first is that of segment `first`; `count`: tables across. s_words:
    /// plan.tables packed tables, s_raw: plan.tables + 1 raw ones.
    __device__ PackedTables(const BlendPlan& plan, int plane, uint32_t* s_words, uint32_t* s_raw, int first, int count)
        : plan_(plan),
          d_tables_(plan.d_tables + plane * plan.plane_bytes + threadIdx.x % 16 * kVector_bytes),
          s_words_(s_words),
          s_raw_(s_raw),
          first_(first),
          count_(count) {}

    /// Loads two rows at once, for push_first and push.
    __device__ void fetch(int upper, int lower) const {
        const uint8_t *d_upper = d_tables_ + row_bytes(upper), *d_lower = d_tables_ + row_bytes(lower);
        uint32_t *s_upper = first_raw() + threadIdx.x % 16 * 4, *s_lower = s_raw_ + threadIdx.x % 16 * 4;
#pragma unroll 3
        for (int table = int(threadIdx.x % 32 / 16); table <= count_; table += 2) {
            const int at = tile_bytes(table);
            const uint4 one = *reinterpret_cast<const uint4*>(d_upper + at),
                        other = *reinterpret_cast<const uint4*>(d_lower + at);
            *reinterpret_cast<uint4*>(s_upper + table * Policy::kRawWords) = one;
            *reinterpret_cast<uint4*>(s_lower + table * Policy::kRawWords) = other;
        }
    }
    /// For push, asynchronously.
    __device__ void request(int row) const {
        const uint8_t* d_row = d_tables_ + row_bytes(row);
#pragma unroll 1
        for (int table = int(threadIdx.x % 32 / 16); table <= count_; table += 2)
            __pipeline_memcpy_async(s_raw_ + threadIdx.x % 16 * 4 + table * Policy::kRawWords,
                                    d_row + tile_bytes(table), kVector_bytes);
    }

    /// The lower entries become the upper ones; the requested tables become the lower ones.
    __device__ void push() const {
        push(s_raw_);
    }
    __device__ void push_first() const {
        push(first_raw());
    }

  private:
    /// The first push may come from the end of the packed tables' own memory: what is not packed yet stays ahead of
    /// what it writes.
    __device__ uint32_t* first_raw() const {
        return s_words_ + count_ * kTableWords - (count_ + 1) * Policy::kRawWords;
    }
    __device__ size_t row_bytes(int row) const {
        return size_t(row) * size_t(plan_.x.tiles) * 256;
    }
    __device__ int tile_bytes(int table) const {
        return min(max(first_ - 1 + table, 0), plan_.x.tiles - 1) * 256;
    }
    __device__ void push(const uint32_t* s_from) const {
        s_from += threadIdx.x % 32;
        uint32_t* s_table = s_words_ + threadIdx.x % 32 * 4;
        const auto load = [&] {
            const uint2 eight = make_uint2(s_from[0], s_from[32]);
            s_from += Policy::kRawWords;
            return eight;
        };
        uint2 left = load();
        for (int table = 0; table < count_; table += Policy::kVectorsInFlight) {
            uint2 right[Policy::kVectorsInFlight];
#pragma unroll
            for (int i = 0; i < Policy::kVectorsInFlight; ++i)
                if (table + i < count_) right[i] = load();
            __syncwarp();
#pragma unroll
            for (int i = 0; i < Policy::kVectorsInFlight; ++i)
                if (table + i < count_) {
                    replace(s_table, left.x, right[i].x);
                    replace(s_table + 128, left.y, right[i].y);
                    left = right[i];
                    s_table += kTableWords;
                }
        }
    }
    /// Four words, whose new entries stand in `left` and `right`.
    __device__ static void replace(uint32_t* s_four, uint32_t left, uint32_t right) {
        uint4& four = *reinterpret_cast<uint4*>(s_four);
        const uint32_t low = __byte_perm(left, right, 0x5140), high = __byte_perm(left, right, 0x7362);
        four = make_uint4(__byte_perm(four.x, low, 0x5432), __byte_perm(four.y, low, 0x7632),
                          __byte_perm(four.z, high, 0x5432), __byte_perm(four.w, high, 0x7632));
    }
    const BlendPlan& plan_;
    const uint8_t* d_tables_;  // the lane's part of the first table
    uint32_t *s_words_, *s_raw_;
    int first_, count_;
};

/// Blocks of BlendPolicy::kThreads. Shared memory: blend_shared_bytes.
template <class Map, BlendQuotient kQuotient, class Sink>
__global__ void __launch_bounds__(BlendPolicy::kThreads, Map::kPlanes == 1 ? BlendPolicy::kBlocks : 2)
    clahe_tuned_blend_kernel(const BlendPlan plan, const Sink sink) {
    using Policy = BlendPolicy;
    constexpr int kPixels = kVector_bytes / int(sizeof(typename Map::In));
    extern __shared__ __align__(1024) uint4 s_blend[];  // entry_address
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
    constexpr int kTableWords = table_words(kQuotient);
    const int plane_words = plan.tables * kTableWords;
    uint4* const s_ahead = s_blend + threadIdx.x;
    uint32_t* const s_after = reinterpret_cast<uint32_t*>(s_blend + Policy::kAhead * Policy::kThreads);
    uint32_t* const s_tables = s_after + warp * Map::kPlanes * plane_words;
    const int raw_words = (plan.tables + 1) * Policy::kRawWords;
    uint32_t* const s_raw = s_after + Policy::kWarps * Map::kPlanes * plane_words + warp * Map::kPlanes * raw_words;

    const int index = int(blockIdx.x) * Policy::kWarps + warp, chunk = index / plan.strips;
    const int strip_x = (index - chunk * plan.strips) * plan.lanes_across * kPixels;
    const int y_begin = chunk * plan.rows, y_end = min(y_begin + plan.rows, plan.y.side_px);
    if (y_begin >= y_end) return;
    const int step = 32 >> plan.lanes_log2, first_row = lane >> plan.lanes_log2;
    const int x = strip_x + (lane & (plan.lanes_across - 1)) * kPixels;
    const int inside = min(plan.x.side_px - x, kPixels);  // pixels of the vector; may be negative
    int y = y_begin + first_row;

    const int segment0 = plan.x.segment(strip_x);
    const int last_x = min(strip_x + plan.lanes_across * kPixels, plan.x.side_px) - 1;
    uint32_t weights[kPixels], tables[kPixels];  // left and right; addresses in shared memory
    {
        const int period = 2 * plan.x.tile_px, segment = plan.x.segment(x);
        int phase = 2 * x + plan.x.tile_px - period * segment;
        uint32_t table = shared_address(s_tables) + uint32_t(segment - segment0) * (kTableWords * 4);
#pragma unroll
        for (int i = 0; i < kPixels; ++i) {
            const uint32_t right = uint32_t(phase) >> plan.x.halved;
            weights[i] = __byte_perm(plan.x.full - right, right, 0x5410);
            tables[i] = table;
            phase += 2;
            const bool next = phase >= period;  // without a branch
            phase -= next ? period : 0;
            table += next ? kTableWords * 4 : 0;
        }
    }

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
    for (int i = 0; i < Policy::kAhead; ++i) ask(i);  // the image has been there since the tables' kernel began
    pdl_wait();

    const int across = plan.x.segment(last_x) - segment0 + 1;
    const auto packed = [&](int plane) {
        return PackedTables<kTableWords>(plan, plane, s_tables + plane * plane_words, s_raw + plane * raw_words,
                                         segment0, across);
    };
    int segment_y = plan.y.segment(y_begin);
    for (int plane = 0; plane < Map::kPlanes; ++plane)
        packed(plane).fetch(max(segment_y - 1, 0), min(segment_y, plan.y.tiles - 1));
    __syncwarp();
    for (int plane = 0; plane < Map::kPlanes; ++plane) {
        packed(plane).push_first();
        packed(plane).push();
    }
    for (;;) {
        __syncwarp();
        const int segment_end = min(plan.y.begin(segment_y + 1), y_end);
        if (segment_end < y_end)
            for (int plane = 0; plane < Map::kPlanes; ++plane)
                packed(plane).request(min(segment_y + 1, plan.y.tiles - 1));
        __pipeline_commit();
        int turns = 0;
        for (; y < segment_end; y += step) {
            __pipeline_wait_prior(Policy::kAhead - 1);
            ++turns;
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
            const RowBlend<kQuotient> blend(plan, plan.y.second_weight(y, segment_y));
            uint32_t values[Map::kPlanes][kPixels];
#pragma unroll
            for (int plane = 0; plane < Map::kPlanes; ++plane)
#pragma unroll
                for (int i = 0; i < kPixels; ++i) {
                    const PackedValue value = packed_value<Map>(words, i, plane);
                    const uint32_t at = entry_address<kQuotient>(value, tables[i]) + plane * plane_words * 4;
                    const uint32_t four = load_shared(at);
                    values[plane][i] = blend(plan, __dp2a_lo(weights[i], four, 0u), __dp2a_hi(weights[i], four, 0u));
                }
            const auto result = packed_result<Map, RowBlend<kQuotient>::kByte>(words, values);
            if (inside == kPixels)
                store_result(sink, uint32_t(x), uint32_t(y), result);
            else
                store_pixels(sink, uint32_t(x), uint32_t(y), result, uint32_t(inside));
        }
        if (segment_end >= y_end) return;
        ++segment_y;
        // What was asked for since the tables may be under way still.
        if (turns == 0)
            __pipeline_wait_prior(0);
        else if (turns == 1)
            __pipeline_wait_prior(1);
        else
            __pipeline_wait_prior(2);
        __syncwarp();
        for (int plane = 0; plane < Map::kPlanes; ++plane) packed(plane).push();
    }
}

}  // namespace tonescope::clahe
