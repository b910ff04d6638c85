#include "gpu/ops/he/he.h"

#include <cstddef>

#include "gpu/core/registry.h"
#include "gpu/ops/color_param.h"

namespace tonescope {

// Declared in gpu/ops/he/he_preview.cpp.
void he_preview(const PreviewJob& job);
// Declared in gpu/ops/he/he_explain.cpp.
Explanation he_explain(const ExplainJob& job);

namespace {

constexpr ParamInfo kTable[] = {color_param(offsetof(HeParams, color))};

const OperatorRegistration he_operator({
    .id = "he",
    .name = "Histogram equalization",
    .summary = "Spreads the values so that all of them occur about equally often, with one curve for the whole image.",
    .params = kTable,
    .sequential_stage = "table",
    .output_spec = color_output_spec<HeParams>,
    .preview = he_preview,
    .explain = he_explain,
});

}  // namespace

std::span<const ParamInfo> he_param_table() {
    return kTable;
}

}  // namespace tonescope
