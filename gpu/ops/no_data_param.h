// The parameters `no_data` and `no_data_value` that HE, CLAHE and the histogram lab share: a value that no histogram
// counts, such as that of the black surround of a radiograph.
#pragma once

#include <cstdint>
#include <iterator>

#include "gpu/core/image.h"
#include "gpu/core/param.h"
#include "gpu/ops/color_param.h"

namespace tonescope {

/// Values of the parameter `no_data`, in table order.
enum NoData : int32_t { no_data_off, no_data_zero, no_data_greatest, no_data_given };
inline constexpr std::string_view kNoDataId = "no_data", kNoDataValueId = "no_data_value";
inline constexpr std::string_view kNoDataValues[] = {"off", "0", "M", "value"};

constexpr ParamInfo no_data_param(size_t offset) {
    return {.id = kNoDataId,
            .label = "No data",
            .help =
                "A value that is left out of all histograms and stays as it is, so that a surround does not take part "
                "in the curves: 0, M (the greatest that samples can have) or a value of your own, which the picker "
                "takes from the image. Of colors the value that Color equalizes counts. GDAL calls it nodata, other "
                "programs ignore value, background value or \"ignore black\".",
            .kind = ParamKind::choice,
            .offset = offset,
            .max = int32_t(std::size(kNoDataValues)) - 1,
            .values = kNoDataValues,
            .common_max = no_data_off};
}
constexpr ParamInfo no_data_value_param(size_t offset) {
    return {.id = kNoDataValueId,
            .label = "Value",
            .help = "The value that is left out, in samples of the image.",
            .offset = offset,
            .max = 65535,
            .logarithmic = true,
            .active_if = kNoDataId,
            .active_value = no_data_given};
}

inline constexpr int32_t kNothingLeftOut = -1;

struct NoDataParams {
    int32_t no_data = no_data_off;  // NoData
    int32_t value = 0;              // where it is given

    /// The value that is left out of the histograms of such an image: what `color` equalizes of a gray of no data.
    int32_t left_out(const ImageSpec& image, int32_t color) const {
        if (no_data == no_data_off || (no_data == no_data_given && value > image.max_sample)) return kNothingLeftOut;
        const int32_t gray = no_data == no_data_zero ? 0 : no_data == no_data_greatest ? image.max_sample : value;
        if (is_gray(image.format) || color != color_lab) return gray;
        return with_lab(image, [&](const auto& lab) { return lab.lightness(gray, gray, gray); });
    }
    void leave_out(int32_t left_out) {
        *this = left_out == kNothingLeftOut ? NoDataParams{} : NoDataParams{no_data_given, left_out};
    }
};

}  // namespace tonescope
