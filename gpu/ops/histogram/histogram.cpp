#include "gpu/ops/histogram/histogram.h"

namespace tonescope::histogram {
namespace {

const OperatorRegistration registration({
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
    .explain = explain,
});

}  // namespace
}  // namespace tonescope::histogram
