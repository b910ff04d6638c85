#include "gpu/cpu/put_back.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/parallel.h"

namespace tonescope {
namespace {

/// What stands at a pixel of the image, in the channels of the result.
template <class Sample>
void keep_pixel(const Sample* image, int channels, Sample* output, int output_channels) {
    if (channels == output_channels)
        std::memcpy(output, image, size_t(channels) * sizeof(Sample));
    else
        output[0] = Sample(luma(image[0], image[1], image[2]));
}

/// The weights of `n` pixels of a row from `x` on, in steps.
void fill_weights(const RegionWeights& region, int x, int y, int step, int n, uint8_t* weights) {
    // Between the two fading ends the weight is the row's own.
    const auto pixels = [&](int px) { return std::clamp((px + step - 1) / step, 0, n); };
    const int from = pixels(region.left + region.feather - x), to = pixels(region.right - region.feather - x);
    for (int i = 0; i < n; ++i) {
        if (i == from && from < to) {
            std::fill(weights + from, weights + to, uint8_t(region.at(x + from * step, y)));
            i = to - 1;
        } else {
            weights[i] = uint8_t(region.at(x + i * step, y));
        }
    }
}

TONESCOPE_HOT_LOOP void mask_weights(const uint8_t* mask, int flip, int step, int n, uint8_t* weights) {
    for (int i = 0; i < n; ++i)
        weights[i] = uint8_t(RegionWeights::masked(weights[i], mask[size_t(i) * size_t(step)] ^ flip));
}

/// Pixels of a row whose weights are looked at together.
constexpr int kSpan_px = 64;

bool is_uniform(const uint8_t* weights, int n) {
    return std::memcmp(weights, weights + 1, size_t(n - 1)) == 0;
}

/// `made` and `output` may be one.
template <class Sample>
TONESCOPE_HOT_LOOP void blend_gray(const Sample* image, int step, const Sample* made, const uint8_t* weights, int n,
                                   Sample* output) {
    for (int i = 0; i < n; ++i)
        output[i] = Sample(blended_sample(made[i], image[size_t(i) * size_t(step)], weights[i]));
}
template <class Sample>
TONESCOPE_HOT_LOOP void blend_color(const Sample* image, int step, const Sample* made, const uint8_t* weights, int n,
                                    Sample* output) {
    for (int i = 0; i < n; ++i) {
        for (int c = 0; c < 3; ++c)
            output[4 * i + c] =
                Sample(blended_sample(made[4 * i + c], image[size_t(i) * size_t(4 * step) + size_t(c)], weights[i]));
        output[4 * i + 3] = made[4 * i + 3];
    }
}
template <class Sample>
TONESCOPE_HOT_LOOP void blend_luma(const Sample* image, int step, const Sample* made, const uint8_t* weights, int n,
                                   Sample* output) {
    for (int i = 0; i < n; ++i) {
        const Sample* const color = image + size_t(i) * size_t(4 * step);
        output[i] = Sample(blended_sample(made[i], luma(color[0], color[1], color[2]), weights[i]));
    }
}

template <class Sample>
void put_rows_back(const ImageView& image, const ResultPart& part, const ImageView& made, const Rect& at,
                   const MutableImageView& output, int threads, const std::stop_token& stop,
                   const PixelRaster& raster) {
    const RegionWeights region(part, image.spec);
    const int channels = is_gray(image.spec.format) ? 1 : 4, output_channels = is_gray(output.spec.format) ? 1 : 4;
    parallel_pieces(threads, output.spec.height, 16, [&](Pieces& pieces) {
        std::vector<uint8_t> weights(size_t(std::max(at.width, 0)));
        for (const int64_t row : pieces) {
            if (stop.stop_requested()) return;
            const int j = int(row), y = raster.y + j * raster.step;
            const auto* const from =
                reinterpret_cast<const Sample*>(image.row(y)) + size_t(raster.x) * size_t(channels);
            auto* const to = reinterpret_cast<Sample*>(output.row(j));
            const auto keep = [&](int begin, int end) {
                if (begin >= end) return;
                if (raster.step == 1 && channels == output_channels) {
                    std::copy_n(from + size_t(begin) * size_t(channels), size_t(end - begin) * size_t(channels),
                                to + size_t(begin) * size_t(channels));
                    return;
                }
                for (int i = begin; i < end; ++i)
                    keep_pixel(from + size_t(i) * size_t(raster.step) * size_t(channels), channels,
                               to + size_t(i) * size_t(output_channels), output_channels);
            };
            if (j < at.y || j >= at.y + at.height) {
                keep(0, output.spec.width);
                continue;
            }
            keep(0, at.x);
            keep(at.x + at.width, output.spec.width);
            const int x = raster.x + at.x * raster.step;
            fill_weights(region, x, y, raster.step, at.width, weights.data());
            if (part.mask != nullptr)
                run_hot<mask_weights>(part.mask->view().row(y) + x, part.mask_inverse ? 255 : 0, raster.step, at.width,
                                      weights.data());
            for (int begin = 0, n = 0; begin < at.width; begin += n) {
                n = std::min(kSpan_px, at.width - begin);
                const uint8_t* const own = weights.data() + begin;
                const bool uniform = is_uniform(own, n);
                if (uniform && own[0] == 0) {
                    keep(at.x + begin, at.x + begin + n);
                    continue;
                }
                const auto* const before = from + size_t(at.x + begin) * size_t(raster.step) * size_t(channels);
                const auto* const after =
                    reinterpret_cast<const Sample*>(made.row(j - at.y)) + size_t(begin) * size_t(output_channels);
                auto* const result = to + size_t(at.x + begin) * size_t(output_channels);
                if (uniform && own[0] == RegionWeights::kWhole) {
                    if (after != result) std::copy_n(after, size_t(n) * size_t(output_channels), result);
                    continue;
                }
                const auto blend = [&]<auto kLoop>() {
                    run_hot<kLoop>(before, raster.step, after, own, n, result);
                };
                if (channels != output_channels)
                    blend.template operator()<blend_luma<Sample>>();
                else if (channels == 1)
                    blend.template operator()<blend_gray<Sample>>();
                else
                    blend.template operator()<blend_color<Sample>>();
            }
        }
    });
}

}  // namespace

void put_back(const ImageView& image, const ResultPart& part, const ImageView& made, const Rect& at,
              const MutableImageView& output, int threads, const std::stop_token& stop, const PixelRaster& raster) {
    if (is_deep(image.spec.format))
        put_rows_back<uint16_t>(image, part, made, at, output, threads, stop, raster);
    else
        put_rows_back<uint8_t>(image, part, made, at, output, threads, stop, raster);
}

}  // namespace tonescope
