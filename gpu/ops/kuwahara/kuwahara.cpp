#include "gpu/ops/kuwahara/kuwahara.h"

#include <cstddef>

namespace tonescope::kuwahara {
namespace {

/// What the radius comes to, for its tooltip. It is the only parameter.
std::vector<std::string> conversions(const ParamInfo&, const ParamBlock& params, const ImageSpec&) {
    const int radius = params.as<Params>().radius;
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
     .offset = offsetof(Params, radius),
     .min = 1,
     .max = 64,
     .default_value = 4,
     .main = true},
};

const OperatorRegistration kuwahara_operator({
    .id = "kuwahara",
    .name = "Kuwahara",
    .summary = "Smooths surfaces and keeps edges: of the four quadrants around a pixel, the one with the lowest "
               "variance gives the pixel its mean.",
    .params = kTable,
    .follows = "clahe",
    .output_spec = [](const ImageSpec& input, const ParamBlock&) { return input; },
    .preview = preview,
    .conversions = conversions,
    .explain = explain,
});

}  // namespace
}  // namespace tonescope::kuwahara
