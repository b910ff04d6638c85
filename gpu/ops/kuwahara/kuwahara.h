// Kuwahara filter (report E): parameters.
#pragma once

#include <cstdint>
#include <span>

#include "gpu/core/param.h"

namespace tonescope {

struct KuwaharaParams {
    int32_t radius;  // w, pixels: a quadrant has (w + 1) x (w + 1) of them
};

std::span<const ParamInfo> kuwahara_param_table();

}  // namespace tonescope
