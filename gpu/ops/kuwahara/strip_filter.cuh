// A warp filters a strip of columns from top to bottom. A box is named by its top left pixel: those at (x - r, y - r),
// (x, y - r), (x - r, y), (x, y) are the quadrants of the pixel (x, y). So each box is judged once; the calmer one of
// the boxes at x - r and x is the upper half's best of pixel (x, y + r) and the lower half's best of (x, y).
//
// A strip's margin is computed by two warps. Where a warp goes from the bottom up, its rows are counted from the
// image's last one: above and below change places, and nothing else does but what wins where two boxes are equally
// calm. Boxes that the left or right border cuts off are nobody's here: border_columns.cuh filters the pixels that need
// them.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/box_choice.cuh"
#include "gpu/ops/kuwahara/shared_boxes.cuh"
#include "gpu/ops/kuwahara/strip_chain.cuh"
#include "gpu/ops/kuwahara/strip_layout.cuh"
#include "gpu/ops/kuwahara/strip_pixels.cuh"
#include "gpu/ops/kuwahara/strip_rows.cuh"
#include "gpu/ops/kuwahara/tensor_boxes.cuh"

namespace tonescope {

template <class Pixel, int kReach>
class StripFilter {
  public:
    /// Writes columns x_begin (even) to x_end - 1 of the strip. s_boxes: the warp's shared memory, aligned to 16 bytes:
    /// `kept` boxes (kept_boxes() of shared_boxes.cuh) and a BoxRow.
    __device__ StripFilter(const FilterImage& image, int strip, int x_begin, int x_end, bool upward, JudgedBox* s_boxes,
                           int kept)
        : image_(image),
          shape_(x_begin, image.radius, kReach),
          lane_(int(threadIdx.x % 32)),
          rows_(image, shape_.first(strip), upward, lane_),
          band_(image.radius, lane_),
          alpha_(lane_),
          pixels_(image, shape_, strip, x_begin, x_end, upward, lane_),
          s_boxes_(s_boxes),
          upward_(upward) {
        const int column = Slot::first_column(lane_);
        for (int tile = 0; tile < kTiles; ++tile) {
            const int of_tile = column + tile * kTileColumns;
            own_at_[tile] = shared_address(s_boxes + kept + BoxRow::index(of_tile));
            for (int odd = 0; odd < 2; ++odd)
                left_at_[tile][odd] = shared_address(s_boxes + kept + BoxRow::index(of_tile + odd - image.radius));
        }
    }

    /// Judges the boxes of rows begin to end - 1. Writes the pixels of rows begin + radius to end - 1, and half of the
    /// `radius` rows before or behind them that are shared with a neighbour at the start or the end, if there is one:
    /// this segment has the lower boxes of the former and the upper ones of the latter, and the neighbour, which goes
    /// the other way, the others.
    __device__ void run_keeping(int begin, int end, const ChainLink& at_start, const ChainLink& at_end) {
        const int radius = image_.radius, own_begin = begin + radius;  // from there on, all bests are the warp's own
        const int first_written = at_start ? begin + not_written() : own_begin;
        BoxSums<Pixel> sums;
        clear(sums);
        add_rows(sums, max(begin, 0), own_begin + 1);
        Quads own = rows_.load(begin), fresh = rows_.load(own_begin + 1);
        BoxRows lower;
        KeptRows<kReach> kept(s_boxes_, shape_.margin_px, radius, lane_);
        // The neighbour's first bests, the later ones first: those that belong to the rows that this warp writes.
        uint32_t from = at_start.distance + uint32_t(own_begin - 1 - first_written) * kept.pitch();
        int meeting = at_start ? first_written : end;
        for (int y = begin; y < end; ++y) {
            if (__builtin_expect(y == meeting, 0)) {
                if (y == first_written) at_start.meet();    // the neighbour has judged what is read from here on
                if (y == own_begin) at_start.meet_again();  // and has read what is overwritten
                meeting = own_begin;
            }
            if (y >= own_begin) from = kept.oldest();
            count_rows(lower, y, sums);
            JudgedBox best[kSlots];
            judge(sums, lower, best);
            const RowPlanes<Pixel> leaving = rows_.planes(own), entering = rows_.planes(fresh);
            own = rows_.template load<true>(y + 1);
            fresh = rows_.load(y + 2 + radius);
            rows_.prefetch(y + 2 + radius + kRowsAhead);
            int alpha[kTiles][4] = {};
            alpha_.carry(leaving, alpha);
            band_.add(sums, entering, 1);
            band_.add(sums, leaving, 255);
            choose_halves(best);
            if (y >= first_written) {
                JudgedBox top[kSlots];
                kept.load(from, top);
                pixels_.write(y, rows_inside(y - radius), lower.rows, top, best, alpha);
                from -= kept.pitch();
            }
            kept.store(best);
        }
        if (at_start && end == own_begin) at_start.meet_again();
        if (at_end) write_shared_rows(end, kept, at_end);
    }

    /// Sums up the upper and the lower halves' boxes side by side: no shared memory that grows with the radius. Writes
    /// rows begin to end - 1.
    __device__ void run_twice(int begin, int end) {
        const int radius = image_.radius;
        BoxSums<Pixel> above, below;
        clear(above);
        clear(below);
        add_rows(above, max(begin - radius, 0), begin);
        add_rows(below, begin, begin + radius);
        Quads fresh = rows_.load(begin + radius), own = rows_.load(begin), old = rows_.load(begin - radius);
        BoxRows upper, lower;
        for (int y = begin; y < end; ++y) {
            band_.add(below, rows_.planes(fresh), 1);
            fresh = rows_.load(y + 1 + radius);
            rows_.prefetch(y + 1 + radius + kRowsAhead);
            count_rows(upper, y - radius, above);
            count_rows(lower, y, below);
            JudgedBox top[kSlots], bottom[kSlots];
            judge(below, lower, bottom);
            choose_halves(bottom);
            int alpha[kTiles][4] = {};
            const RowPlanes<Pixel> leaving = rows_.planes(own);
            alpha_.carry(leaving, alpha);
            own = rows_.load(y + 1);
            band_.add(above, leaving, 1);
            band_.add(below, leaving, 255);
            judge(above, upper, top);
            choose_halves(top);
            band_.add(above, rows_.planes(old), 255);
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
    static constexpr int kRowsAhead = 4, kAlphaAhead = 3;

    __device__ int rows_inside(int y) const { return min(y + image_.radius, image_.height - 1) - max(y, 0) + 1; }
    __device__ __forceinline__ void count_rows(BoxRows& rows, int y, BoxSums<Pixel>& sums) const {
        const int inside = rows_inside(y);
        if (__builtin_expect(inside == rows.rows, 1)) return;
        const BoxCount count = BoxCount::of(uint32_t(inside) * uint32_t(image_.radius + 1));
        change_colors(sums, int(count.n / 2) - int(rows.count.n / 2));
        rows = {inside, count};
    }
    __device__ __forceinline__ void add_rows(BoxSums<Pixel>& sums, int begin, int end) const {
        Quads ahead[kRowsAhead];
#pragma unroll
        for (int i = 0; i < kRowsAhead; ++i) ahead[i] = rows_.load(begin + i);
        for (int y = begin; y < end; y += kRowsAhead) {
#pragma unroll
            for (int i = 0; i < kRowsAhead; ++i) {
                const RowPlanes<Pixel> row = rows_.planes(ahead[i]);
                ahead[i] = rows_.load(y + i + kRowsAhead);
                band_.add(sums, row, y + i < end ? 1 : 0);
            }
        }
    }

    /// Judges the boxes of all slots and shows them to the other lanes.
    __device__ __forceinline__ void judge(const BoxSums<Pixel>& sums, const BoxRows& rows,
                                          JudgedBox (&own)[kSlots]) const {
#pragma unroll
        for (int slot = 0; slot < kSlots; ++slot) {
            own[slot] = tonescope::judge<Pixel, kReach>(sums, slot / 4, Slot::element(slot), rows.count);
            store_box(
                own_at_[slot / 4] + BoxRow::upper_bytes(slot) + slot % 2 * BoxRow::kParityPitch * sizeof(JudgedBox),
                own[slot]);
        }
        __syncwarp();
    }
    /// The best of two boxes for each slot: the one at x - radius, or the one at x where that is calmer.
    __device__ __forceinline__ void choose_halves(JudgedBox (&best)[kSlots]) const {
#pragma unroll
        for (int slot = 0; slot < kSlots; ++slot) {
            const JudgedBox left = load_box(left_at_[slot / 4][slot % 2] + BoxRow::upper_bytes(slot));
            const bool right_wins = calmer<kReach>(best[slot], left);
            best[slot].upper = right_wins ? best[slot].upper : left.upper;
            best[slot].lower = right_wins ? best[slot].lower : left.lower;
        }
        __syncwarp();
    }

    /// Of the `radius` rows shared at a border, how many of the nearest ones a neighbour leaves to the other.
    __device__ int not_written() const {
        return (image_.radius + int(upward_)) / 2;
    }

    /// Of rows y to y + radius - 1, whose upper bests are kept and whose lower ones are the neighbour's, the first
    /// half.
    __device__ void write_shared_rows(int y, const KeptRows<kReach>& kept, const ChainLink& neighbour) const {
        Quads ahead[kAlphaAhead];
#pragma unroll
        for (int i = 0; i < kAlphaAhead; ++i) ahead[i] = rows_.load(y + i);
        uint32_t upper = kept.oldest(), lower = kept.row(neighbour.rows - 1);
        neighbour.meet();
        const int count = not_written();
        for (int i = 0; i < count; i += kAlphaAhead) {
#pragma unroll
            for (int j = 0; j < kAlphaAhead; ++j) {
                if (i + j == count) return;
                const int at = y + i + j;
                JudgedBox top[kSlots], bottom[kSlots];
                kept.load(upper, top);
                kept.load(neighbour.distance + lower, bottom);
                upper = kept.after(upper);
                lower = kept.before(lower);
                int alpha[kTiles][4] = {};
                alpha_.carry(rows_.planes(ahead[j]), alpha);
                ahead[j] = rows_.load(at + kAlphaAhead);
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
    JudgedBox* s_boxes_;
    bool upward_;
    // In shared memory, bytes.
    uint32_t own_at_[kTiles], left_at_[kTiles][2];  // left: of the box at x - radius, for the even and the odd column
};

}  // namespace tonescope
