// The Kuwahara filter's parameters, and what the operator offers beside its variants.
#pragma once

#include <cstdint>

#include "gpu/core/registry.h"

namespace tonescope::kuwahara {

struct Params {
    int32_t radius;  // w, pixels: a quadrant has (w + 1) x (w + 1) of them
};

/// What grows with a quadrant's pixels and with its side, and what does not: a + b side + c side^2, side = radius + 1.
struct QuadrantCost {
    double pixel, side, rest;
    double at(const WorkCase& c) const {
        const double n = c.params.as<Params>().radius + 1;
        return (pixel * n + side) * n + rest;
    }
};

/// What `tuned` does on a deep image: as counted on noise of 4K with radius 4 and 15.
Work tuned_deep_work(const WorkCase& c);

/// OperatorInfo::preview.
void preview(const PreviewJob& job);

/// OperatorInfo::code.
CodeParts code(CodeTarget target, const ParamBlock& params);

}  // namespace tonescope::kuwahara
