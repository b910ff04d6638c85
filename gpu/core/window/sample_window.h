// Window and level: which samples of an image the screen shows from black to white. Radiology names such a window by
// its center and its width.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/histogram.h"
#include "gpu/core/image.h"
#include "gpu/core/statistics.h"

namespace tonescope {

inline constexpr int kMaxCenter = 65535;  // samples

/// Of samples from 0 to `max_sample`.
constexpr SampleRange full_range(int max_sample) {
    return {0, max_sample * SampleRange::kScale};
}
/// The nearest range that is allowed; hundredths of a sample.
SampleRange range_around(int64_t center, int64_t width);

/// The window of a picture. Each channel goes through it alone; alpha stays as it is.
struct SampleWindow {
    std::optional<SampleRange> range;  // empty: the image's full range
    bool inverse = false;

    /// Chooses a range; the full one stays the full one where an image has other samples.
    void set(const SampleRange& chosen, int max_sample) {
        range = chosen == full_range(max_sample) ? std::nullopt : std::optional(chosen);
    }
    SampleRange range_in(int max_sample) const { return range.value_or(full_range(max_sample)); }
    bool is_full() const { return !range && !inverse; }
    bool operator==(const SampleWindow&) const = default;
};

/// The level, 0 to 255, that a sample is shown as: clamp((sample - low) / (high - low), 0, 1) of 255, rounded half up;
/// less than 255 by that where the window is inverse. In integers, as the shader of the views has it.
constexpr uint8_t shown_level(const SampleRange& range, bool inverse, int sample) {
    const int64_t width = range.width();
    const int64_t above = int64_t{sample} * SampleRange::kScale - range.low;
    const int64_t inside = above < 0 ? 0 : above > width ? width : above;
    const auto level = int((510 * inside + width) / (2 * width));
    return uint8_t(inverse ? 255 - level : level);
}

/// Each channel through the window. The result has 8 bits a channel, and the image's sides and channels; the alpha of a
/// deep image is reduced to 8 bits as it is.
HostImage through_window(const ImageView& image, const SampleWindow& window);

/// How many samples of an image have each value from 0 to its greatest, over its color channels.
std::vector<uint64_t> sample_counts(const ImageView& image);
std::vector<uint64_t> sample_counts(const DisplayHistogram& histogram);
std::vector<uint64_t> sample_counts(const SampleHistogram& histogram);
/// From the least to the greatest sample that occurs, of counts of the samples 0 to counts.size() - 1. Where there is
/// only one, it is in the middle of a range of one sample. Of no samples at all: the full range.
SampleRange used_range(std::span<const uint64_t> counts);
/// The same without the lowest and the highest 0.5 % of the samples.
SampleRange auto_range(std::span<const uint64_t> counts);

/// Where the window clips samples by these thresholds, which count levels of what is shown from 0 to 255: at 0 and 255
/// the samples that are no brighter than its low end and no darker than its high end.
ClipThresholds clipped_by(const SampleRange& range, const ClipThresholds& levels);

/// "127.5": hundredths of a sample.
std::string sample_text(int64_t hundredths);
/// "center 127.5, width 255", and "inverse".
std::string window_text(const SampleWindow& window, int max_sample);

/// What --window is given. "127.5,255" or "auto".
struct WindowChoice {
    std::optional<SampleRange> range;  // empty: auto
};
/// Nothing where the text is none, or out of range: a center of 0 to 65,535 and a width of 1 to 65,535 samples.
std::optional<WindowChoice> parse_window(std::string_view text);

/// The windows of before and after.
struct SampleWindows {
    SampleWindow before, after;  // alike where they are linked
    bool linked = true;

    const SampleWindow& of(bool is_after) const { return is_after ? after : before; }
    /// Sets a side's window, and the other one's where they are linked.
    void set(bool is_after, const SampleWindow& window) {
        if (linked || !is_after) before = window;
        if (linked || is_after) after = window;
    }
    bool operator==(const SampleWindows&) const = default;
};

}  // namespace tonescope
