// A warp filters a strip of columns from top to bottom. A box is named by its top left pixel: those at (x - r, y - r),
// (x, y - r), (x - r, y), (x, y) are the quadrants of the pixel (x, y). So each box is judged once; the calmer one of
// the boxes at x - r and x is the upper half's best of pixel (x, y + r) and the lower half's best of (x, y).
//
// Warps need nothing of each other. A strip's margin, and r rows above its segment, are computed by two warps. Boxes
// that the left or right border cuts off are nobody's here: border_columns.cuh filters the pixels that need them.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/box_choice.cuh"
#include "gpu/ops/kuwahara/strip_layout.cuh"
#include "gpu/ops/kuwahara/tensor_boxes.cuh"

namespace tonescope {

template <class Pixel, int kReach>
class StripFilter {
  public:
    /// Writes columns x_begin (even) to x_end - 1 of the strip. s_boxes: strip_boxes(radius) or strip_boxes(0),
    /// aligned to 16 bytes.
    __device__ StripFilter(const FilterImage& image, int strip, int x_begin, int x_end, int y_begin, int y_end,
                           JudgedBox* s_boxes)
        : image_(image),
          y_begin_(y_begin),
          y_end_(y_end),
          lane_(int(threadIdx.x % 32)),
          s_own_(s_boxes + lane_ % 4 * BoxRow::kChunkPitch + lane_ / 4),
          s_kept_(reinterpret_cast<uint4*>(s_boxes + BoxRow::kBoxes) + lane_),
          band_(image.radius, lane_),
          alpha_(lane_),
          has_single_(x_end % 2 != 0) {
        const StripShape shape(image.radius, kReach);
        const int first = shape.first(strip), g = lane_ / 4, q = lane_ % 4;
        // Columns outside of the image only reach boxes that are of no use: any pixels will do for them.
        const int load_x = first + kChunkColumns * (g / 2 + 4 * (g % 2)) + 4 * q, last_quad = (image.width - 1) / 4 * 4;
#pragma unroll
        for (int tile = 0; tile < kTiles; ++tile)
            load_bytes_[tile] =
                uint32_t(min(max(load_x + tile * kTileColumns, 0), last_quad)) * uint32_t(sizeof(Pixel));
        ends_in_quad_ = image.width % 4 != 0 && first + kStripColumns >= image.width;
        x_ = first + kChunkColumns * q + 2 * g;
#pragma unroll
        for (int slot = 0; slot < kSlots; ++slot) {
            const int column = x_ - first + slot_column(slot), left = max(column - image.radius, 0);
            left_at_[slot] = uint32_t(__cvta_generic_to_shared(s_boxes + BoxRow::index(left)));
            keep(left_at_[slot]);
            const int x = x_ + slot_column(slot);
            const bool inside = column >= shape.margin_px && column < shape.margin_px + shape.written_px;
            if (inside && x >= x_begin && x < x_end) written_ |= 1u << slot;
        }
        keep(written_);
        output_ = image.d_output + int64_t{y_begin} * int64_t(image.output_pitch_bytes) + x_ * int(sizeof(Pixel));
        keep(output_);
    }

    /// Keeps the upper half's best of `radius` rows in shared memory.
    __device__ void run_keeping() {
        const int radius = image_.radius, height = image_.height, y_first = y_begin_ - radius;
        BoxSums<Pixel> sums;
        clear(sums);
        Quads fresh{}, own{};
        const uint8_t *fresh_at = row_at(y_first + radius), *own_at = row_at(y_first);
        if (y_first + radius < height) fresh = load(fresh_at);
        if (y_first >= 0) own = load(own_at);
        add_rows(sums, max(y_first, 0), min(y_first + radius, height));
        int kept = 0;
        const int kept_end = radius * (kSlots / 2 * 32);
        for (int y = y_first; y < y_end_; ++y) {
            if (y + radius < height) band_.template add<1>(sums, planes(fresh));
            fresh_at += image_.input_pitch_bytes;
            if (y + 1 + radius < height) fresh = load(fresh_at);
            count_rows(lower_, y);
            JudgedBox best[kSlots];
            judge_halves(sums, lower_, best);
            int alpha[kTiles][4] = {};
            if (y >= y_begin_) alpha_.carry(own.quads, alpha);
            if (y >= 0) band_.template add<-1>(sums, planes(own));
            own_at += image_.input_pitch_bytes;
            if (y + 1 >= 0 && y + 1 < height) own = load(own_at);
            uint4* const s_row = s_kept_ + kept;
            if (y >= y_begin_) {
                JudgedBox top[kSlots];
#pragma unroll
                for (int i = 0; i < kSlots / 2; ++i) {
                    const uint4 two = s_row[i * 32];
                    top[2 * i] = {two.x, two.y};
                    top[2 * i + 1] = {two.z, two.w};
                }
                upper_.rows = rows_inside(y - radius);
                write(y, top, best, alpha);
            }
#pragma unroll
            for (int i = 0; i < kSlots / 2; ++i)
                s_row[i * 32] = {best[2 * i].upper, best[2 * i].lower, best[2 * i + 1].upper, best[2 * i + 1].lower};
            kept += kSlots / 2 * 32;
            if (kept == kept_end) kept = 0;
        }
    }

    /// Sums up the upper and the lower halves' boxes side by side: no shared memory that grows with the radius.
    __device__ void run_twice() {
        const int radius = image_.radius, height = image_.height;
        BoxSums<Pixel> above, below;
        clear(above);
        clear(below);
        add_rows(above, max(y_begin_ - radius, 0), y_begin_);
        add_rows(below, y_begin_, min(y_begin_ + radius, height));
        const uint8_t *fresh_at = row_at(y_begin_ + radius), *own_at = row_at(y_begin_);
        const uint8_t* old_at = row_at(y_begin_ - radius);
        Quads fresh{}, old{}, own = load(own_at);
        if (y_begin_ + radius < height) fresh = load(fresh_at);
        if (y_begin_ >= radius) old = load(old_at);
        for (int y = y_begin_; y < y_end_; ++y) {
            if (y + radius < height) band_.template add<1>(below, planes(fresh));
            fresh_at += image_.input_pitch_bytes;
            if (y + 1 + radius < height) fresh = load(fresh_at);
            count_rows(upper_, y - radius);
            count_rows(lower_, y);
            JudgedBox top[kSlots], bottom[kSlots];
            judge_halves(below, lower_, bottom);
            int alpha[kTiles][4] = {};
            alpha_.carry(own.quads, alpha);
            const RowPlanes<Pixel> own_planes = planes(own);
            own_at += image_.input_pitch_bytes;
            if (y + 1 < height) own = load(own_at);
            band_.template add<1>(above, own_planes);
            band_.template add<-1>(below, own_planes);
            judge_halves(above, upper_, top);
            if (y >= radius) band_.template add<-1>(above, planes(old));
            old_at += image_.input_pitch_bytes;
            if (y + 1 >= radius) old = load(old_at);
            write(y, top, bottom, alpha);
        }
    }

  private:
    using Quad = typename PlanesOf<Pixel>::Quad;
    using Word = typename PlanesOf<Pixel>::Word;
    struct Quads {
        Quad quads[kTiles];
    };
    struct BoxRows {
        int rows = 0;  // of a box that lie in the image
        BoxCount count;
    };

    // Slot 4 t + 2 u + o: the odd (o) or even column of tile t, of chunk q or (u) q + 4.
    __device__ static constexpr bool is_upper(int slot) {
        return slot / 2 % 2 != 0;
    }
    __device__ static constexpr int element(int slot) {
        return slot % 2 * 2 + is_upper(slot);
    }
    __device__ static constexpr int slot_column(int slot) {
        return slot / 4 * kTileColumns + is_upper(slot) * 4 * kChunkColumns + slot % 2;
    }
    __device__ static constexpr int slot_box(int slot) {
        return slot / 4 * (kTileColumns / 2) + is_upper(slot) * 4 * BoxRow::kChunkPitch +
               slot % 2 * BoxRow::kParityPitch;
    }

    __device__ int rows_inside(int y) const {
        return min(y + image_.radius, image_.height - 1) - max(y, 0) + 1;
    }
    __device__ __forceinline__ void count_rows(BoxRows& rows, int y) const {
        const int inside = rows_inside(y);
        if (inside == rows.rows) return;
        rows = {inside, BoxCount::of(uint32_t(inside) * uint32_t(image_.radius + 1))};
    }

    __device__ const uint8_t* row_at(int y) const {
        return image_.d_input + int64_t{y} * int64_t(image_.input_pitch_bytes);
    }
    __device__ __forceinline__ Quads load(const uint8_t* row) const {
        Quads out;
#pragma unroll
        for (int tile = 0; tile < kTiles; ++tile) {
            const uint8_t* const at = row + load_bytes_[tile];
            const int pixels = image_.width - int(load_bytes_[tile] / sizeof(Pixel));
            if (ends_in_quad_ && pixels < 4) {
                out.quads[tile] = first_pixels(at, pixels);
            } else {
                out.quads[tile] = __ldg(reinterpret_cast<const Quad*>(at));
            }
        }
        return out;
    }
    /// A row's last one to three pixels. What lies behind a row may never have been written.
    __device__ static Quad first_pixels(const uint8_t* at, int count) {
        const auto* words = reinterpret_cast<const Word*>(at);
        const Word p0 = __ldg(words), p1 = count > 1 ? __ldg(words + 1) : Word{},
                   p2 = count > 2 ? __ldg(words + 2) : Word{};
        if constexpr (sizeof(Pixel) == 4) {
            return {p0, p1, p2, 0};
        } else {
            return p0 | uint32_t{p1} << 8 | uint32_t{p2} << 16;
        }
    }
    __device__ __forceinline__ static RowPlanes<Pixel> planes(const Quads& row) {
        RowPlanes<Pixel> out;
#pragma unroll
        for (int tile = 0; tile < kTiles; ++tile) split_planes(row.quads[tile], out.of[tile]);
        return out;
    }
    __device__ __forceinline__ void add_rows(BoxSums<Pixel>& sums, int begin, int end) const {
        const uint8_t* at = row_at(begin);
        Quads next{};
        if (begin < end) next = load(at);
        for (int y = begin; y < end; ++y) {
            const RowPlanes<Pixel> row = planes(next);
            at += image_.input_pitch_bytes;
            if (y + 1 < end) next = load(at);
            band_.template add<1>(sums, row);
        }
    }

    /// The best of two boxes for each slot: the one at x - radius, or the one at x where that is calmer.
    __device__ __forceinline__ void judge_halves(const BoxSums<Pixel>& sums, const BoxRows& rows,
                                                 JudgedBox (&best)[kSlots]) const {
        JudgedBox own[kSlots];
#pragma unroll
        for (int slot = 0; slot < kSlots; ++slot) {
            own[slot] = judge<Pixel, kReach>(sums, slot / 4, element(slot), rows.count);
            s_own_[slot_box(slot)] = own[slot];
        }
        __syncwarp();
#pragma unroll
        for (int slot = 0; slot < kSlots; ++slot) {
            JudgedBox left;
            asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                         : "=r"(left.upper), "=r"(left.lower)
                         : "r"(left_at_[slot])
                         : "memory");
            const bool right_wins = calmer<kReach>(own[slot], left);
            best[slot].upper = right_wins ? own[slot].upper : left.upper;
            best[slot].lower = right_wins ? own[slot].lower : left.lower;
        }
        __syncwarp();
    }

    __device__ __forceinline__ void write(int y, const JudgedBox (&top)[kSlots], const JudgedBox (&bottom)[kSlots],
                                          const int (&alpha)[kTiles][4]) {
        uint32_t pixels[kSlots];
        if (upper_.rows == lower_.rows) {
#pragma unroll
            for (int slot = 0; slot < kSlots; ++slot)
                pixels[slot] = calmer<kReach>(bottom[slot], top[slot]) ? bottom[slot].lower : top[slot].lower;
        } else {
            const auto above = uint32_t(upper_.rows * upper_.rows), below = uint32_t(lower_.rows * lower_.rows);
#pragma unroll
            for (int slot = 0; slot < kSlots; ++slot)
                pixels[slot] = spread_times<kReach>(bottom[slot], above) < spread_times<kReach>(top[slot], below)
                                   ? bottom[slot].lower
                                   : top[slot].lower;
        }
        if constexpr (sizeof(Pixel) == 4) {
#pragma unroll
            for (int slot = 0; slot < kSlots; ++slot)
                pixels[slot] = __byte_perm(pixels[slot], uint32_t(alpha[slot / 4][element(slot)]), 0x4210);
        }
        if (image_.surface == 0) {
#pragma unroll
            for (int slot = 0; slot < kSlots; slot += 2) {
                uint8_t* const at = output_ + slot_column(slot) * int(sizeof(Pixel));
                store_pair_if((written_ >> slot & 2) != 0, at, pixels[slot], pixels[slot + 1], Pixel{});
            }
            if (has_single_) {
#pragma unroll
                for (int slot = 0; slot < kSlots; slot += 2)
                    if ((written_ >> slot & 3) == 1)
                        *reinterpret_cast<Pixel*>(output_ + slot_column(slot) * int(sizeof(Pixel))) =
                            pixel_of<Pixel>(pixels[slot]);
            }
            output_ += image_.output_pitch_bytes;
        } else {
            const SurfaceSink<Pixel> sink{image_.surface};
#pragma unroll
            for (int slot = 0; slot < kSlots; ++slot) {
                if ((written_ >> slot & 1) == 0) continue;
                sink.store(x_ + slot_column(slot), y, pixel_of<Pixel>(pixels[slot]));
            }
        }
    }

    const FilterImage& image_;
    int y_begin_, y_end_, lane_;
    JudgedBox* s_own_;
    uint4* s_kept_;
    BoxBand<Pixel, kReach> band_;
    AlphaCarrier alpha_;
    uint32_t load_bytes_[kTiles];  // from a row's start to the pixels that the lane loads
    int x_ = 0;                    // of slot 0
    uint32_t left_at_[kSlots];     // of the box at x - radius, in shared memory
    uint32_t written_ = 0;         // a bit a slot
    bool ends_in_quad_;            // the image does, within this strip
    bool has_single_;              // a lane of the grid may write the first pixel of a pair only
    uint8_t* output_ = nullptr;
    BoxRows upper_, lower_;
};

}  // namespace tonescope
