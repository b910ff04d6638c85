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

/// floor((2 channel new_value + value) / (2 value)), at most max_sample: what a channel becomes in the ratio of the
/// values; new_value where value is 0.
TONESCOPE_HOST_DEVICE constexpr int scale_channel(int channel, int value, int new_value, int max_sample = 255) {
    if (value == 0) return new_value;
    // floor(value / 2) above the line: where the value is odd, the half that is missing decides nothing.
    const uint32_t scaled =
        (uint32_t(channel) * uint32_t(new_value) + uint32_t(value) / 2) / uint32_t(value);  // below 2^32
    return int(scaled < uint32_t(max_sample) ? scaled : uint32_t(max_sample));
}

/// floor((a result + (100 - a) input + 50) / 100) for `amount` = a %.
TONESCOPE_HOST_DEVICE constexpr int mixed_sample(int result, int input, int amount) {
    return (amount * result + (100 - amount) * input + 50) / 100;
}

/// Values of the parameter `color` of HE and CLAHE, in table order.
enum ColorMode : int32_t { color_luma, color_channels, color_gray, color_ratio, color_value, color_lab };

/// How new values go back into pixels: the parameters `color` and `amount` (in percent).
struct ColorChange {
    int32_t color = color_luma, amount = 100;
};

}  // namespace tonescope
