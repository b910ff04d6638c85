// Rows of pixels as the fast CPU variants of HE and CLAHE take them where values have more than 8 bits, or do not
// spread over all of them: color_rows.h in 16 bits, for samples of either size. The plain references use none of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/cpu/rows.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/color_rows.h"

namespace tonescope {

/// An RGBA pixel: R in the lowest bits.
template <class Sample>
using PixelWord = std::conditional_t<sizeof(Sample) == 1, uint32_t, uint64_t>;

template <class Sample>
TONESCOPE_HOT_LOOP PixelWord<Sample> load_pixel(const Sample* pixel) {
    PixelWord<Sample> word;
    std::memcpy(&word, pixel, sizeof word);
    return word;
}
template <class Sample>
constexpr int32_t channel_of(PixelWord<Sample> word, int channel) {
    return Sample(word >> (8 * sizeof(Sample) * size_t(channel)));
}

template <class Sample>
TONESCOPE_HOT_LOOP void widen_gray(const Sample* pixels, int count, uint16_t* values) {
    for (int i = 0; i < count; ++i) values[i] = pixels[i];
}
template <class Sample>
TONESCOPE_HOT_LOOP void widen_luma(const Sample* pixels, int count, uint16_t* values) {
    for (int i = 0; i < count; ++i) {
        const PixelWord<Sample> word = load_pixel(pixels + 4 * i);
        const int32_t sum = 77 * channel_of<Sample>(word, 0) + 150 * channel_of<Sample>(word, 1) +
                            29 * channel_of<Sample>(word, 2) + 128;
        values[i] = uint16_t(sum >> 8);
    }
}
template <class Sample>
TONESCOPE_HOT_LOOP void widen_channel(const Sample* pixels, int count, int channel, uint16_t* values) {
    for (int i = 0; i < count; ++i) values[i] = pixels[4 * i + channel];
}
template <class Sample>
TONESCOPE_HOT_LOOP void widen_max(const Sample* pixels, int count, uint16_t* values) {
    for (int i = 0; i < count; ++i) {
        const PixelWord<Sample> word = load_pixel(pixels + 4 * i);
        values[i] = uint16_t(
            std::max(std::max(channel_of<Sample>(word, 0), channel_of<Sample>(word, 1)), channel_of<Sample>(word, 2)));
    }
}

/// A plane's values of `count` neighboring pixels: the pixels themselves where they are gray and deep, else in
/// `buffer`.
template <class Sample>
const uint16_t* plane_values(const Sample* pixels, int count, const ImageSpec& spec, int32_t color, int plane,
                             uint16_t* buffer) {
    if (is_gray(spec.format)) {
        if constexpr (sizeof(Sample) == 2) return pixels;
        run_hot<widen_gray<Sample>>(pixels, count, buffer);
    } else if (color == color_channels) {
        run_hot<widen_channel<Sample>>(pixels, count, plane, buffer);
    } else if (color == color_value) {
        run_hot<widen_max<Sample>>(pixels, count, buffer);
    } else if (color == color_lab) {
        const Lab<Sample> lab = lab_tables<Sample>(spec.max_sample).colors();
        for (int i = 0; i < count; ++i)
            buffer[i] = uint16_t(lab.lightness(pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]));
    } else {
        run_hot<widen_luma<Sample>>(pixels, count, buffer);
    }
    return buffer;
}

template <class Sample>
TONESCOPE_HOT_LOOP void shift_pixels(const Sample* from, const uint16_t* old_luma, const uint16_t* new_luma, int count,
                                     int32_t max_sample, Sample* to) {
    constexpr int kBits = 8 * int(sizeof(Sample));
    for (int i = 0; i < count; ++i) {
        using Word = PixelWord<Sample>;
        const Word word = load_pixel(from + 4 * i);
        const int32_t delta = int32_t{new_luma[i]} - old_luma[i];
        Word result = word >> (3 * kBits) << (3 * kBits);
        for (int c = 0; c < 3; ++c)
            result |= Word(std::clamp(channel_of<Sample>(word, c) + delta, 0, max_sample)) << (c * kBits);
        std::memcpy(to + 4 * i, &result, sizeof result);
    }
}
/// As scale_row() in color_rows.h; of 16 bits the quotient lies at least 2^-17 away from every integer and below 2^32,
/// where double is off by less than 2^-19.
template <class Sample>
TONESCOPE_HOT_LOOP void scale_pixels(const Sample* from, const uint16_t* old_values, const uint16_t* new_values,
                                     int count, int32_t max_sample, Sample* to) {
    constexpr int kBits = 8 * int(sizeof(Sample));
    const double most = max_sample;
    for (int i = 0; i < count; ++i) {
        using Word = PixelWord<Sample>;
        const Word word = load_pixel(from + 4 * i);
        const int32_t old_value = old_values[i], new_value = new_values[i], half = old_value / 2;
        const int32_t is_zero = (old_value - 1) >> 31;
        const double factor = 1 / double(old_value - is_zero);
        Word result = word >> (3 * kBits) << (3 * kBits);
        for (int c = 0; c < 3; ++c) {
            const double product = double(channel_of<Sample>(word, c)) * double(new_value) + (double(half) + 0.5);
            const auto scaled = int32_t(std::min(product * factor, most));
            result |= Word((scaled & ~is_zero) | (new_value & is_zero)) << (c * kBits);
        }
        std::memcpy(to + 4 * i, &result, sizeof result);
    }
}
template <class Sample>
void relight_pixels(const Sample* from, const uint16_t* lightness, int count, int32_t max_sample, Sample* to) {
    const Lab<Sample> lab = lab_tables<Sample>(max_sample).colors();
    for (int i = 0; i < 4 * count; i += 4) {
        int rgb[3] = {from[i], from[i + 1], from[i + 2]};
        lab.relight(rgb, lightness[i / 4]);
        for (int c = 0; c < 3; ++c) to[i + c] = Sample(rgb[c]);
        to[i + 3] = from[i + 3];
    }
}
template <class Sample>
TONESCOPE_HOT_LOOP void merge_pixels(const Sample* from, const uint16_t* r, const uint16_t* g, const uint16_t* b,
                                     int count, Sample* to) {
    for (int i = 0; i < count; ++i) {
        to[4 * i] = Sample(r[i]);
        to[4 * i + 1] = Sample(g[i]);
        to[4 * i + 2] = Sample(b[i]);
        to[4 * i + 3] = from[4 * i + 3];
    }
}
template <class Sample>
TONESCOPE_HOT_LOOP void narrow_gray(const uint16_t* values, int count, Sample* to) {
    for (int i = 0; i < count; ++i) to[i] = Sample(values[i]);
}

/// Writes `count` pixels, at most kChunk_px, whose planes have become `changed`, in the format of `output`. `values`:
/// what the plane was in `from`, where it is one.
template <class Sample>
void write_pixels(const Sample* from, int count, const ColorChange& change, const uint16_t* values,
                  const uint16_t (&changed)[3][kChunk_px], const ImageSpec& output, Sample* to) {
    if (is_gray(output.format)) return run_hot<narrow_gray<Sample>>(changed[0], count, to);
    switch (change.color) {
        case color_channels:
            run_hot<merge_pixels<Sample>>(from, changed[0], changed[1], changed[2], count, to);
            break;
        case color_gray:
            return run_hot<merge_pixels<Sample>>(from, changed[0], changed[0], changed[0], count, to);
        case color_ratio:
        case color_value:
            run_hot<scale_pixels<Sample>>(from, values, changed[0], count, output.max_sample, to);
            break;
        case color_lab:
            relight_pixels(from, changed[0], count, output.max_sample, to);
            break;
        default:
            run_hot<shift_pixels<Sample>>(from, values, changed[0], count, output.max_sample, to);
    }
    mix_samples(from, 4 * count, change.amount, to);
}

/// Calls call(Sample{}) with the type of the format's samples.
decltype(auto) with_sample(PixelFormat format, auto&& call) {
    return is_deep(format) ? call(uint16_t{}) : call(uint8_t{});
}
template <class Sample>
const Sample* pixel_of(const ImageView& image, int x, int y) {
    return reinterpret_cast<const Sample*>(image.pixel(x, y));
}
template <class Sample>
Sample* pixel_of(const MutableImageView& image, int x, int y) {
    return reinterpret_cast<Sample*>(image.pixel(x, y));
}

}  // namespace tonescope
