// Tables of many small tiles: a warp makes two tables at a time, side by side, and waits for nobody. Where tiles are
// too few for that, several warps count a pair, and one of them makes its tables (warp_tables.cuh).
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/kernels/prefetch.cuh"
#include "gpu/ops/clahe/tuned/warp_tables.cuh"

namespace tonescope::clahe {

/// Measured with
///     tonescope_bench --op clahe --variant tuned --format gray,rgba --size 4k,24m --sweep tile_size=8,16,24,32,64,128
struct PairPolicy {
    static constexpr int kVectorsInFlight = 4;    // loads of a lane
    static constexpr int kMaxPixels = 128 * 128;  // a tile; larger ones need more than a block
    static constexpr int kMaxRows = 12;           // of tiles that a warp takes one after the other
    static constexpr int kFewPixels = 24 * 24;    // a tile: up to here, taking several rows pays
};

/// Blocks. Of lightness, one block a multiprocessor shares the tables.
template <class Map>
struct PairShape {
    static constexpr bool kIsLightness = std::is_same_v<Map, ColorLightness>;
    static constexpr int kWarps = kIsLightness ? 32 : 8, kThreads = 32 * kWarps;
    static constexpr int kBlocks = kIsLightness ? 1 : 4;  // a multiprocessor: what registers are meant to allow
    /// The last 256 words are a histogram of no tile: a unit's pixels beyond the pair are counted there.
    static constexpr int kPairWords = 2 * 256, kWords = kWarps * kPairWords + 256;
    static constexpr size_t kShared_bytes = kWords * sizeof(uint32_t) + color_bytes<Map>(false);
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

/// Where a warp works: on one pair of tiles in every row of tiles from row_begin to row_end.
struct PairPlace {
    int plane, pair;
    int team, member;        // a team of warps counts the pair; the warp is its member of that number
    int row_begin, row_end;  // rows of tiles
    int lane = int(threadIdx.x % 32);

    __device__ PairPlace(const PairPlan& plan, int warps) {
        const int warp = int(threadIdx.x / 32), down = int(blockIdx.x) / plan.blocks_across;
        plane = down / plan.blocks_down;
        team = warp / plan.team;
        member = warp - team * plan.team;
        pair = (int(blockIdx.x) - down * plan.blocks_across) * (warps / plan.team) + team;
        const int band = down - plane * plan.blocks_down, rows = plan.geometry.rows;
        row_begin = band * rows / plan.blocks_down;
        row_end = (band + 1) * rows / plan.blocks_down;
    }
};

/// Counts a pair's pixels: the lanes form a rectangle of units, as wide as the pair where 32 lanes allow it, and move
/// down by its height.
template <class Map, bool kWide>
class PairCounter {
  public:
    using Unit = PairUnit<Map, kWide>;
    using Word = typename Unit::Word;
    using Zeros = uint32_t[Unit::kBorders];  // addresses of the bins 0 that a unit's pixels count from
    static constexpr int kPixels = Unit::kPixels;

    __device__ PairCounter(const PairPlan& plan, const PairPlace& at, const ColorsOf<Map>& colors, uint32_t* s_words)
        : plan_(plan), at_(at), colors_(colors), zero_address_(shared_address(s_words)) {
        const Geometry& g = plan.geometry;
        x_begin_ = 2 * at.pair * g.tile_width;
        x_middle_ = x_begin_ + g.tile_width;
        x_end_ = min(x_middle_ + g.tile_width, g.padded_width);
        x_inside_ = min(x_end_, plan.width);
        first_unit_ = x_begin_ / kPixels;
        units_ = (x_inside_ + kPixels - 1) / kPixels - first_unit_;
        const int across = min(max(units_, 1), 32);
        const float by_across = 1 / float(across);
        warp_rows_ = int(32.5F * by_across);
        warp_row_ = int((float(at.lane) + 0.5F) * by_across);
        first_column_ = at.lane - warp_row_ * across;
    }

    /// Counts the rows from y_begin to y_inside, which all lie inside the image.
    __device__ void count_inside(int y_begin, int y_inside) const {
        const int step = warp_rows_ * plan_.team, first_row = warp_row_ + warp_rows_ * at_.member;
        const size_t step_bytes = size_t(step) * plan_.pitch_bytes;
        // Where the pair is at most 32 units wide, this loop has one turn.
        for (int unit = first_column_; unit < units_ && warp_row_ < warp_rows_; unit += 32) {
            const int x = (first_unit_ + unit) * kPixels;
            Zeros zeros;
            set_zeros(x, zeros);
            const uint8_t* d_unit = unit_address(x, y_begin + first_row);
            int left = y_inside - y_begin - first_row;  // rows from the lane's next one on
            if (x + kPixels > plan_.width) {
                for (; left > 0; left -= step, d_unit += step_bytes) count_cut_unit(d_unit, x);
                continue;
            }
            constexpr int kInFlight = PairPolicy::kVectorsInFlight;
            for (; left > (kInFlight - 1) * step; left -= kInFlight * step) {
                Word batch[kInFlight];
#pragma unroll
                for (int i = 0; i < kInFlight; ++i, d_unit += step_bytes) batch[i] = load(d_unit);
#pragma unroll
                for (int i = 0; i < kInFlight; ++i) count_unit(batch[i], zeros);
            }
            for (; left > 0; left -= step, d_unit += step_bytes) count_unit(load(d_unit), zeros);
        }
    }

    /// Counts what pads the image in the rows from y_begin to y_end.
    __device__ void count_padding(int y_begin, int y_inside, int y_end) const {
        if (x_end_ <= x_inside_ && y_end <= y_inside) return;
        for (int y = y_begin + at_.member; y < y_end; y += plan_.team) {
            const uint8_t* d_row = plan_.d_input + size_t(mirror_index(y, plan_.height)) * plan_.pitch_bytes;
#pragma unroll 4
            for (int x = (y < y_inside ? max(x_inside_, x_begin_) : x_begin_) + at_.lane; x < x_end_; x += 32) {
                const uint32_t word = load_pixel<Map>(d_row, mirror_index(x, plan_.width));
                count(&word, 0, zero_address_ + uint32_t(at_.team * 2 + (x >= x_middle_)) * 1024);
            }
        }
    }

    /// The lane's only unit in a row of tiles, where no lane has more (PairUnit::once): that of the next row of tiles
    /// is on its way while tables are made.
    class Once {
      public:
        __device__ explicit Once(const PairCounter& counter)
            : counter_(counter), x_((counter.first_unit_ + counter.first_column_) * kPixels) {
            const PairPlan& plan = counter.plan_;
            has_unit_ = counter.first_column_ < counter.units_ &&
                        counter.warp_row_ < min(counter.warp_rows_, plan.geometry.tile_height);
            is_whole_ = has_unit_ && x_ + kPixels <= plan.width;
            row_bytes_ = size_t(plan.geometry.tile_height) * plan.pitch_bytes;
            y_ = counter.at_.row_begin * plan.geometry.tile_height + counter.warp_row_;
            d_unit_ = counter.unit_address(x_, y_);
            counter.set_zeros(x_, zeros_);
        }
        __device__ void prefetch() const {
            if (has_unit_ && y_ < counter_.plan_.height) prefetch_to_l2(d_unit_);
        }
        __device__ void load_first() {
            if (is_whole_ && y_ < counter_.plan_.height) next_ = load(d_unit_);
        }
        __device__ void count_and_load_next(bool has_next) {
            const int height = counter_.plan_.height;
            if (has_unit_ && y_ < height) {
                if (is_whole_)
                    counter_.count_unit(next_, zeros_);
                else
                    counter_.count_cut_unit(d_unit_, x_);
            }
            y_ += counter_.plan_.geometry.tile_height;
            d_unit_ += row_bytes_;
            if (has_next && is_whole_ && y_ < height) next_ = load(d_unit_);
        }

      private:
        const PairCounter& counter_;
        int x_, y_;
        bool has_unit_, is_whole_;
        size_t row_bytes_;  // from one row of tiles to the next
        const uint8_t* d_unit_;
        Zeros zeros_;
        Word next_{};
    };

  private:
    __device__ static Word load(const uint8_t* d_unit) {
        return *reinterpret_cast<const Word*>(d_unit);
    }
    __device__ const uint8_t* unit_address(int x, int y) const {
        return plan_.d_input + size_t(y) * plan_.pitch_bytes + size_t(x) * sizeof(typename Map::In);
    }
    __device__ uint32_t bin_zero(int x) const {  // the address of bin 0 of column x's tile
        const int tile = x < x_begin_ || x >= x_inside_ ? PairShape<Map>::kWarps * 2 : at_.team * 2 + (x >= x_middle_);
        return zero_address_ + uint32_t(tile) * 1024;
    }
    __device__ void set_zeros(int x, Zeros& zeros) const {
#pragma unroll
        for (int i = 0; i < Unit::kBorders; ++i) zeros[i] = bin_zero(x + i);
    }
    __device__ void count(const uint32_t* words, int pixel, uint32_t zero) const {
        const PackedValue value = packed_value<Map>(colors_, words, pixel, at_.plane);
        count_shared(byte_times(value.word, value.byte, 4, zero));
    }
    __device__ void count_unit(Word unit_word, const Zeros& zeros) const {
        uint32_t words[4];
        Unit::split(unit_word, words);
#pragma unroll
        for (int i = 0; i < kPixels; ++i) count(words, i, zeros[i % Unit::kBorders]);
    }
    /// Counts a unit that the image's border cuts, pixel by pixel: what lies behind may never have been written.
    __device__ void count_cut_unit(const uint8_t* d_unit, int x) const {
        for (int i = 0; x + i < plan_.width; ++i) {
            const uint32_t word = load_pixel<Map>(d_unit, i);
            count(&word, 0, bin_zero(x + i));
        }
    }

    const PairPlan& plan_;
    const PairPlace& at_;
    const ColorsOf<Map>& colors_;
    uint32_t zero_address_;
    int x_begin_, x_middle_, x_end_, x_inside_;  // columns of the pair; the image's end is x_inside_ at the latest
    int first_unit_, units_;                     // units of a row that touch the pair
    int warp_rows_, warp_row_, first_column_;    // rows of the warp's rectangle, and the lane's place in it
};

/// Blocks have PairShape::kThreads threads and kShared_bytes of shared memory. With kOnce, no lane has more than one
/// unit of a pair (PairUnit::once).
template <class Map, bool kWide, bool kOnce>
__global__ void __launch_bounds__(PairShape<Map>::kThreads, PairShape<Map>::kBlocks)
    clahe_tuned_pair_kernel(const PairPlan plan, const ColorTables<Map> color_tables) {
    using Counter = PairCounter<Map, kWide>;
    using Shape = PairShape<Map>;
    extern __shared__ uint4 s_memory[];
    auto* const s_words = reinterpret_cast<uint32_t*>(s_memory);
    const ColorsOf<Map> colors = block_colors<Map>(s_words + Shape::kWords, color_tables, false);
    const Geometry& g = plan.geometry;
    const PairPlace at(plan, Shape::kWarps);
    if (plan.team == 1 && at.pair >= plan.pairs) return;
    uint32_t* const s_pair = s_words + at.team * Shape::kPairWords;
    const Counter counter(plan, at, colors, s_words);
#pragma unroll
    for (int i = 0; i < 4; ++i) reinterpret_cast<uint4*>(s_pair)[at.lane + 32 * i] = make_uint4(0, 0, 0, 0);
    if (plan.team > 1) __syncthreads();

    const size_t first_table =
        (size_t(at.plane) * size_t(g.rows) + size_t(at.row_begin)) * size_t(g.columns) + 2 * size_t(at.pair);
    uint8_t* d_tables = plan.d_tables + first_table * 256;
    PairParams params(plan, at.pair, false);
    typename Counter::Once once(counter);
    if constexpr (kOnce) once.prefetch();
    pdl_wait_and_trigger();
    if constexpr (kOnce) once.load_first();

    for (int row = at.row_begin; row < at.row_end; ++row) {
        __syncwarp();
        const int y_begin = row * g.tile_height, y_end = min(y_begin + g.tile_height, g.padded_height);
        const int y_inside = min(y_end, plan.height);
        if constexpr (kOnce)
            once.count_and_load_next(row + 1 < at.row_end);
        else
            counter.count_inside(y_begin, y_inside);
        counter.count_padding(y_begin, y_inside, y_end);
        __syncwarp();
        if (!kOnce && plan.team > 1) {
            __syncthreads();
            if (at.member > 0 || at.pair >= plan.pairs) return;
        }
        uint32_t bins[8];
        take_pair_bins(s_pair, bins);
        if (row == g.rows - 1) params = PairParams(plan, at.pair, true);
        make_pair_tables(bins, plan, params, d_tables);
        d_tables += size_t(g.columns) * 256;
    }
}

}  // namespace tonescope::clahe
