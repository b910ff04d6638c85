// The least and the greatest sample of an image.
#pragma once

#include <stop_token>

#include "gpu/core/value_range.h"

namespace tonescope {

/// lo and hi under the parameter `range` (RangeChoice), with `threads` threads where the samples have to be looked at:
/// in every `row_step`-th row. Garbage once `stop` is set.
ValueRange find_values(const ImageView& image, int32_t range, int threads, const std::stop_token& stop,
                       int row_step = 1);

}  // namespace tonescope
