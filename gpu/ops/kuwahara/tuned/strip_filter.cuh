// A warp filters a segment of a strip. A box is named by its top left pixel: those at (x - r, y - r), (x, y - r),
// (x - r, y), (x, y) are the quadrants of the pixel (x, y), where r is the radius. So each box is evaluated once: of
// the boxes at x - r and x, the one with the lower variance is the best box of the upper half of pixel (x, y + r) and
// of the lower half of (x, y).
//
// Where a warp goes from the bottom up, its rows are counted from the image's last one: above and below change places,
// and nothing else does but what wins where variances are equal.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/tuned/plan.cuh"

namespace tonescope::kuwahara::tuned {

/// Stores two pixels side by side, where `written`; the L2 cache need not keep them. The predicate stands in place of a
/// branch, of which the compiler would make a row.
__device__ __forceinline__ void store_pair_if(bool written, uint8_t* at, uint32_t even, uint32_t odd, uchar4) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %3, 0; @p st.global.cs.v2.u32 [%0], {%1, %2};}" ::"l"(at), "r"(even),
                 "r"(odd), "r"(uint32_t(written))
                 : "memory");
}
__device__ __forceinline__ void store_pair_if(bool written, uint8_t* at, uint32_t even, uint32_t odd, uint8_t) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.cs.u16 [%0], %1;}" ::"l"(at),
                 "h"(uint16_t((even & 0xff) | odd << 8)), "r"(uint32_t(written))
                 : "memory");
}

/// How the lanes of a warp write the pixels of their strip.
template <class Pixel, int kReach>
class StripPixels {
  public:
    /// Columns x_begin (even) to x_end - 1, as far as the strip has them. `upside_down`: row 0 is the image's last one.
    __device__ StripPixels(const FilterImage& image, const StripShape& shape, int strip, int x_begin, int x_end,
                           bool upside_down, int lane)
        : image_(image), upside_down_(upside_down) {
        const int first = shape.first(strip), column = LaneColumn::first(lane);
        x_ = first + column;
#pragma unroll
        for (int i = 0; i < kLaneColumns; ++i) {
            const int at = column + LaneColumn::offset(i), x = first + at;
            const bool inside = at >= shape.margin_px && at < shape.margin_px + shape.written_px;
            if (inside && x >= x_begin && x < x_end) written_ |= 1u << i;
        }
        prevent_rematerialization(written_);
        const bool has_single = x_end % 2 != 0 && x_end > first && x_end < first + kStripColumns;
        stores_pairs_ = image.surface == 0 && !has_single;
        pitch_bytes_ = upside_down ? -int(image.output_pitch_bytes) : int(image.output_pitch_bytes);
        output_ = image.d_output + x_ * int(sizeof(Pixel)) +
                  (upside_down ? size_t(image.height - 1) * image.output_pitch_bytes : 0);
        prevent_rematerialization(output_);
    }

    /// Row y: the pixels that the best boxes above, of upper_rows rows, and the best ones below, of lower_rows, make.
    /// Where their variances are equal, the box that is above in the image wins.
    __device__ __forceinline__ void write(int y, int upper_rows, int lower_rows,
                                          const EvaluatedBox (&top)[kLaneColumns],
                                          const EvaluatedBox (&bottom)[kLaneColumns],
                                          const int (&alpha)[kSpans][4]) const {
        uint32_t pixels[kLaneColumns];
        if (__builtin_expect(upper_rows == lower_rows, 1)) {
#pragma unroll
            for (int i = 0; i < kLaneColumns; ++i)
                pixels[i] =
                    has_lower_variance<kReach>(bottom[i], top[i], upside_down_) ? bottom[i].lower : top[i].lower;
        } else {
            const auto above = uint32_t(upper_rows * upper_rows), below = uint32_t(lower_rows * lower_rows);
#pragma unroll
            for (int i = 0; i < kLaneColumns; ++i)
                pixels[i] = scaled_variance_times<kReach>(bottom[i], above) <
                                    scaled_variance_times<kReach>(top[i], below) + uint32_t(upside_down_)
                                ? bottom[i].lower
                                : top[i].lower;
        }
        if constexpr (sizeof(Pixel) == 4) {
#pragma unroll
            for (int i = 0; i < kLaneColumns; ++i)
                pixels[i] =
                    with_alpha<kReach>(pixels[i], uint32_t(alpha[LaneColumn::span(i)][LaneColumn::accumulator(i)]));
        }
        store(y, pixels);
    }

  private:
    __device__ __forceinline__ void store(int y, const uint32_t (&pixels)[kLaneColumns]) const {
        if (__builtin_expect(stores_pairs_, 1)) {
            uint8_t* const row = output_ + int64_t{y} * pitch_bytes_;
#pragma unroll
            for (int i = 0; i < kLaneColumns; i += 2)
                store_pair_if((written_ >> i & 3) != 0, row + LaneColumn::offset(i) * int(sizeof(Pixel)), pixels[i],
                              pixels[i + 1], Pixel{});
        } else {
#pragma unroll
            for (int i = 0; i < kLaneColumns; ++i) {
                Pixel pixel;
                memcpy(&pixel, &pixels[i], sizeof pixel);  // its lowest byte first
                if ((written_ >> i & 1) != 0)
                    store_pixel(image_, x_ + LaneColumn::offset(i), upside_down_ ? image_.height - 1 - y : y, pixel);
            }
        }
    }

    const FilterImage& image_;
    int x_;                 // of the lane's column 0
    uint32_t written_ = 0;  // bit i: the lane writes its column i
    bool stores_pairs_;     // of pixels, to memory
    bool upside_down_;
    int pitch_bytes_;
    uint8_t* output_;  // the lane's column 0 of row 0
};

template <class Pixel, int kReach>
class StripFilter {
  public:
    /// Writes columns x_begin (even) to x_end - 1 of the strip. s_boxes: the warp's shared memory, aligned to 16 bytes:
    /// `kept` boxes (kept_boxes() of evaluated_boxes.cuh) and a BoxRow.
    __device__ StripFilter(const FilterImage& image, int strip, int x_begin, int x_end, bool upward,
                           EvaluatedBox* s_boxes, int kept)
        : image_(image),
          shape_(x_begin, image.radius, kReach),
          lane_(int(threadIdx.x % 32)),
          rows_(image, shape_.first(strip), upward, lane_),
          band_(image.radius, lane_),
          alpha_(lane_),
          pixels_(image, shape_, strip, x_begin, x_end, upward, lane_),
          s_boxes_(s_boxes),
          upward_(upward) {
        const int column = LaneColumn::first(lane_);
        for (int span = 0; span < kSpans; ++span) {
            const int of_span = column + span * kSpanColumns;
            own_at_[span] = resident_address(s_boxes + kept + BoxRow::index(of_span));
            for (int odd = 0; odd < 2; ++odd)
                left_at_[span][odd] = resident_address(s_boxes + kept + BoxRow::index(of_span + odd - image.radius));
        }
    }

    /// Evaluates the boxes of rows begin to end - 1 and keeps the best ones until they are the upper halves'. Writes
    /// the pixels of rows begin + radius to end - 1, and half of the `radius` rows before or behind them that are
    /// shared with a neighbor at the start or the end, if there is one: this segment has the lower boxes of the former
    /// and the upper ones of the latter, and the neighbor, which goes the other way, the others.
    __device__ void filter_keeping(int begin, int end, const ChainLink& at_start, const ChainLink& at_end) {
        const int radius = image_.radius, own_begin = begin + radius;  // from there on, all boxes are the warp's own
        const int first_written = at_start ? begin + rows_of_neighbor() : own_begin;
        BoxSums<Pixel> sums;
        sums.clear();
        add_rows(sums, max(begin, 0), own_begin + 1);
        Quads leaving = rows_.load(begin), entering = rows_.load(own_begin + 1);
        BoxRows lower;
        KeptRows<kReach> kept(s_boxes_, shape_.margin_px, radius, lane_);
        // The upper boxes: the neighbor's first rows, the later ones first, then the warp's own.
        uint32_t from = at_start.distance + uint32_t(own_begin - 1 - first_written) * kept.pitch();
        int meeting = at_start ? first_written : end;
        for (int y = begin; y < end; ++y) {
            if (__builtin_expect(y == meeting, 0)) {
                if (y == first_written) at_start.meet();    // the neighbor has evaluated what is read from here on
                if (y == own_begin) at_start.meet_again();  // and has read what is overwritten
                meeting = own_begin;
            }
            if (y >= own_begin) from = kept.oldest();
            count_rows(lower, y, sums);
            EvaluatedBox best[kLaneColumns];
            evaluate_row(sums, lower, best);
            int alpha[kSpans][4] = {};
            slide_down(sums, y, leaving, entering, alpha);
            choose_in_halves(best);
            if (y >= first_written) {
                EvaluatedBox top[kLaneColumns];
                kept.load(from, top);
                pixels_.write(y, rows_inside(y - radius), lower.rows, top, best, alpha);
                from -= kept.pitch();
            }
            kept.store(best);
        }
        if (at_start && end == own_begin) at_start.meet_again();
        if (at_end) write_shared_rows(end, kept, at_end);
    }

    /// Sums up and evaluates the upper and the lower halves' boxes side by side, which needs no shared memory that
    /// grows with the radius. Writes rows begin to end - 1.
    __device__ void filter_twice(int begin, int end) {
        const int radius = image_.radius;
        BoxSums<Pixel> above, below;
        above.clear();
        below.clear();
        add_rows(above, max(begin - radius, 0), begin);
        add_rows(below, begin, begin + radius);
        Quads fresh = rows_.load(begin + radius), own = rows_.load(begin), old = rows_.load(begin - radius);
        BoxRows upper, lower;
        for (int y = begin; y < end; ++y) {
            band_.add(below, rows_.planes(fresh), kRowEnters);
            fresh = rows_.load(y + 1 + radius);
            rows_.prefetch(y + 1 + radius + Policy::kRowsAhead);
            count_rows(upper, y - radius, above);
            count_rows(lower, y, below);
            EvaluatedBox top[kLaneColumns], bottom[kLaneColumns];
            evaluate_row(below, lower, bottom);
            choose_in_halves(bottom);
            int alpha[kSpans][4] = {};
            const RowPlanes<Pixel> middle = rows_.planes(own);
            alpha_.carry(middle, alpha);
            own = rows_.load(y + 1);
            band_.add(above, middle, kRowEnters);
            band_.add(below, middle, kRowLeaves);
            evaluate_row(above, upper, top);
            choose_in_halves(top);
            band_.add(above, rows_.planes(old), kRowLeaves);
            old = rows_.load(y + 1 - radius);
            pixels_.write(y, upper.rows, lower.rows, top, bottom, alpha);
        }
    }

  private:
    using Quads = typename StripRows<Pixel>::Quads;
    struct BoxRows {
        int rows = 0;  // of a box that lie in the image
        BoxCount count;
    };

    __device__ int rows_inside(int y) const { return min(y + image_.radius, image_.height - 1) - max(y, 0) + 1; }
    /// Of the `radius` rows that two neighbors share, how many of those nearest to it a segment leaves to the other.
    __device__ int rows_of_neighbor() const { return (image_.radius + int(upward_)) / 2; }

    /// Phase 0: sums up rows begin to end - 1, with kRowsAhead of them on their way.
    __device__ __forceinline__ void add_rows(BoxSums<Pixel>& sums, int begin, int end) const {
        constexpr int kAhead = Policy::kRowsAhead;
        Quads ahead[kAhead];
#pragma unroll
        for (int i = 0; i < kAhead; ++i) ahead[i] = rows_.load(begin + i);
        for (int y = begin; y < end; y += kAhead) {
#pragma unroll
            for (int i = 0; i < kAhead; ++i) {
                const RowPlanes<Pixel> row = rows_.planes(ahead[i]);
                ahead[i] = rows_.load(y + i + kAhead);
                band_.add(sums, row, y + i < end ? kRowEnters : kRowStaysOut);
            }
        }
    }

    /// Phase 1: where the image's border cuts the boxes of row y differently from those before them, counts their
    /// pixels again and changes what the sums of colors start at.
    __device__ __forceinline__ void count_rows(BoxRows& rows, int y, BoxSums<Pixel>& sums) const {
        const int inside = rows_inside(y);
        if (__builtin_expect(inside == rows.rows, 1)) return;
        const BoxCount count = BoxCount::of(uint32_t(inside) * uint32_t(image_.radius + 1));
        sums.change_colors(int(count.n / 2) - int(rows.count.n / 2));
        rows = {inside, count};
    }

    /// Phase 2: evaluates the boxes of the lane's columns and shows them to the other lanes.
    __device__ __forceinline__ void evaluate_row(const BoxSums<Pixel>& sums, const BoxRows& rows,
                                                 EvaluatedBox (&own)[kLaneColumns]) const {
#pragma unroll
        for (int i = 0; i < kLaneColumns; ++i) {
            own[i] = evaluate<Pixel, kReach>(sums, i, rows.count);
            store_box(own_at_[LaneColumn::span(i)] + BoxRow::upper_bytes(i) + i % 2 * BoxRow::kParityBytes, own[i]);
        }
        __syncwarp();
    }

    /// Phase 3: takes row y, which leaves the boxes, away and adds the row that enters them; takes the alpha of row y
    /// along and loads the next row of either.
    __device__ __forceinline__ void slide_down(BoxSums<Pixel>& sums, int y, Quads& leaving, Quads& entering,
                                               int (&alpha)[kSpans][4]) const {
        const RowPlanes<Pixel> top = rows_.planes(leaving), bottom = rows_.planes(entering);
        leaving = rows_.template load<true>(y + 1);
        entering = rows_.load(y + 2 + image_.radius);
        rows_.prefetch(y + 2 + image_.radius + Policy::kRowsAhead);
        alpha_.carry(top, alpha);
        band_.add(sums, bottom, kRowEnters);
        band_.add(sums, top, kRowLeaves);
    }

    /// Phase 4: replaces each box by the one `radius` to its left, unless its own variance is lower.
    __device__ __forceinline__ void choose_in_halves(EvaluatedBox (&best)[kLaneColumns]) const {
#pragma unroll
        for (int i = 0; i < kLaneColumns; ++i) {
            const EvaluatedBox left = load_box(left_at_[LaneColumn::span(i)][i % 2] + BoxRow::upper_bytes(i));
            const bool right_wins = has_lower_variance<kReach>(best[i], left);
            best[i].upper = right_wins ? best[i].upper : left.upper;
            best[i].lower = right_wins ? best[i].lower : left.lower;
        }
        __syncwarp();
    }

    /// Phase 6, behind the last row: of rows y to y + radius - 1, whose upper boxes are kept here and whose lower ones
    /// the neighbor keeps, writes the first half.
    __device__ void write_shared_rows(int y, const KeptRows<kReach>& kept, const ChainLink& neighbor) const {
        constexpr int kAhead = Policy::kSharedRowsAhead;
        Quads ahead[kAhead];
#pragma unroll
        for (int i = 0; i < kAhead; ++i) ahead[i] = rows_.load(y + i);
        uint32_t upper = kept.oldest(), lower = kept.stored_as(neighbor.rows - 1);
        neighbor.meet();
        const int count = rows_of_neighbor();
        for (int i = 0; i < count; i += kAhead) {
#pragma unroll
            for (int j = 0; j < kAhead; ++j) {
                if (i + j == count) return;
                const int at = y + i + j;
                EvaluatedBox top[kLaneColumns], bottom[kLaneColumns];
                kept.load(upper, top);
                kept.load(neighbor.distance + lower, bottom);
                upper = kept.after(upper);
                lower = kept.before(lower);
                int alpha[kSpans][4] = {};
                alpha_.carry(rows_.planes(ahead[j]), alpha);
                ahead[j] = rows_.load(at + kAhead);
                pixels_.write(at, rows_inside(at - image_.radius), rows_inside(at), top, bottom, alpha);
            }
        }
    }

    const FilterImage& image_;
    StripShape shape_;
    int lane_;
    StripRows<Pixel> rows_;
    BoxBand<Pixel, kReach> band_;
    AlphaCarrier alpha_;
    StripPixels<Pixel, kReach> pixels_;
    EvaluatedBox* s_boxes_;
    bool upward_;
    // Addresses in shared memory; left: of the box at x - radius, for the even and the odd column.
    uint32_t own_at_[kSpans], left_at_[kSpans][2];
};

}  // namespace tonescope::kuwahara::tuned
