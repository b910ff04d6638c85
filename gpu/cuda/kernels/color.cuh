// What HE and CLAHE change in a pixel under each `color`: which values it has (one plane or three), and the pixel that
// new values make.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/core/luma.h"
#include "gpu/cuda/kernels/job.h"

namespace tonescope {

template <class Sample>
using ColorPixel = std::conditional_t<sizeof(Sample) == 2, ushort4, uchar4>;

// Each map of images of 8 bits is one of a template over the samples. `max_sample`: M.

template <class Sample>
struct GrayPixelsOf {
    using In = Sample;
    using Out = Sample;
    static constexpr int kPlanes = 1;
    __device__ static int value(In pixel, int) { return pixel; }
    __device__ static Out result(In, const int (&values)[1], int = 255) { return Out(values[0]); }
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
    __device__ static Out result(In pixel, const int (&values)[1], int max_sample = 255) {
        const int delta = values[0] - ColorLumaOf::value(pixel, 0);
        return {Sample(shift_channel(pixel.x, delta, max_sample)), Sample(shift_channel(pixel.y, delta, max_sample)),
                Sample(shift_channel(pixel.z, delta, max_sample)), pixel.w};
    }
};

template <class Sample>
struct ColorChannelsOf {
    using In = ColorPixel<Sample>;
    using Out = ColorPixel<Sample>;
    static constexpr int kPlanes = 3;
    __device__ static int value(In pixel, int plane) { return plane == 0 ? pixel.x : plane == 1 ? pixel.y : pixel.z; }
    __device__ static Out result(In pixel, const int (&values)[3], int = 255) {
        return {Sample(values[0]), Sample(values[1]), Sample(values[2]), pixel.w};
    }
};

template <class Sample>
struct ColorToGrayOf : LumaOfColorOf<Sample> {
    using Out = Sample;
    __device__ static Out result(ColorPixel<Sample>, const int (&values)[1], int = 255) { return Out(values[0]); }
};

template <class Sample>
struct ColorToGrayWithAlphaOf : LumaOfColorOf<Sample> {
    using Out = ColorPixel<Sample>;
    __device__ static Out result(ColorPixel<Sample> pixel, const int (&values)[1], int = 255) {
        const Sample gray = Sample(values[0]);
        return {gray, gray, gray, pixel.w};
    }
};

using GrayPixels = GrayPixelsOf<uint8_t>;
using ColorLuma = ColorLumaOf<uint8_t>;
using ColorChannels = ColorChannelsOf<uint8_t>;
using ColorToGray = ColorToGrayOf<uint8_t>;
using ColorToGrayWithAlpha = ColorToGrayWithAlphaOf<uint8_t>;

/// Calls run(Map{}) with the map for this image, whose samples are Sample, and `color` (a ColorMode).
template <class Sample, class Run>
void with_color_map_of(const ImageSpec& input, int32_t color, Run&& run) {
    if (is_gray(input.format)) {
        run(GrayPixelsOf<Sample>{});
    } else if (color == color_luma) {
        run(ColorLumaOf<Sample>{});
    } else if (color == color_channels) {
        run(ColorChannelsOf<Sample>{});
    } else if (input.has_alpha) {
        run(ColorToGrayWithAlphaOf<Sample>{});
    } else {
        run(ColorToGrayOf<Sample>{});
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
