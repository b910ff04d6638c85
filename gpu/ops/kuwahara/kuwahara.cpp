#include "gpu/ops/kuwahara/kuwahara.h"

#include <cstddef>

#include "gpu/core/registry.h"

namespace tonescope {

// Declared in gpu/ops/kuwahara/kuwahara_preview.cpp.
void kuwahara_preview(const PreviewJob& job);
// Declared in gpu/ops/kuwahara/kuwahara_explain.cpp.
Explanation kuwahara_explain(const ExplainJob& job);

namespace {

constexpr ParamInfo kTable[] = {
    {.id = "radius",
     .label = "Radius",
     .unit = "px",
     .help = "Reach of the four quadrants around a pixel. Larger radii paint with a broader brush.",
     .offset = offsetof(KuwaharaParams, radius),
     .min = 1,
     .max = 64,
     .default_value = 4},
};

const OperatorRegistration registration({
    .id = "kuwahara",
    .name = "Kuwahara",
    .summary =
        "Smooths surfaces and keeps edges: each pixel takes the mean of the calmest of the four quadrants around it.",
    .params = kTable,
    .order = 30,
    .output_spec = [](const ImageSpec& input, const ParamBlock&) { return input; },
    .preview = kuwahara_preview,
    .explain = kuwahara_explain,
});

}  // namespace

std::span<const ParamInfo> kuwahara_param_table() {
    return kTable;
}

}  // namespace tonescope
