// How the Kuwahara filter comes to one pixel: its four quadrants.
#include <cmath>

#include "gpu/ops/explain_text.h"
#include "gpu/ops/kuwahara/kuwahara.h"
#include "gpu/ops/kuwahara/quadrant.h"

namespace tonescope::kuwahara {

Explanation explain(const ExplainJob& job) {
    constexpr const char* kQuadrants[] = {"top left", "top right", "bottom left", "bottom right"};
    constexpr const char* kChannels[] = {"Red", "Green", "Blue"};
    const int w = job.params.as<Params>().radius;
    const ImageView& in = job.input;
    const bool gray = in.spec.format == PixelFormat::gray8;
    const Pixel at = job.kept.value_or(job.pixel);
    const std::array<Quadrant, 4> quadrants = quadrants_of(in, at.x, at.y, w);
    const Quadrant& winner = winner_of(quadrants);

    Explanation e;
    e.pixel = at;
    const uint8_t* pixel = in.pixel(at.x, at.y);
    for (int c = 0; c < (gray ? 1 : 3); ++c) {
        e.values.push_back({gray ? "Value" : kChannels[c], pixel[c], winner.mean(c)});
        e.result[size_t(c)] = uint8_t(winner.mean(c));
    }
    if (!gray) e.result[3] = pixel[3];
    e.table = {"quadrant", {"deviation", "mean", "pixels"}, {}};
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
    e.note = std::string("The quadrant with the least deviation gives its mean") +
             (gray ? "." : "; deviation and mean here are of the largest of red, green and blue.");
    return e;
}

}  // namespace tonescope::kuwahara
