// Previews of operators, as the window asks for them.
#pragma once

#include "gpu/core/registry.h"
#include "tests/random_images.h"

namespace tonescope {

/// Every `step`-th pixel of the region in both directions, into rows with other bytes behind them.
inline HostImage run_preview(const OperatorInfo& op, const HostImage& input, const ParamBlock& params,
                             const Rect& region, int step) {
    ImageSpec spec = op.output_spec(input.spec(), params);
    spec.width = (region.width + step - 1) / step;
    spec.height = (region.height + step - 1) / step;
    HostImage output(spec, spec.row_bytes() + 16);
    op.preview({.input = input.view(),
                .params = params,
                .region = region,
                .step = step,
                .output = output.mutable_view(),
                .threads = 2});
    return output;
}

inline Rect random_region(Random& random, const HostImage& image) {
    Rect region{random(0, image.width() - 1), random(0, image.height() - 1), 0, 0};
    region.width = random(1, image.width() - region.x);
    region.height = random(1, image.height() - region.y);
    return region;
}

}  // namespace tonescope
