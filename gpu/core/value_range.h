// Between which values the operators spread what they equalize, and into how many bins they count it: the parameters
// `range` and `bins`. Usable in host and device code.
#pragma once

#include <cstdint>
#include <string_view>

#include "gpu/core/image.h"
#include "gpu/core/luma.h"

namespace tonescope {

/// Values of the parameter `range`, in table order. `range_auto`: full for images of 8 bits, used for deep ones.
enum RangeChoice : int32_t { range_auto, range_full, range_used };
inline constexpr std::string_view kRangeId = "range", kBinsId = "bins";
inline constexpr std::string_view kColorId = "color", kAmountId = "amount";

/// Every value of the image lies in it: luma is a mean of its channels.
struct ValueRange {
    int32_t lo = 0, hi = 255;

    /// R, 1 to 65,536.
    TONESCOPE_HOST_DEVICE constexpr int32_t size() const { return hi - lo + 1; }
    constexpr bool operator==(const ValueRange&) const = default;
};

/// All samples that the image can have.
constexpr ValueRange full_values(const ImageSpec& image) {
    return {0, image.max_sample};
}
/// What `range` comes to under `color`: lightness always takes all values.
TONESCOPE_HOST_DEVICE constexpr int32_t range_under(int32_t color, int32_t range) {
    return color == color_lab ? int32_t{range_full} : range;
}
/// Whether lo and hi are the image's least and greatest sample (alpha aside), which have to be looked for.
constexpr bool takes_used_values(const ImageSpec& image, int32_t range) {
    return range == range_used || (range == range_auto && is_deep(image.format));
}

/// The parameter `bins` counts doublings.
inline constexpr int kLeastBins = 256;
/// B, at most R. Images of 8 bits have a bin for each value whatever the parameter says.
TONESCOPE_HOST_DEVICE constexpr int32_t bin_count(bool deep, int32_t bins, ValueRange range) {
    const int32_t wanted = deep ? kLeastBins << bins : 1 << 16;
    return wanted < range.size() ? wanted : range.size();
}
/// The bin of a value of the range: floor(((value - lo + 1) B - 1) / R).
TONESCOPE_HOST_DEVICE constexpr int32_t bin_of(int32_t value, ValueRange range, int32_t bins) {
    return int32_t((uint32_t(value - range.lo + 1) * uint64_t(uint32_t(bins)) - 1) / uint32_t(range.size()));
}
/// How far into its bin the value lies, in R-ths of a bin: g = (value - lo + 1) B - bin R, 1 to R.
TONESCOPE_HOST_DEVICE constexpr int32_t place_in_bin(int32_t value, ValueRange range, int32_t bins, int32_t bin) {
    return int32_t(int64_t{value - range.lo + 1} * bins - int64_t{bin} * range.size());
}

}  // namespace tonescope
