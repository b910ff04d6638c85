// A quadrant of a pixel, summed up in plain loops: for the reference, and for explanations of its result.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "gpu/core/image.h"

namespace tonescope::kuwahara {

__extension__ using Wide = __int128;

struct Quadrant {
    Rect rect;            // the pixels that it covers
    int64_t n = 0;        // their number
    int64_t s = 0;        // sum of V
    int64_t q = 0;        // sum of V^2
    int64_t sum[3] = {};  // sums of the channels; gray: only the first

    /// n^2 times the variance of V.
    int64_t scaled_variance() const { return n * q - s * s; }
    /// Variances are compared without division. The variance of values in 0 ... M is at most (M / 2)^2, so with
    /// n <= 65 * 65 = 4225 scaled_variance() is at most n^2 M^2 / 4 < 2^55 and a product below 2^80; with M = 255 it is
    /// at most 4225^4 * 65025 / 4 < 2^63.
    bool has_lower_variance_than(const Quadrant& other) const {
        return Wide(scaled_variance()) * (other.n * other.n) < Wide(other.scaled_variance()) * (n * n);
    }
    /// The mean of a channel, rounded halves up.
    int mean(int channel) const { return int((2 * sum[channel] + n) / (2 * n)); }
};

template <class Sample>
Quadrant gather_samples(const ImageView& image, int x0, int x1, int y0, int y1) {
    x0 = std::max(x0, 0), x1 = std::min(x1, image.spec.width - 1);
    y0 = std::max(y0, 0), y1 = std::min(y1, image.spec.height - 1);
    const int channels = is_gray(image.spec.format) ? 1 : 3;
    Quadrant quadrant{.rect = {x0, y0, x1 - x0 + 1, y1 - y0 + 1}};
    for (int y = y0; y <= y1; ++y) {
        for (int x = x0; x <= x1; ++x) {
            const auto* pixel = reinterpret_cast<const Sample*>(image.pixel(x, y));
            int64_t v = 0;
            for (int c = 0; c < channels; ++c) {
                quadrant.sum[c] += pixel[c];
                v = std::max<int64_t>(v, pixel[c]);
            }
            quadrant.n += 1;
            quadrant.s += v;
            quadrant.q += v * v;
        }
    }
    return quadrant;
}

/// The pixels from (x0, y0) to (x1, y1), as far as the image has them.
inline Quadrant gather(const ImageView& image, int x0, int x1, int y0, int y1) {
    return is_deep(image.spec.format) ? gather_samples<uint16_t>(image, x0, x1, y0, y1)
                                      : gather_samples<uint8_t>(image, x0, x1, y0, y1);
}

/// The four quadrants of pixel (x, y), in the order that decides between equal variances.
inline std::array<Quadrant, 4> quadrants_of(const ImageView& image, int x, int y, int radius) {
    return {
        gather(image, x - radius, x, y - radius, y),  // top left
        gather(image, x, x + radius, y - radius, y),  // top right
        gather(image, x - radius, x, y, y + radius),  // bottom left
        gather(image, x, x + radius, y, y + radius),  // bottom right
    };
}

/// The quadrant with the lowest variance, the first one on a tie.
inline const Quadrant& winner_of(const std::array<Quadrant, 4>& quadrants) {
    const Quadrant* winner = &quadrants[0];
    for (const Quadrant& quadrant : quadrants)
        if (quadrant.has_lower_variance_than(*winner)) winner = &quadrant;
    return *winner;
}

}  // namespace tonescope::kuwahara
