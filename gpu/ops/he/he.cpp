#include "gpu/ops/he/he.h"

#include <cstddef>

#include "gpu/ops/color_param.h"

namespace tonescope::he {

namespace {

constexpr ParamInfo kTable[] = {color_param(offsetof(Params, color))};

const OperatorRegistration registration({
    .id = "he",
    .name = "Histogram equalization",
    .summary = "Spreads the values so that all of them occur about equally often, with one curve for the whole image.",
    .params = kTable,
    .sequential_stage = "table",
    .output_spec = color_output_spec<Params>,
    .preview = preview,
    .explain = explain,
});

}  // namespace

}  // namespace tonescope::he
