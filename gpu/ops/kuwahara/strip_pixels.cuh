// How the lanes of a warp write the pixels of their strip.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/box_choice.cuh"
#include "gpu/ops/kuwahara/strip_layout.cuh"

namespace tonescope {

template <class Pixel, int kReach>
class StripPixels {
  public:
    /// Columns x_begin (even) to x_end - 1, as far as the strip has them. `upside_down`: row 0 is the image's last one.
    __device__ StripPixels(const FilterImage& image, const StripShape& shape, int strip, int x_begin, int x_end,
                           bool upside_down, int lane)
        : image_(image), upside_down_(upside_down) {
        const int first = shape.first(strip), column = Slot::first_column(lane);
        x_ = first + column;
#pragma unroll
        for (int slot = 0; slot < kSlots; ++slot) {
            const int at = column + Slot::column(slot), x = first + at;
            const bool inside = at >= shape.margin_px && at < shape.margin_px + shape.written_px;
            if (inside && x >= x_begin && x < x_end) written_ |= 1u << slot;
        }
        keep(written_);
        const bool has_single = x_end % 2 != 0 && x_end > first && x_end < first + kStripColumns;
        stores_pairs_ = image.surface == 0 && !has_single;
        pitch_bytes_ = upside_down ? -int(image.output_pitch_bytes) : int(image.output_pitch_bytes);
        output_ = image.d_output + x_ * int(sizeof(Pixel)) +
                  (upside_down ? size_t(image.height - 1) * image.output_pitch_bytes : 0);
        keep(output_);
    }

    /// Row y: of each slot the calmer one of the best box above, of upper_rows rows, and the best below, of lower_rows.
    /// Where they are equal, the one that is above in the image.
    __device__ __forceinline__ void write(int y, int upper_rows, int lower_rows, const JudgedBox (&top)[kSlots],
                                          const JudgedBox (&bottom)[kSlots], const int (&alpha)[kTiles][4]) const {
        uint32_t pixels[kSlots];
        if (__builtin_expect(upper_rows == lower_rows, 1)) {
#pragma unroll
            for (int slot = 0; slot < kSlots; ++slot)
                pixels[slot] = calmer_or_equal<kReach>(bottom[slot], top[slot], upside_down_) ? bottom[slot].lower
                                                                                              : top[slot].lower;
        } else {
            const auto above = uint32_t(upper_rows * upper_rows), below = uint32_t(lower_rows * lower_rows);
#pragma unroll
            for (int slot = 0; slot < kSlots; ++slot)
                pixels[slot] = spread_times<kReach>(bottom[slot], above) <
                                       spread_times<kReach>(top[slot], below) + uint32_t(upside_down_)
                                   ? bottom[slot].lower
                                   : top[slot].lower;
        }
        if constexpr (sizeof(Pixel) == 4) {
#pragma unroll
            for (int slot = 0; slot < kSlots; ++slot)
                pixels[slot] = with_alpha<kReach>(pixels[slot], uint32_t(alpha[slot / 4][Slot::element(slot)]));
        }
        if (__builtin_expect(stores_pairs_, 1)) {
            uint8_t* const row = output_ + int64_t{y} * pitch_bytes_;
#pragma unroll
            for (int slot = 0; slot < kSlots; slot += 2)
                store_pair_if((written_ >> slot & 3) != 0, row + Slot::column(slot) * int(sizeof(Pixel)), pixels[slot],
                              pixels[slot + 1], Pixel{});
        } else {
#pragma unroll
            for (int slot = 0; slot < kSlots; ++slot)
                if ((written_ >> slot & 1) != 0)
                    store_pixel(image_, x_ + Slot::column(slot), upside_down_ ? image_.height - 1 - y : y,
                                pixel_of<Pixel>(pixels[slot]));
        }
    }

  private:
    const FilterImage& image_;
    int x_;                 // of slot 0
    uint32_t written_ = 0;  // a bit a slot
    bool stores_pairs_;     // of pixels, to memory
    bool upside_down_;
    int pitch_bytes_;
    uint8_t* output_;  // slot 0 of row 0
};

}  // namespace tonescope
