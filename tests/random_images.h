// Random images of all sizes, formats and kinds of content.
#pragma once

#include <iostream>
#include <random>

#include "gpu/core/image.h"

namespace tonescope {

class Random {
  public:
    explicit Random(uint32_t seed) : engine_(seed) {}
    /// From low to high, both included.
    int operator()(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }

  private:
    std::mt19937 engine_;
};

/// Another one each time; printed, so that what it found can be found again.
inline uint32_t new_seed() {
    const uint32_t seed = std::random_device{}();
    std::cout << "seed " << seed << '\n';
    return seed;
}

/// Noise, one value, two values, a noisy slope, or patches; bytes behind the rows are random too.
inline HostImage random_image(Random& random, int longest_px) {
    ImageSpec spec{random(1, longest_px), random(1, longest_px), random(0, 1) ? PixelFormat::rgba8 : PixelFormat::gray8,
                   false};
    spec.has_alpha = spec.format == PixelFormat::rgba8 && random(0, 1);
    HostImage image(spec, spec.row_bytes() + size_t(random(0, 9)));
    const int kind = random(0, 4);
    for (size_t i = 0; i < image.size_bytes(); ++i) {
        const size_t x = i % image.pitch_bytes(), y = i / image.pitch_bytes();
        const int values[] = {random(0, 255), 77, random(0, 1) * 255, int((x / 3 + 2 * y + size_t(random(0, 3))) & 255),
                              int((x / 17 * 60 + y / 11 * 23) & 255)};
        image.data()[i] = uint8_t(values[kind]);
    }
    return image;
}

}  // namespace tonescope
