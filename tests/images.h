// Images that many tests start from.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/core/image.h"

namespace tonescope {

/// All bytes, alpha too, have this value.
inline HostImage filled(int width, int height, PixelFormat format, uint8_t value) {
    HostImage image({width, height, format, false});
    std::fill_n(image.data(), image.size_bytes(), value);
    return image;
}

/// Noise in all bytes; the same for the same seed.
inline HostImage noise(int width, int height, PixelFormat format, uint32_t seed) {
    HostImage image({width, height, format, false});
    for (size_t i = 0; i < image.size_bytes(); ++i) {
        seed = seed * 1664525 + 1013904223;
        image.data()[i] = uint8_t(seed >> 24);
    }
    return image;
}

}  // namespace tonescope
