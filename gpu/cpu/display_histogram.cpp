#include "gpu/cpu/display_histogram.h"

#include <algorithm>
#include <functional>

#include "gpu/core/window/sample_window.h"
#include "gpu/cpu/rows.h"

namespace tonescope {

Rect region_inside(const Rect& region, const ImageSpec& spec) {
    if (region.width <= 0 || region.height <= 0) return {0, 0, spec.width, spec.height};
    Rect part;
    part.x = std::clamp(region.x, 0, spec.width - 1);
    part.y = std::clamp(region.y, 0, spec.height - 1);
    part.width = std::clamp(region.width, 1, spec.width - part.x);
    part.height = std::clamp(region.height, 1, spec.height - part.y);
    return part;
}

ImageView part_of(const ImageView& image, const Rect& part) {
    ImageView view = image;
    view.data = image.pixel(part.x, part.y);
    view.spec.width = part.width;
    view.spec.height = part.height;
    return view;
}

namespace {

/// floor(times * v / (M + 1)) of n values of deep images, at most 2^26 / times. In double: with 1/2 added to the
/// product, the quotient lies at least 2^-17 from every integer.
template <class Value, class Level>
TONESCOPE_HOT_LOOP void divide_row(const Value* values, int n, int32_t times, int32_t levels, Level* out) {
    const double factor = 1.0 / levels;
    for (int i = 0; i < n; ++i) out[i] = Level(int32_t((double(times * int32_t(values[i])) + 0.5) * factor));
}

/// A channel of n deep pixels.
TONESCOPE_HOT_LOOP void take_channel(const uint16_t* pixels, int n, int channel, uint16_t* values) {
    for (int i = 0; i < n; ++i) values[i] = pixels[4 * i + channel];
}
/// 77 R + 150 G + 29 B + bias of n deep pixels.
TONESCOPE_HOT_LOOP void weigh_channels(const uint16_t* pixels, int n, int32_t bias, int32_t* sums) {
    for (int i = 0; i < n; ++i, pixels += 4) sums[i] = 77 * pixels[0] + 150 * pixels[1] + 29 * pixels[2] + bias;
}

const uint16_t* deep_samples(const uint8_t* pixels) {
    return reinterpret_cast<const uint16_t*>(pixels);
}

}  // namespace

DisplayHistogram count_display_histogram(const ImageView& image, int threads, std::stop_token stop) {
    struct Counters {
        ByteCounter luma, channels[3];
    };
    DisplayHistogram total;
    total.has_color = !is_gray(image.spec.format);
    const bool deep = is_deep(image.spec.format);
    const int32_t levels = image.spec.max_sample + 1;
    count_pieces<Counters>(
        image, threads, stop,
        [&](Counters& counters, const uint8_t* pixels, int n) {
            alignas(64) uint8_t bytes[kChunk_px];
            if (deep) {
                const uint16_t* samples = deep_samples(pixels);
                if (!total.has_color) {
                    run_hot<divide_row<uint16_t, uint8_t>>(samples, n, 256, levels, bytes);
                    return counters.luma.add(bytes, n);
                }
                alignas(64) uint16_t values[kChunk_px];
                alignas(64) int32_t sums[kChunk_px];
                for (int c = 0; c < 3; ++c) {
                    run_hot<take_channel>(samples, n, c, values);
                    run_hot<divide_row<uint16_t, uint8_t>>(values, n, 256, levels, bytes);
                    counters.channels[c].add(bytes, n);
                }
                run_hot<weigh_channels>(samples, n, 128, sums);
                for (int i = 0; i < n; ++i) sums[i] >>= 8;
                run_hot<divide_row<int32_t, uint8_t>>(sums, n, 256, levels, bytes);
                return counters.luma.add(bytes, n);
            }
            if (!total.has_color) return counters.luma.add(pixels, n);
            luma_row(pixels, bytes, n);
            counters.luma.add(bytes, n);
            count_channels(pixels, n, counters.channels[0], counters.channels[1], counters.channels[2]);
        },
        [&](const Counters& counters) {
            counters.luma.add_to(total.luma);
            for (size_t c = 0; c < 3; ++c) counters.channels[c].add_to(total.rgb[c]);
        });
    return total;
}

SampleHistogram count_samples(const ImageView& image, int threads, std::stop_token stop) {
    const size_t bins = size_t{image.spec.max_sample} + 1;
    SampleHistogram total;
    total.has_color = !is_gray(image.spec.format);
    const size_t first = total.has_color ? 0 : size_t(Curve::luma);
    for (size_t k = first; k < kCurves; ++k) total.curves[k].resize(bins);
    struct Counters {
        std::array<std::vector<uint32_t>, kCurves> curves;
    };
    count_pieces<Counters>(
        image, threads, stop,
        [&](Counters& counters, const uint8_t* pixels, int n) {
            auto& [red, green, blue, luma] = counters.curves;
            if (luma.empty())
                for (size_t k = first; k < kCurves; ++k) counters.curves[k].resize(bins);
            const auto* v = reinterpret_cast<const uint16_t*>(pixels);
            if (!total.has_color) {
                for (int i = 0; i < n; ++i) ++luma[v[i]];
                return;
            }
            for (int i = 0; i < n; ++i, v += 4) {
                ++red[v[0]];
                ++green[v[1]];
                ++blue[v[2]];
                ++luma[(77U * v[0] + 150U * v[1] + 29U * v[2] + 128) >> 8];
            }
        },
        [&](const Counters& counters) {
            for (size_t k = first; k < kCurves; ++k)
                std::ranges::transform(counters.curves[k], total.curves[k], total.curves[k].begin(), std::plus<>());
        });
    std::ranges::transform(total.curves, total.statistics.begin(), statistics_of);
    const std::vector<uint64_t> samples = sample_counts(total);
    total.used = used_range(samples);
    total.automatic = auto_range(samples);
    return total;
}

FineHistogram count_fine_histogram(const ImageView& image, int threads, std::stop_token stop) {
    FineHistogram total{};
    if (image.spec.format == PixelFormat::gray8) {
        const DisplayHistogram histogram = count_display_histogram(image, threads, stop);
        for (size_t v = 0; v < 256; ++v) total[4 * v] = histogram.luma[v];
        return total;
    }
    const int32_t levels = image.spec.max_sample + 1;
    count_pieces<Luma10Counter>(
        image, threads, stop,
        [&](Luma10Counter& counter, const uint8_t* pixels, int n) {
            alignas(64) uint16_t luma10[kChunk_px];
            alignas(64) int32_t sums[kChunk_px];
            switch (image.spec.format) {
                case PixelFormat::gray16:
                    run_hot<divide_row<uint16_t, uint16_t>>(deep_samples(pixels), n, 1024, levels, luma10);
                    break;
                case PixelFormat::rgba16:
                    run_hot<weigh_channels>(deep_samples(pixels), n, 0, sums);
                    run_hot<divide_row<int32_t, uint16_t>>(sums, n, 4, levels, luma10);
                    break;
                default:
                    luma10_row(pixels, luma10, n);
            }
            counter.add(luma10, n);
        },
        [&](const Luma10Counter& counter) { counter.add_to(total); });
    return total;
}

}  // namespace tonescope
