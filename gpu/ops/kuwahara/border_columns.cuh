// The pixels near the left and right border, whose quadrants the image's border cuts to different sizes. A group of
// lanes walks down a side's columns. Of each row that enters or leaves, it makes prefix sums over the columns, and each
// lane takes from them what its pixel's quadrants gain or lose.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/ops/kuwahara/quadrants.cuh"
#include "gpu/ops/kuwahara/strip_layout.cuh"

namespace tonescope {

/// Columns [0, left_end) and [right_begin, width), at most 64 each. left_end is even or the width, since strips write
/// pixels in pairs.
struct BorderShape {
    int left_end, right_begin;
    BorderShape(int width_px, int radius)
        : left_end(std::min(width_px, (radius + 1) / 2 * 2)), right_begin(std::max(left_end, width_px - radius)) {}
    bool covers_all() const { return left_end == right_begin; }
};

/// Lanes of a group: all of a side's columns, one or (above radius 32) two a lane.
__host__ __device__ constexpr int border_lanes(int radius) {
    return radius <= 8 ? 8 : radius <= 16 ? 16 : 32;
}

/// Sums over at most 128 pixels of a row, two of 16 bits in a word: also differences of such sums are right.
struct RowSums {
    uint32_t red_green = 0, blue_value = 0, value_squared = 0;

    __device__ __forceinline__ void add(uint32_t rgba, uchar4) {
        const uint32_t blue = (rgba >> 16) & 0xff, value = max(max(rgba & 0xff, (rgba >> 8) & 0xff), blue);
        red_green += __byte_perm(rgba, 0, 0x4140);
        blue_value += blue + (value << 16);
        value_squared += value * value;
    }
    __device__ __forceinline__ void add(uint32_t value, uint8_t) {
        blue_value += value << 16;
        value_squared += value * value;
    }
    __device__ RowSums operator+(const RowSums& other) const {
        return {red_green + other.red_green, blue_value + other.blue_value, value_squared + other.value_squared};
    }
    /// The sums over what lies between two prefixes.
    __device__ static PixelSums between(const uint4& from, const uint4& to) {
        const uint32_t rg = to.x - from.x, bv = to.y - from.y;
        return {bv >> 16, to.z - from.z, rg & 0xffff, rg >> 16, bv & 0xffff};
    }
};

/// kRun: neighbouring pixels of a row that a lane loads, 2 (radius up to 32) or 4.
template <class Pixel, int kRun>
class BorderGroup {
  public:
    /// Entries of 16 bytes of shared memory that a warp needs.
    static constexpr int kPrefixes = 32 * kRun + 4;

    /// Side 0 or 1, rows y_begin to y_end - 1; all groups of a warp run as many rows. s_prefixes: the warp's.
    __device__ BorderGroup(const FilterImage& image, const BorderShape& border, int side, int y_begin, int y_end,
                           uint4* s_prefixes)
        : image_(image), lanes_(border_lanes(image.radius)), lane_(int(threadIdx.x) % lanes_), y_begin_(y_begin) {
        first_ = side == 0 ? 0 : max(image.width - lanes_ * kRun, 0);
        s_prefixes_ = s_prefixes + int(threadIdx.x % 32) / lanes_ * (lanes_ * kRun + 1);
        if (lane_ == 0) s_prefixes_[0] = {};
        y_end_ = y_end;
        for (int i = 0; i < kColumns; ++i) {
            const int x = (side == 0 ? 0 : border.right_begin) + lane_ + i * lanes_;
            columns_[i].is_in = x < (side == 0 ? border.left_end : image.width);
            columns_[i].x = columns_[i].is_in ? x : first_;
            columns_[i].left = max(columns_[i].x - image.radius, first_);
            columns_[i].right = min(columns_[i].x + image.radius, image.width - 1);
        }
    }

    __device__ void filter(int rows) {
        const int radius = image_.radius;
        for (int y = y_begin_ - radius; y < y_begin_; ++y) {
            take_row<1>(y, &Column::above);
            take_row<1>(y + radius, &Column::below);
        }
        for (int y = y_begin_; y < y_begin_ + rows; ++y) {
            take_row<1>(y + radius, &Column::below);
            take_row<1>(y, &Column::above);
            for (const Column& column : columns_) write(column, y);
            take_row<-1>(y, &Column::below);
            take_row<-1>(y - radius, &Column::above);
        }
    }

  private:
    static constexpr int kColumns = kRun / 2;
    using Word = typename PlanesOf<Pixel>::Word;
    struct Halves {
        PixelSums left, right;
    };
    struct Column {
        int x, left, right;  // the pixel's, and the first and the last that its quadrants reach
        bool is_in;
        Halves above, below;
    };

    /// Adds a row to the upper or lower quadrants of the lane's pixels (kSign = 1) or takes it away (-1). Rows outside
    /// of the image are empty.
    template <int kSign>
    __device__ void take_row(int y, Halves Column::*half) {
        const bool is_in = y >= 0 && y < image_.height;
        const auto* words =
            reinterpret_cast<const Word*>(image_.d_input + size_t(is_in ? y : 0) * image_.input_pitch_bytes);
        RowSums sums[kRun];
        for (int i = 0; i < kRun; ++i) {
            const int x = first_ + lane_ * kRun + i;
            if (i > 0) sums[i] = sums[i - 1];
            if (is_in && x < image_.width) sums[i].add(__ldg(words + x), Pixel{});
        }
        RowSums before = sums[kRun - 1];  // with this lane's
        for (int step = 1; step < lanes_; step *= 2) {
            const RowSums other{__shfl_up_sync(0xffffffff, before.red_green, unsigned(step), lanes_),
                                __shfl_up_sync(0xffffffff, before.blue_value, unsigned(step), lanes_),
                                __shfl_up_sync(0xffffffff, before.value_squared, unsigned(step), lanes_)};
            if (lane_ >= step) before = before + other;
        }
        before.red_green -= sums[kRun - 1].red_green;
        before.blue_value -= sums[kRun - 1].blue_value;
        before.value_squared -= sums[kRun - 1].value_squared;
        __syncwarp();
        for (int i = 0; i < kRun; ++i) {
            const RowSums prefix = before + sums[i];
            s_prefixes_[lane_ * kRun + i + 1] = {prefix.red_green, prefix.blue_value, prefix.value_squared, 0};
        }
        __syncwarp();
        for (Column& column : columns_) {
            const auto prefix = [&](int x) { return s_prefixes_[x - first_]; };
            const PixelSums left = RowSums::between(prefix(column.left), prefix(column.x + 1));
            const PixelSums right = RowSums::between(prefix(column.x), prefix(column.right + 1));
            Halves& sums_of_half = column.*half;
            if constexpr (kSign > 0) {
                sums_of_half.left.add(left);
                sums_of_half.right.add(right);
            } else {
                sums_of_half.left.take(left);
                sums_of_half.right.take(right);
            }
        }
    }

    __device__ void write(const Column& column, int y) const {
        if (!column.is_in || y >= y_end_) return;
        const auto left = uint32_t(column.x - column.left + 1), right = uint32_t(column.right - column.x + 1);
        const auto top = uint32_t(min(y, image_.radius) + 1);
        const auto bottom = uint32_t(min(image_.height - 1 - y, image_.radius) + 1);
        Quadrant best{left * top, column.above.left};
        const Quadrant others[] = {{right * top, column.above.right},
                                   {left * bottom, column.below.left},
                                   {right * bottom, column.below.right}};
#pragma unroll
        for (const Quadrant& other : others)
            if (other.calmer_than(best)) best = other;
        const PitchedSource<Pixel> source{image_.d_input, image_.input_pitch_bytes};
        store_pixel(image_, column.x, y, best.result(source.load(column.x, y)));
    }

    const FilterImage& image_;
    int lanes_, lane_, y_begin_, y_end_ = 0;
    int first_ = 0;  // column that the prefix sums begin with
    uint4* s_prefixes_;
    Column columns_[kColumns];
};

}  // namespace tonescope
