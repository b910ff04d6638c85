// Histogram equalization (reports B and C): parameters, and what every build has of it.
#pragma once

#include <cstdint>

#include "gpu/core/registry.h"

namespace tonescope::he {

struct Params {
    int32_t color;  // ColorMode
};

/// OperatorInfo::preview: the counts come from a sample of the whole image.
void preview(const PreviewJob& job);
/// OperatorInfo::explain.
Explanation explain(const ExplainJob& job);

}  // namespace tonescope::he
