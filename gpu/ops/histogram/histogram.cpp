#include "gpu/core/registry.h"
#include "gpu/ops/histogram/histogram_lab.h"

namespace tonescope {
namespace {

const OperatorRegistration registration({
    .id = "histogram",
    .name = "Histogram lab",
    .summary = "Counts the image's brightness into 1024 bins whose 8-bit counters stop at 255.",
    .params = {},
    .order = 40,
    .makes_bins = true,
    .sequential_stage = "clamp",
    .output_spec =
        [](const ImageSpec&, const ParamBlock&) {
            return ImageSpec{kPlotWidth_px, kPlotHeight_px, PixelFormat::rgba8, false};
        },
});

}  // namespace
}  // namespace tonescope
