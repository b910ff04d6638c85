// Kuwahara filter in plain loops: the definition, step by step (quadrant.h). Slow on purpose.
#include "gpu/core/registry.h"
#include "gpu/ops/kuwahara/kuwahara.h"
#include "gpu/ops/kuwahara/quadrant.h"

namespace tonescope::kuwahara {
namespace {

void run_reference(const CpuJob& job) {
    const int radius = job.params.as<Params>().radius;
    const ImageView& in = job.input;
    const PixelFormat format = in.spec.format;
    const bool gray = is_gray(format);
    const ScopedStage stage(job.stages, "filter");
    if (job.progress != nullptr) job.progress->start(in.spec.height);
    for (int y = 0; y < in.spec.height; ++y) {
        if (job.stop.stop_requested()) return;
        for (int x = 0; x < in.spec.width; ++x) {
            const std::array<Quadrant, 4> quadrants = quadrants_of(in, x, y, radius);
            const Quadrant& winner = winner_of(quadrants);
            uint8_t* to = job.output.pixel(x, y);
            for (int c = 0; c < (gray ? 1 : 3); ++c) set_sample(to, format, c, winner.mean(c));
            if (!gray) set_sample(to, format, 3, sample_at(in.pixel(x, y), format, 3));
        }
        if (job.progress != nullptr) job.progress->add(1);
    }
}

const VariantRegistration reference_variant({
    .op = "kuwahara",
    .id = "cpu",
    .name = "Reference",
    .source = "E CPU",
    .reference = true,
    .any_depth = true,
    .idea = "At every pixel, sums up the four quadrants around it and takes the mean of the one with the lowest "
            "variance: the definition, step by step.",
    .cost = "One thread; 4 (radius + 1)\u00b2 pixels are read for every pixel: 100 at radius 4, 4356 at radius 32.",
    .flaw = "Neighboring pixels share almost all of their quadrants, and none of that work is reused.",
    .work =
        [](const WorkCase& c) {
            // Of each pixel of four quadrants; then the quadrants are compared.
            const QuadrantCost cost{c.is_gray() ? 12.0 : 32.0, 0, 100};
            return Work{{"filter", c.pixels() * Amounts{.bytes = 2.0 * bytes_per_pixel(c.image.format),
                                                        .operations = cost.at(c)}}};
        },
    .run_cpu = run_reference,
});

}  // namespace
}  // namespace tonescope::kuwahara
