#include "gpu/cpu/blend_part.h"

#include <algorithm>
#include <cstring>

#include "gpu/core/parallel.h"

namespace tonescope {
namespace {

/// A pixel of the result, in whose place stands what it and the image's make.
template <class Sample>
void blend_pixel(const Sample* image, int channels, Sample* result, int result_channels, int weight) {
    if (channels == result_channels) {
        for (int c = 0; c < std::min(channels, 3); ++c) result[c] = Sample(blended_sample(result[c], image[c], weight));
        return;
    }
    result[0] = Sample(blended_sample(result[0], luma(image[0], image[1], image[2]), weight));
}

template <class Sample>
void blend_rows(const ImageView& image, const ResultPart& part, const MutableImageView& result, int threads,
                const std::stop_token& stop, int left, int top, int step) {
    const RegionWeights weights(part, image.spec);
    const int channels = is_gray(image.spec.format) ? 1 : 4, result_channels = is_gray(result.spec.format) ? 1 : 4;
    parallel_for(threads, result.spec.height, 16, [&](int64_t j) {
        if (stop.stop_requested()) return;
        const int y = top + int(j) * step;
        const uint8_t* mask = part.mask == nullptr ? nullptr : part.mask->view().row(y);
        const auto* from = reinterpret_cast<const Sample*>(image.row(y));
        auto* to = reinterpret_cast<Sample*>(result.row(int(j)));
        for (int i = 0; i < result.spec.width; ++i) {
            const int x = left + i * step;
            int weight = weights.at(x, y);
            if (mask != nullptr) weight = RegionWeights::masked(weight, mask[x]);
            if (weight == RegionWeights::kWhole) continue;
            blend_pixel(from + size_t(x) * size_t(channels), channels, to + size_t(i) * size_t(result_channels),
                        result_channels, weight);
        }
    });
}

}  // namespace

void blend_part(const ImageView& image, const ResultPart& part, const MutableImageView& result, int threads,
                const std::stop_token& stop, int x, int y, int step) {
    if (part.is_whole()) return;
    if (is_deep(image.spec.format))
        blend_rows<uint16_t>(image, part, result, threads, stop, x, y, step);
    else
        blend_rows<uint8_t>(image, part, result, threads, stop, x, y, step);
}

}  // namespace tonescope
