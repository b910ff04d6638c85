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

/// Noise in samples of 0 to `max_sample`, alpha too.
inline HostImage deep_noise(int width, int height, PixelFormat format, uint16_t max_sample, uint32_t seed) {
    HostImage image({width, height, format, false, max_sample});
    auto* const samples = reinterpret_cast<uint16_t*>(image.data());
    for (size_t i = 0; i < image.size_bytes() / 2; ++i) {
        seed = seed * 1664525 + 1013904223;
        samples[i] = uint16_t((seed >> 8) % (uint32_t{max_sample} + 1));
    }
    return image;
}

}  // namespace tonescope
