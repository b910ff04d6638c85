#include "gpu/ops/histogram/histogram.h"
#include "gpu/core/registry.h"

namespace tonescope {

// Declared in gpu/ops/histogram/histogram_explain.cpp.
Explanation histogram_explain(const ExplainJob& job);

namespace {

const OperatorRegistration histogram_operator({
    .id = "histogram",
    .name = "Histogram lab",
    .summary = "Counts the image's brightness into 1024 bins whose 8-bit counters stop at 255.",
    .params = {},
    .follows = "kuwahara",
    .makes_bins = true,
    .sequential_stage = "clamp",
    .output_spec =
        [](const ImageSpec&, const ParamBlock&) {
            return ImageSpec{kPlotWidth_px, kPlotHeight_px, PixelFormat::rgba8, false};
        },
    .explain = histogram_explain,
});

}  // namespace
}  // namespace tonescope
