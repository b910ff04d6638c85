// What the blend of `tuned` is told: its policy, the axes of the image, and how sums are divided.
#pragma once

#include <cstdint>

#include "gpu/ops/clahe/tuned/packed_pixels.cuh"
#include "gpu/ops/clahe/tuned/quotients.cuh"

namespace tonescope::clahe {

/// Numbers without a reason beside them were measured with
///     tonescope_bench --op clahe --variant tuned --format gray,rgba --size 4k,24m --sweep tile_size=8,16,32,64,128,256
struct BlendPolicy {
    static constexpr int kWarps = 4;   // a block
    static constexpr int kBlocks = 6;  // a multiprocessor: what registers are meant to allow
    static constexpr int kBlocksOfThreePlanes = 2;
    static constexpr int kNarrowStrip_px = 64, kWideStrip_px = 128;
    static constexpr int kWideTile_px = 64;              // strips of gray images are wide from such tiles on,
    static constexpr int kWideRows = 32;                 // where a warp then has so many rows
    static constexpr int kMinRows = 16, kMaxRows = 512;  // of a warp
    static constexpr int kRowsAhead = 4;                 // vectors of a lane on their way
    static constexpr int kRawWords = 256 / 4;            // of a table before it is packed
    static constexpr int kTablesAtOnce = 5;              // tables that are packed together
};

/// Blocks of the blend. Where it makes colors of lightness, one block a multiprocessor shares the tables for that.
template <class Map>
struct BlendShape {
    static constexpr bool kIsLightness = std::is_same_v<Map, ColorLightness>;
    static constexpr int kWarps = kIsLightness ? 16 : BlendPolicy::kWarps, kThreads = 32 * kWarps;
    static constexpr int kRowsAhead = kIsLightness ? 3 : BlendPolicy::kRowsAhead;
    static constexpr int kRowWords = kRowsAhead * kThreads * kVector_bytes / 4;
    static constexpr int kBlocks = kIsLightness        ? 1
                                   : Map::kPlanes == 1 ? BlendPolicy::kBlocks
                                                       : BlendPolicy::kBlocksOfThreePlanes;
    static constexpr size_t kTable_bytes = color_bytes<Map>(true);
};

/// How the sum of the weighted entries is divided by that of the weights: FloatQuotient, or WordQuotient where the
/// former is not exact, with the quotient in a byte of a product where that is exact.
enum class BlendQuotient { kFloat, kByte, kWord };

/// Words of a packed table. With padding, equal values in neighboring tables fall into different banks. Without it,
/// tables are aligned to their size, so that addresses can be put together bit by bit.
constexpr int table_words(BlendQuotient quotient) {
    constexpr int kPadding = 4;
    return quotient == BlendQuotient::kFloat ? 256 + kPadding : 256;
}

/// One axis of the image. Weights are halved where the tile's side is even, because all of them are even then.
struct BlendAxis {
    int side_px, tile_px, tiles;
    int halved;     // 1 or 0
    uint32_t full;  // sum of both weights

    BlendAxis(int side, int tile, int count)
        : side_px(side), tile_px(tile), tiles(count), halved(tile % 2 == 0), full(uint32_t(2 * tile) >> halved) {}
    /// The segment between centers that a position lies in: between tile segment - 1 and tile segment.
    __host__ __device__ int segment(int position) const { return (2 * position + tile_px) / (2 * tile_px); }
    __host__ __device__ int begin(int segment) const {
        return segment == 0 ? 0 : ((2 * segment - 1) * tile_px + 1) / 2;
    }
    __device__ uint32_t second_weight(int position, int segment) const {
        return uint32_t(2 * position + tile_px - 2 * tile_px * segment) >> halved;
    }
};

/// How much of the result the blend takes: all of it, or a percentage and the rest of the pixel, for which a vector's
/// pixels stay in registers until its results are there. For the sixteen of a gray vector there are too few.
struct WholeResult {};
struct MixedResult {
    uint32_t percent;
};

template <class Amount>
struct BlendPlan {
    const uint8_t* d_input;
    uint32_t pitch_bytes;  // offsets fit 32 bits, because images have at most 2^29 pixels
    BlendAxis x, y;
    const uint8_t* d_tables;
    size_t plane_bytes;  // of tables
    [[no_unique_address]] Amount amount;
    FloatQuotient by_float;  // by the sum of the weights
    WordQuotient by_word;    // where by_float is not exact
    int lanes_across = 0;    // of a warp's strip: 1 << lanes_log2
    int lanes_log2 = 0;
    int strips = 0;  // across the image
    int rows = 0;    // of a warp
    int tables = 0;  // across a strip, at most

    /// A block's shared memory holds, from its beginning, the rows that are on their way, a vector for each thread and
    /// row; every warp's packed tables, plane by plane; every warp's raw tables, likewise; and the tables of lightness.
    __host__ __device__ int packed_words(BlendQuotient quotient) const { return tables * table_words(quotient); }
    __host__ __device__ int raw_words() const { return (tables + 1) * BlendPolicy::kRawWords; }
    /// Without the tables of lightness.
    __host__ __device__ uint32_t shared_bytes(BlendQuotient quotient, int row_words, int planes, int warps) const {
        const int of_plane = packed_words(quotient) + raw_words();
        return uint32_t(row_words + warps * planes * of_plane) * uint32_t(sizeof(uint32_t));
    }
};

/// How the two blended entries of a row become its result, which is byte kByte.
template <BlendQuotient kQuotient>
struct RowBlend {
    static constexpr int kByte = kQuotient == BlendQuotient::kByte ? WordQuotient::kByte : 0;
    uint32_t upper, lower;
    __device__ RowBlend(const auto& plan, uint32_t weight) : upper(plan.y.full - weight), lower(weight) {}
    __device__ uint32_t operator()(const auto& plan, uint32_t above, uint32_t below) const {
        const uint32_t sum = above * upper + (below * lower + plan.by_word.divisor() / 2);
        return kQuotient == BlendQuotient::kByte ? plan.by_word.product(sum) : plan.by_word.divide(sum);
    }
};
template <>
struct RowBlend<BlendQuotient::kFloat> {
    static constexpr int kByte = FloatQuotient::kByte;
    float upper, lower;
    __device__ RowBlend(const auto& plan, uint32_t weight)
        : upper(float(plan.y.full - weight) * FloatQuotient::kLift), lower(float(weight) * FloatQuotient::kLift) {}
    __device__ uint32_t operator()(const auto& plan, uint32_t above, uint32_t below) const {
        return plan.by_float.divide(FloatQuotient::weigh(above, upper, FloatQuotient::weigh(below, lower)));
    }
};

/// Where a value's entry stands in shared memory. Beside WordQuotient shifts make the address, because dp4a runs on the
/// pipe of its multiplications.
template <BlendQuotient kQuotient>
__device__ inline uint32_t entry_address(const PackedValue& value, uint32_t table) {
    if (kQuotient == BlendQuotient::kFloat) return byte_times(value.word, value.byte, 4, table);
    constexpr uint32_t kEntryBytes = 255 * 4;  // the bits of an address that choose an entry
    const uint32_t fours = value.byte == 0 ? value.word << 2 : value.word >> (8 * value.byte - 2);
    return (fours & kEntryBytes) | table;  // tables are aligned to their size
}

}  // namespace tonescope::clahe
