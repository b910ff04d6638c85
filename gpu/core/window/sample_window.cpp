#include "gpu/core/window/sample_window.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>

namespace tonescope {
namespace {

constexpr int64_t kAutoShare = 200;  // a 200th of the samples, 0.5 %, may be clipped at each end

/// Without so many of the lowest and of the highest samples.
SampleRange range_without(std::span<const uint64_t> counts, uint64_t clipped) {
    const auto first_beyond = [clipped](auto begin, auto end) {
        uint64_t passed = 0;
        return std::find_if(begin, end, [&](uint64_t count) { return (passed += count) > clipped; }) - begin;
    };
    const auto last = int64_t(counts.size()) - 1;
    const int64_t low = first_beyond(counts.begin(), counts.end());
    const int64_t high = last - first_beyond(counts.rbegin(), counts.rend());
    if (low > last) return full_range(int(last));
    return range_around((low + high) * SampleRange::kScale / 2, std::max<int64_t>(high - low, 1) * SampleRange::kScale);
}

/// Calls `each` with the row, the place of the sample in it, its channel and the sample.
void for_each_sample(const ImageView& image, auto each) {
    const size_t channels = is_gray(image.spec.format) ? 1 : 4;
    const size_t samples = size_t(image.spec.width) * channels;
    for (int y = 0; y < image.spec.height; ++y) {
        const uint8_t* const row = image.row(y);
        const auto* const deep_row = reinterpret_cast<const uint16_t*>(row);
        for (size_t k = 0; k < samples; ++k)
            each(y, k, int(k % channels), is_deep(image.spec.format) ? deep_row[k] : uint16_t{row[k]});
    }
}

}  // namespace

SampleRange range_around(int64_t center, int64_t width) {
    constexpr int64_t scale = SampleRange::kScale;
    center = std::clamp<int64_t>(center, 0, kMaxCenter * scale);
    width = std::clamp<int64_t>(width, scale, SampleRange::kMaxWidth);
    const int64_t low = center - width / 2;
    return {int32_t(low), int32_t(low + width)};
}

HostImage through_window(const ImageView& image, const SampleWindow& window) {
    const SampleRange range = window.range_in(image.spec.max_sample);
    std::vector<uint8_t> levels(size_t{image.spec.max_sample} + 1);
    for (size_t sample = 0; sample < levels.size(); ++sample)
        levels[sample] = shown_level(range, window.inverse, int(sample));
    ImageSpec spec = image.spec;
    spec.format = is_gray(spec.format) ? PixelFormat::gray8 : PixelFormat::rgba8;
    spec.max_sample = 255;
    HostImage result(spec);
    for_each_sample(image, [&](int y, size_t place, int channel, uint16_t sample) {
        const auto alpha = [&] { return (510 * sample + image.spec.max_sample) / (2 * image.spec.max_sample); };
        result.mutable_view().row(y)[place] = channel == 3 ? uint8_t(alpha()) : levels[sample];
    });
    return result;
}

std::vector<uint64_t> sample_counts(const ImageView& image) {
    std::vector<uint64_t> counts(size_t{image.spec.max_sample} + 1);
    for_each_sample(image, [&](int, size_t, int channel, uint16_t sample) { counts[sample] += channel < 3 ? 1 : 0; });
    return counts;
}

namespace {

/// `curves`: those of red, green, blue and luma, of which a gray image has the last alone.
std::vector<uint64_t> counts_of(bool has_color, const std::array<std::span<const uint32_t>, kCurves>& curves) {
    const auto& luma = curves[size_t(Curve::luma)];
    if (!has_color) return {luma.begin(), luma.end()};
    std::vector<uint64_t> counts(luma.size());
    for (const Curve curve : {Curve::red, Curve::green, Curve::blue})
        std::ranges::transform(curves[size_t(curve)], counts, counts.begin(), std::plus<uint64_t>());
    return counts;
}

}  // namespace

std::vector<uint64_t> sample_counts(const DisplayHistogram& histogram) {
    const auto& rgb = histogram.rgb;
    return counts_of(histogram.has_color, {rgb[0], rgb[1], rgb[2], histogram.luma});
}

std::vector<uint64_t> sample_counts(const SampleHistogram& histogram) {
    const auto& curves = histogram.curves;
    return counts_of(histogram.has_color, {curves[0], curves[1], curves[2], curves[3]});
}

SampleRange used_range(std::span<const uint64_t> counts) {
    return range_without(counts, 0);
}

SampleRange auto_range(std::span<const uint64_t> counts) {
    return range_without(counts, std::accumulate(counts.begin(), counts.end(), uint64_t{0}) / kAutoShare);
}

ClipThresholds clipped_by(const SampleRange& range, const ClipThresholds& levels) {
    constexpr double unit = 255.0 * SampleRange::kScale;  // products stay exact in doubles
    const double low = (255.0 * range.low + double(levels.low) * range.width()) / unit;
    const double high = (255.0 * range.high - double(255 - levels.high) * range.width()) / unit;
    return {int(std::floor(low)), int(std::ceil(high))};
}

std::string sample_text(int64_t hundredths) {
    const bool negative = hundredths < 0;
    const int64_t size = negative ? -hundredths : hundredths;
    std::string text = (negative ? "-" : "") + std::to_string(size / SampleRange::kScale);
    if (const auto part = int(size % SampleRange::kScale); part != 0) {
        text += "." + std::to_string(part / 10);
        if (part % 10 != 0) text += std::to_string(part % 10);
    }
    return text;
}

std::string window_text(const SampleWindow& window, int max_sample) {
    const SampleRange range = window.range_in(max_sample);
    const std::string text =
        "center " + sample_text((int64_t{range.low} + range.high) / 2) + ", width " + sample_text(range.width());
    return window.inverse ? text + ", inverse" : text;
}

std::optional<WindowChoice> parse_window(std::string_view text) {
    if (text == "auto") return WindowChoice{};
    std::array<double, 2> values{};
    const size_t comma = text.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    for (const auto& [part, value] :
         {std::pair(text.substr(0, comma), &values[0]), {text.substr(comma + 1), &values[1]}}) {
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), *value);
        if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
    }
    const auto& [center, width] = values;
    if (!(center >= 0 && center <= kMaxCenter && width >= 1 && width <= kMaxCenter)) return std::nullopt;
    return WindowChoice{
        range_around(std::llround(center * SampleRange::kScale), std::llround(width * SampleRange::kScale))};
}

}  // namespace tonescope
