#include "gpu/ops/kuwahara/kuwahara.h"

#include <cmath>
#include <cstddef>

#include "gpu/core/text.h"
#include "gpu/ops/explain_text.h"
#include "gpu/ops/kuwahara/quadrant.h"

namespace tonescope::kuwahara {

Work tuned_deep_work(const WorkCase& c) {
    const QuadrantCost shared_bytes = c.is_gray() ? QuadrantCost{0, 2.4, 71} : QuadrantCost{0, 5.5, 144};
    const QuadrantCost operations = c.is_gray() ? QuadrantCost{0, 3, 106} : QuadrantCost{0, 6.5, 170};
    return {{"filter", c.pixels() * Amounts{.bytes = 2.0 * bytes_per_pixel(c.image.format),
                                            .shared_bytes = shared_bytes.at(c),
                                            .operations = operations.at(c)}}};
}

namespace {

/// What the radius comes to, for its tooltip. It is the only parameter.
std::vector<std::string> conversions(const ParamInfo&, const ParamBlock& params, const ImageSpec&) {
    const int quadrant = params.as<Params>().radius + 1, window = 2 * quadrant - 1;
    return {"Neighborhood of " + size_text(window, window) + " px",
            "Four quadrants of " + size_text(quadrant, quadrant) + " px, " + std::to_string(quadrant * quadrant) +
                " pixels each, fewer at the image's edges"};
}

/// How the filter comes to one pixel: its four quadrants.
Explanation explain(const ExplainJob& job) {
    constexpr const char* kQuadrants[] = {"top left", "top right", "bottom left", "bottom right"};
    constexpr const char* kChannels[] = {"Red", "Green", "Blue"};
    const int w = job.params.as<Params>().radius;
    const ImageView& in = job.input;
    const bool gray = is_gray(in.spec.format);
    const Pixel at = job.kept.value_or(job.pixel);
    const std::array<Quadrant, 4> quadrants = quadrants_of(in, at.x, at.y, w);
    const Quadrant& winner = winner_of(quadrants);

    Explanation e;
    e.pixel = at;
    const std::array<uint16_t, 4> pixel = samples_of(in, at);
    for (int c = 0; c < (gray ? 1 : 3); ++c) {
        e.values.push_back({gray ? "Value" : kChannels[c], pixel[size_t(c)], winner.mean(c)});
        e.result[size_t(c)] = uint16_t(winner.mean(c));
    }
    if (!gray) e.result[3] = pixel[3];
    e.table = {"quadrant", {"std. dev.", "mean", "pixels"}, {}};
    for (size_t k = 0; k < quadrants.size(); ++k) {
        const Quadrant& quadrant = quadrants[k];
        const bool wins = &quadrant == &winner;
        const std::string suffix = wins ? ", winner" : "";
        const std::string mean = decimal_text(double(quadrant.s) / double(quadrant.n));
        const std::string deviation =
            decimal_text(std::sqrt(double(quadrant.scaled_variance())) / double(quadrant.n), 2);
        e.areas.push_back({quadrant.rect, mean + " \u00b1 " + deviation + suffix, wins});
        e.table.rows.push_back({kQuadrants[k] + suffix, {deviation, mean, count_text(quadrant.n)}, wins});
    }
    e.surroundings = {at.x - w, at.y - w, 2 * w + 1, 2 * w + 1};
    e.note = std::string("The quadrant with the lowest variance (standard deviation squared) gives its mean") +
             (gray ? "." : "; deviation and mean here are of the largest of red, green and blue.");
    return e;
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
    .reach_px = [](const ParamBlock& params) { return int{params.as<Params>().radius}; },
    .preview = preview,
    .conversions = conversions,
    .explain = explain,
    .code = code,
});

}  // namespace
}  // namespace tonescope::kuwahara
