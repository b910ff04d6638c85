// The pixels near the left and right border, whose quadrants the image's border cuts to different sizes. Each lane
// keeps running sums of its columns; the difference of two prefix sums of those over all columns is the sum over a
// quadrant.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/ops/kuwahara/gather.cuh"
#include "gpu/ops/kuwahara/tuned/evaluated_boxes.cuh"

namespace tonescope::kuwahara::tuned {

/// Lanes of a border group, which has all of a side's columns: one or (above radius 32) two a lane.
__host__ __device__ constexpr int border_lanes(int radius) {
    return radius <= 8 ? 8 : radius <= 16 ? 16 : 32;
}

/// Columns [0, left_end) and [right_begin, width), at most max_px each. left_end is even or the width, since strips
/// write pixels in pairs; right_begin is too, where a group can take a column more.
struct BorderShape {
    int left_end, right_begin, max_px;
    BorderShape(int width_px, int radius)
        : left_end(std::min(width_px, (radius + 1) / 2 * 2)), max_px(border_lanes(radius) * (radius > 32 ? 2 : 1)) {
        const int odd = (width_px - radius) % 2 != 0 && radius < max_px ? 1 : 0;
        right_begin = std::max(left_end, width_px - radius - odd);
    }
    bool covers_all() const { return left_end == right_begin; }
};

/// Shared memory of a warp at the border.
__host__ __device__ constexpr int border_bytes(int run) {
    return 2 * (32 * run + 4) * int(sizeof(uint4) + sizeof(uint32_t));
}

/// Sums over at most 65 pixels of a column, two of 16 bits in a word.
struct ColumnSums {
    uint32_t red_green = 0, blue_value = 0, value_squared = 0;

    /// Adds a pixel (kSign = 1) or takes it away (-1).
    template <int kSign>
    __device__ __forceinline__ void add(uint32_t rgba, uchar4) {
        const uint32_t blue = (rgba >> 16) & 0xff, value = max(max(rgba & 0xff, (rgba >> 8) & 0xff), blue);
        red_green += uint32_t(kSign) * __byte_perm(rgba, 0, bytes::kWidenLow);
        blue_value += uint32_t(kSign) * (blue + (value << 16));
        value_squared += uint32_t(kSign) * (value * value);
    }
    template <int kSign>
    __device__ __forceinline__ void add(uint32_t value, uint8_t) {
        blue_value += uint32_t(kSign) * (value << 16);
        value_squared += uint32_t(kSign) * (value * value);
    }
};

/// The sums over a column as those over a rectangle, which pass 16 bits.
__device__ inline PixelSums widened(const ColumnSums& sums) {
    return {sums.blue_value >> 16, sums.value_squared, sums.red_green & 0xffff, sums.red_green >> 16,
            sums.blue_value & 0xffff};
}

/// What the lane `lanes` before this one has, in groups of `width` lanes.
__device__ inline PixelSums from_lane_before(const PixelSums& sums, unsigned lanes, int width) {
    const auto before = [&](uint32_t sum) { return __shfl_up_sync(kFullWarp, sum, lanes, width); };
    return {before(sums.value), before(sums.value_squared), before(sums.red), before(sums.green), before(sums.blue)};
}

/// kRun: neighboring pixels of a row that a lane loads (Policy::border_run).
template <class Pixel, int kRun>
class BorderGroup {
  public:
    /// Side 0 (left) or 1, rows y_begin to y_end - 1. s_prefixes: the warp's border_bytes(kRun).
    __device__ BorderGroup(const FilterImage& image, const BorderShape& border, int side, int y_begin, int y_end,
                           uint4* s_prefixes)
        : image_(image),
          lanes_(border_lanes(image.radius)),
          lane_(int(threadIdx.x) % lanes_),
          y_begin_(y_begin),
          y_end_(y_end),
          first_(side == 0 ? 0 : max(image.width - lanes_ * kRun, 0)) {
        const int group_begin = int(threadIdx.x % 32) / lanes_ * (lanes_ * kRun + 1);
        s_prefixes_ = s_prefixes + group_begin;
        s_squares_ = reinterpret_cast<uint32_t*>(s_prefixes + 2 * kPitch) + group_begin;
        if (lane_ < 2) store_prefix(lane_, 0, PixelSums{});
        for (int i = 0; i < kColumns; ++i) {
            const int x = (side == 0 ? 0 : border.right_begin) + lane_ + i * lanes_;
            columns_[i].is_in = x < (side == 0 ? border.left_end : image.width);
            columns_[i].x = columns_[i].is_in ? x : first_;
            columns_[i].left = max(columns_[i].x - image.radius, first_);
            columns_[i].right = min(columns_[i].x + image.radius, image.width - 1);
        }
    }

    /// Walks down `rows` rows, as many as all groups of the warp do.
    __device__ void filter(int rows) {
        const int radius = image_.radius;
        ColumnSums above[kRun], below[kRun];
        Words own = load(y_begin_ - radius), fresh = load(y_begin_);
        for (int y = y_begin_ - radius; y < y_begin_; ++y) {
            add<1>(above, own);
            add<1>(below, fresh);
            own = load(y + 1);
            fresh = load(y + 1 + radius);
        }
        Words old = load(y_begin_ - radius);
        for (int y = y_begin_; y < y_begin_ + rows; ++y) {
            add<1>(above, own);
            add<1>(below, fresh);
            make_prefix_sums(0, above);
            make_prefix_sums(1, below);
            __syncwarp();
            add<-1>(above, old);
            add<-1>(below, own);
            own = load(y + 1);
            fresh = load(y + 1 + radius);
            old = load(y + 1 - radius);
#pragma unroll
            for (const Column& column : columns_) write(column, y);
            __syncwarp();
        }
    }

  private:
    static constexpr int kColumns = kRun / 2, kPitch = 32 * kRun + 4;
    using Word = typename PlanesOf<Pixel>::Word;
    struct Words {
        Word of[kRun];
    };
    struct Column {
        int x, left, right;  // the pixel's, and the first and the last that its quadrants reach
        bool is_in;          // whether the lane has such a column
    };

    /// The lane's pixels of a row. Those outside of the image are black.
    __device__ Words load(int y) const {
        Words out{};
        if (y < 0 || y >= image_.height) return out;
        const auto* words = reinterpret_cast<const Word*>(image_.d_input + size_t(y) * image_.input_pitch_bytes);
#pragma unroll
        for (int i = 0; i < kRun; ++i) {
            const int x = first_ + lane_ * kRun + i;
            if (x < image_.width) out.of[i] = __ldg(words + x);
        }
        return out;
    }
    /// Phase 1: adds a row to the sums of the lane's columns or takes it away.
    template <int kSign>
    __device__ static void add(ColumnSums (&sums)[kRun], const Words& words) {
#pragma unroll
        for (int i = 0; i < kRun; ++i) sums[i].template add<kSign>(words.of[i], Pixel{});
    }
    /// Phase 2: makes prefix sums over the columns.
    __device__ void make_prefix_sums(int half, const ColumnSums (&sums)[kRun]) const {
        PixelSums up_to[kRun];
#pragma unroll
        for (int i = 0; i < kRun; ++i) {
            up_to[i] = widened(sums[i]);
            if (i > 0) up_to[i].add(up_to[i - 1]);
        }
        PixelSums before = up_to[kRun - 1];  // with this lane's
        for (int step = 1; step < lanes_; step *= 2) {
            const PixelSums other = from_lane_before(before, unsigned(step), lanes_);
            if (lane_ >= step) before.add(other);
        }
        before.subtract(up_to[kRun - 1]);
#pragma unroll
        for (int i = 0; i < kRun; ++i) {
            up_to[i].add(before);
            store_prefix(half, lane_ * kRun + i + 1, up_to[i]);
        }
    }
    __device__ void store_prefix(int half, int at, const PixelSums& sums) const {
        if constexpr (sizeof(Pixel) == 4) {
            s_prefixes_[half * kPitch + at] = {sums.red, sums.green, sums.blue, sums.value};
        } else {
            s_prefixes_[half * kPitch + at].w = sums.value;
        }
        s_squares_[half * kPitch + at] = sums.value_squared;
    }
    __device__ PixelSums prefix(int half, int x) const {
        const int at = half * kPitch + x - first_;
        if constexpr (sizeof(Pixel) == 4) {
            const uint4 sums = s_prefixes_[at];
            return {sums.w, s_squares_[at], sums.x, sums.y, sums.z};
        }
        return {s_prefixes_[at].w, s_squares_[at]};
    }

    /// The quadrant of columns x0 to x1.
    __device__ QuadrantSums quadrant(int half, int x0, int x1, uint32_t rows) const {
        PixelSums sums = prefix(half, x1 + 1);
        sums.subtract(prefix(half, x0));
        return {uint32_t(x1 - x0 + 1) * rows, sums};
    }
    /// Phase 3: of a half's two quadrants the one with the lower variance, the left one where they are equal.
    __device__ QuadrantSums best_of_half(const Column& column, int half, uint32_t rows) const {
        QuadrantSums best = quadrant(half, column.left, column.x, rows);
        keep_winner(best, quadrant(half, column.x, column.right, rows));
        return best;
    }
    /// Phase 4: writes the pixel that the best quadrant of the better half makes.
    __device__ void write(const Column& column, int y) const {
        if (!column.is_in || y >= y_end_) return;
        QuadrantSums best = best_of_half(column, 0, uint32_t(min(y, image_.radius) + 1));
        keep_winner(best, best_of_half(column, 1, uint32_t(min(image_.height - 1 - y, image_.radius) + 1)));
        const PixelSums& sums = best.sums;
        const BoxCount count = BoxCount::of(best.n);
        const auto mean = [&](uint32_t sum) { return uint8_t(count.mean(sum + count.n / 2)); };
        if constexpr (sizeof(Pixel) == 4) {
            const PitchedSource<Pixel> source{image_.d_input, image_.input_pitch_bytes};
            const uint8_t alpha = source.load(column.x, y).w;
            store_pixel(image_, column.x, y, make_uchar4(mean(sums.red), mean(sums.green), mean(sums.blue), alpha));
        } else {
            store_pixel(image_, column.x, y, mean(sums.value));
        }
    }

    const FilterImage& image_;
    int lanes_, lane_, y_begin_, y_end_;
    int first_;  // column that the prefix sums begin with
    uint4* s_prefixes_;
    uint32_t* s_squares_;
    Column columns_[kColumns];
};

}  // namespace tonescope::kuwahara::tuned
