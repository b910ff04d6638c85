// Small images of any format, from lists of samples and back.
#pragma once

#include <vector>

#include "gpu/core/image.h"

namespace tonescope::test {

inline int samples_a_pixel(PixelFormat format) {
    return is_gray(format) ? 1 : 4;
}

/// Row by row, all channels of a pixel together.
inline HostImage deep_image(const ImageSpec& spec, const std::vector<int>& samples) {
    HostImage image(spec);
    const int channels = samples_a_pixel(spec.format);
    for (size_t i = 0; i < samples.size(); ++i) {
        const int pixel = int(i) / channels;
        set_sample(image.mutable_view().pixel(pixel % spec.width, pixel / spec.width), spec.format, int(i) % channels,
                   samples[i]);
    }
    return image;
}

inline std::vector<int> samples_of_image(const ImageView& image) {
    std::vector<int> samples;
    for (int y = 0; y < image.spec.height; ++y)
        for (int x = 0; x < image.spec.width; ++x)
            for (int c = 0; c < samples_a_pixel(image.spec.format); ++c)
                samples.push_back(sample_at(image.pixel(x, y), image.spec.format, c));
    return samples;
}

}  // namespace tonescope::test
