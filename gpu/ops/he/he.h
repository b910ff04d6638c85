// Histogram equalization (reports B and C): parameters.
#pragma once

#include <cstdint>
#include <span>

#include "gpu/core/param.h"

namespace tonescope {

struct HeParams {
    int32_t color;  // ColorMode
};

std::span<const ParamInfo> he_param_table();

}  // namespace tonescope
