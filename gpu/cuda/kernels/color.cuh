// What HE and CLAHE change in a pixel under each `color`: which values it has (one plane or three), and the pixel that
// new values make.
#pragma once

#include <cstdint>

#include "gpu/core/luma.h"
#include "gpu/cuda/kernels/job.h"

namespace tonescope {

struct GrayPixels {
    using In = uint8_t;
    using Out = uint8_t;
    static constexpr int kPlanes = 1;
    __device__ static int value(In pixel, int) { return pixel; }
    __device__ static Out result(In, const int (&values)[1]) { return Out(values[0]); }
};

/// Maps of the luma of color images.
struct LumaOfColor {
    using In = uchar4;
    static constexpr int kPlanes = 1;
    __device__ static int value(In pixel, int) { return luma(pixel.x, pixel.y, pixel.z); }
};

struct ColorLuma : LumaOfColor {
    using Out = uchar4;
    __device__ static Out result(In pixel, const int (&values)[1]) {
        const int delta = values[0] - value(pixel, 0);
        return make_uchar4(uint8_t(shift_channel(pixel.x, delta)), uint8_t(shift_channel(pixel.y, delta)),
                           uint8_t(shift_channel(pixel.z, delta)), pixel.w);
    }
};

struct ColorChannels {
    using In = uchar4;
    using Out = uchar4;
    static constexpr int kPlanes = 3;
    __device__ static int value(In pixel, int plane) { return plane == 0 ? pixel.x : plane == 1 ? pixel.y : pixel.z; }
    __device__ static Out result(In pixel, const int (&values)[3]) {
        return make_uchar4(uint8_t(values[0]), uint8_t(values[1]), uint8_t(values[2]), pixel.w);
    }
};

struct ColorToGray : LumaOfColor {
    using Out = uint8_t;
    __device__ static Out result(In, const int (&values)[1]) { return Out(values[0]); }
};

struct ColorToGrayWithAlpha : LumaOfColor {
    using Out = uchar4;
    __device__ static Out result(In pixel, const int (&values)[1]) {
        const uint8_t gray = uint8_t(values[0]);
        return make_uchar4(gray, gray, gray, pixel.w);
    }
};

/// Calls run(Map{}) with the map for this image and `color` (a ColorMode).
template <class Run>
void with_color_map(const ImageSpec& input, int32_t color, Run&& run) {
    if (input.format == PixelFormat::gray8) {
        run(GrayPixels{});
    } else if (color == color_luma) {
        run(ColorLuma{});
    } else if (color == color_channels) {
        run(ColorChannels{});
    } else if (input.has_alpha) {
        run(ColorToGrayWithAlpha{});
    } else {
        run(ColorToGray{});
    }
}

}  // namespace tonescope
