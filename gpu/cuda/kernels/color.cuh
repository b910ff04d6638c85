// What HE and CLAHE change in a pixel under each `color`: which values it has (one plane or three), and the pixel that
// new values make. Lightness (`lab`) has a plane of its own (lightness_plane.cuh).
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/core/luma.h"
#include "gpu/cuda/kernels/job.h"

namespace tonescope {

template <class Sample>
using ColorPixel = std::conditional_t<sizeof(Sample) == 2, ushort4, uchar4>;

/// What a map's result needs beside the values: M, and how much of the result there is in it, in percent.
struct ColorMixing {
    int32_t max_sample = 255, amount = 100;

    ColorMixing() = default;
    ColorMixing(const ImageSpec& image, const ColorChange& change)
        : max_sample(image.max_sample), amount(change.amount) {}
    __device__ int operator()(int result, int input) const {
        return amount == 100 ? result : mixed_sample(result, input, amount);
    }
    /// Of the three channels; alpha stays.
    template <class Pixel>
    __device__ Pixel operator()(Pixel pixel, int red, int green, int blue) const {
        using Sample = decltype(pixel.x);
        return {Sample((*this)(red, pixel.x)), Sample((*this)(green, pixel.y)), Sample((*this)(blue, pixel.z)),
                pixel.w};
    }
};

/// scale_channel() for all channels of a pixel, with one reciprocal.
class ChannelScale {
  public:
    __device__ ChannelScale(int value, int new_value, int max_sample)
        : value_(uint32_t(value)), new_value_(uint32_t(new_value)), max_sample_(uint32_t(max_sample)) {
        factor_ = value == 0 ? 0 : __fdividef(1 - 0x1p-20f, float(value));
    }
    /// The product with a factor that is a little too small, in float, gives the quotient or one less where it is below
    /// 2^16, and the remainder tells which. Greater ones stay above max_sample.
    __device__ int operator()(int channel) const {
        if (value_ == 0) return int(new_value_);
        const uint32_t n = uint32_t(channel) * new_value_ + value_ / 2;
        uint32_t quotient = uint32_t(float(n) * factor_);
        quotient += n - quotient * value_ >= value_;
        return int(min(quotient, max_sample_));
    }

  private:
    uint32_t value_, new_value_, max_sample_;
    float factor_;
};

// Each map of images of 8 bits is one of a template over the samples.

template <class Sample>
struct GrayPixelsOf {
    using In = Sample;
    using Out = Sample;
    static constexpr int kPlanes = 1;
    __device__ static int value(In pixel, int) { return pixel; }
    __device__ static Out result(In pixel, const int (&values)[1], const ColorMixing& mixed) {
        return Out(mixed(values[0], pixel));
    }
};

/// Maps of the luma of color images.
template <class Sample>
struct LumaOfColorOf {
    using In = ColorPixel<Sample>;
    static constexpr int kPlanes = 1;
    __device__ static int value(In pixel, int) { return luma(pixel.x, pixel.y, pixel.z); }
};

template <class Sample>
struct ColorLumaOf : LumaOfColorOf<Sample> {
    using In = ColorPixel<Sample>;
    using Out = ColorPixel<Sample>;
    __device__ static Out result(In pixel, const int (&values)[1], const ColorMixing& mixed) {
        const int delta = values[0] - ColorLumaOf::value(pixel, 0), max_sample = mixed.max_sample;
        return mixed(pixel, shift_channel(pixel.x, delta, max_sample), shift_channel(pixel.y, delta, max_sample),
                     shift_channel(pixel.z, delta, max_sample));
    }
};

template <class Sample>
struct ColorRatioOf : LumaOfColorOf<Sample> {
    using In = ColorPixel<Sample>;
    using Out = ColorPixel<Sample>;
    __device__ static Out result(In pixel, const int (&values)[1], const ColorMixing& mixed) {
        const ChannelScale scale(ColorRatioOf::value(pixel, 0), values[0], mixed.max_sample);
        return mixed(pixel, scale(pixel.x), scale(pixel.y), scale(pixel.z));
    }
};

/// V of HSV.
template <class Sample>
struct ColorValueOf {
    using In = ColorPixel<Sample>;
    using Out = ColorPixel<Sample>;
    static constexpr int kPlanes = 1;
    __device__ static int value(In pixel, int) { return max(max(int(pixel.x), int(pixel.y)), int(pixel.z)); }
    __device__ static Out result(In pixel, const int (&values)[1], const ColorMixing& mixed) {
        const ChannelScale scale(value(pixel, 0), values[0], mixed.max_sample);
        return mixed(pixel, scale(pixel.x), scale(pixel.y), scale(pixel.z));
    }
};

template <class Sample>
struct ColorChannelsOf {
    using In = ColorPixel<Sample>;
    using Out = ColorPixel<Sample>;
    static constexpr int kPlanes = 3;
    __device__ static int value(In pixel, int plane) { return plane == 0 ? pixel.x : plane == 1 ? pixel.y : pixel.z; }
    __device__ static Out result(In pixel, const int (&values)[3], const ColorMixing& mixed) {
        return mixed(pixel, values[0], values[1], values[2]);
    }
};

template <class Sample>
struct ColorToGrayOf : LumaOfColorOf<Sample> {
    using Out = Sample;
    __device__ static Out result(ColorPixel<Sample> pixel, const int (&values)[1], const ColorMixing& mixed) {
        return Out(mixed(values[0], ColorToGrayOf::value(pixel, 0)));
    }
};

template <class Sample>
struct ColorToGrayWithAlphaOf : LumaOfColorOf<Sample> {
    using Out = ColorPixel<Sample>;
    __device__ static Out result(ColorPixel<Sample> pixel, const int (&values)[1], const ColorMixing& mixed) {
        const auto gray = Sample(mixed(values[0], ColorToGrayWithAlphaOf::value(pixel, 0)));
        return {gray, gray, gray, pixel.w};
    }
};

using GrayPixels = GrayPixelsOf<uint8_t>;
using ColorLuma = ColorLumaOf<uint8_t>;
using ColorRatio = ColorRatioOf<uint8_t>;
using ColorValue = ColorValueOf<uint8_t>;
using ColorChannels = ColorChannelsOf<uint8_t>;
using ColorToGray = ColorToGrayOf<uint8_t>;
using ColorToGrayWithAlpha = ColorToGrayWithAlphaOf<uint8_t>;

/// Calls run(Map{}) with the map for this image, whose samples are Sample, and `color` (a ColorMode, not color_lab).
template <class Sample, class Run>
void with_color_map_of(const ImageSpec& input, int32_t color, Run&& run) {
    if (is_gray(input.format)) return run(GrayPixelsOf<Sample>{});
    switch (color) {
        case color_channels:
            return run(ColorChannelsOf<Sample>{});
        case color_ratio:
            return run(ColorRatioOf<Sample>{});
        case color_value:
            return run(ColorValueOf<Sample>{});
        case color_gray:
            if (input.has_alpha) return run(ColorToGrayWithAlphaOf<Sample>{});
            return run(ColorToGrayOf<Sample>{});
        default:
            return run(ColorLumaOf<Sample>{});
    }
}
/// The same for images of 8 bits.
template <class Run>
void with_color_map(const ImageSpec& input, int32_t color, Run&& run) {
    with_color_map_of<uint8_t>(input, color, run);
}
/// The same for images of any depth.
template <class Run>
void with_any_color_map(const ImageSpec& input, int32_t color, Run&& run) {
    if (is_deep(input.format))
        with_color_map_of<uint16_t>(input, color, run);
    else
        with_color_map_of<uint8_t>(input, color, run);
}

}  // namespace tonescope
