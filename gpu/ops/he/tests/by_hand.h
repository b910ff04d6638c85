// Histogram equalization by every variant, against samples computed by hand.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "gpu/core/registry.h"
#include "gpu/ops/he/he.h"
#include "tests/deep_images.h"

namespace tonescope::he {

/// Every variant on the CPU that takes the image, at least two, makes these samples of it, row by row.
inline void expect_samples(const HostImage& input, const Params& params, const std::vector<int>& expected) {
    int checked = 0;
    const OperatorInfo& op = *find_operator("he");
    for (const VariantInfo* variant : variants_of("he")) {
        const ParamBlock block(params);
        if (variant->backend != BackendKind::cpu || !refusal(op, *variant, block, input.spec()).empty()) continue;
        HostImage output(op.output_spec(input.spec(), block));
        variant->run_cpu({.input = input.view(), .params = block, .output = output.mutable_view(), .threads = 2});
        EXPECT_EQ(test::samples_of_image(output.view()), expected) << variant->id;
        EXPECT_EQ(output.spec().max_sample, input.spec().max_sample);
        ++checked;
    }
    EXPECT_GE(checked, 2);
}

}  // namespace tonescope::he
