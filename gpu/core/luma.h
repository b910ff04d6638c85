// The design's definition of luma, and how a new luma goes back into a color. Usable in host and device code.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define TONESCOPE_HOST_DEVICE __host__ __device__
#else
#define TONESCOPE_HOST_DEVICE
#endif

namespace tonescope {

/// Y = (77 R + 150 G + 29 B + 128) >> 8: no less than the least of the three, and no more than the greatest.
TONESCOPE_HOST_DEVICE constexpr int luma(int r, int g, int b) {
    return (77 * r + 150 * g + 29 * b + 128) >> 8;
}

/// clamp(channel + new luma - old luma) to 0 ... max_sample.
TONESCOPE_HOST_DEVICE constexpr int shift_channel(int channel, int delta, int max_sample = 255) {
    const int value = channel + delta;
    return value < 0 ? 0 : value > max_sample ? max_sample : value;
}

/// Values of the parameter `color` of HE and CLAHE, in table order.
enum ColorMode : int32_t { color_luma, color_channels, color_gray };

}  // namespace tonescope
