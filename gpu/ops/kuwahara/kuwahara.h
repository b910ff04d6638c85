// The Kuwahara filter's parameters, and what the operator offers beside its variants.
#pragma once

#include <cstdint>

#include "gpu/core/registry.h"

namespace tonescope::kuwahara {

struct Params {
    int32_t radius;  // w, pixels: a quadrant has (w + 1) x (w + 1) of them
};

/// OperatorInfo::preview.
void preview(const PreviewJob& job);

}  // namespace tonescope::kuwahara
