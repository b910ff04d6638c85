// How the lanes of a warp write the pixels of their strip.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/tuned/evaluated_box.cuh"
#include "gpu/ops/kuwahara/tuned/strip_layout.cuh"

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

}  // namespace tonescope::kuwahara::tuned
