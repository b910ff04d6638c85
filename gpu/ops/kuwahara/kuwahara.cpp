#include "gpu/ops/kuwahara/kuwahara.h"

#include <cstddef>

#include "gpu/core/registry.h"

namespace tonescope {

// Declared in gpu/ops/kuwahara/kuwahara_preview.cpp.
void kuwahara_preview(const PreviewJob& job);
// Declared in gpu/ops/kuwahara/kuwahara_explain.cpp.
Explanation kuwahara_explain(const ExplainJob& job);

namespace {

/// With one parameter there is no other to tell it from.
std::vector<std::string> conversions(const ParamInfo&, const ParamBlock& params, const ImageSpec&) {
    const int radius = params.as<KuwaharaParams>().radius;
    const std::string window = std::to_string(2 * radius + 1), quadrant = std::to_string(radius + 1);
    return {"Window of " + window + " \u00d7 " + window + " px",
            "Four quadrants of " + quadrant + " \u00d7 " + quadrant + " px, " +
                std::to_string((radius + 1) * (radius + 1)) + " pixels each, fewer at the image's edges"};
}

constexpr ParamInfo kTable[] = {
    {.id = "radius",
     .label = "Radius",
     .unit = "px",
     .help = "Reach of the four quadrants around a pixel. Larger radii paint with a broader brush.",
     .offset = offsetof(KuwaharaParams, radius),
     .min = 1,
     .max = 64,
     .default_value = 4,
     .main = true},
};

const OperatorRegistration kuwahara_operator({
    .id = "kuwahara",
    .name = "Kuwahara",
    .summary =
        "Smooths surfaces and keeps edges: each pixel takes the mean of the calmest of the four quadrants around it.",
    .params = kTable,
    .order = 30,
    .output_spec = [](const ImageSpec& input, const ParamBlock&) { return input; },
    .preview = kuwahara_preview,
    .conversions = conversions,
    .explain = kuwahara_explain,
});

}  // namespace

std::span<const ParamInfo> kuwahara_param_table() {
    return kTable;
}

}  // namespace tonescope
