// The parameters `range`, which HE and CLAHE share, and `bins`.
#pragma once

#include <iterator>

#include "gpu/core/param.h"
#include "gpu/core/value_range.h"

namespace tonescope {

inline constexpr std::string_view kRangeValues[] = {"auto", "full", "used"};
inline constexpr std::string_view kBinsValues[] = {"256",  "512",   "1024",  "2048", "4096",
                                                   "8192", "16384", "32768", "65536"};

constexpr ParamInfo range_param(size_t offset) {
    return {.id = kRangeId,
            .label = "Value range",
            .help =
                "full: values are spread over all that the image can have; used: between the least and the "
                "greatest that it has; auto: full for images of 8 bits, used for deeper ones.",
            .kind = ParamKind::choice,
            .offset = offset,
            .max = range_used,
            .default_value = range_auto,
            .values = kRangeValues};
}

constexpr ParamInfo bins_param(size_t offset) {
    return {.id = kBinsId,
            .label = "Bins",
            .help =
                "Bins of a tile's histogram, for images deeper than 8 bits. Where there are fewer than values, the "
                "table is interpolated within a bin. OpenCV has 65536 for images of 16 bits.",
            .kind = ParamKind::choice,
            .offset = offset,
            .max = int32_t(std::size(kBinsValues)) - 1,
            .values = kBinsValues};
}

}  // namespace tonescope
