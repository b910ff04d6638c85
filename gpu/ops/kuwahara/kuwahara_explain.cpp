// How the Kuwahara filter comes to one pixel: its four quadrants.
#include <algorithm>
#include <cmath>

#include "gpu/core/registry.h"
#include "gpu/ops/explain_text.h"
#include "gpu/ops/kuwahara/kuwahara.h"

namespace tonescope {

Explanation kuwahara_explain(const ExplainJob& job);

namespace {

struct Quadrant {
    const char* name;
    Rect rect;
    int64_t sum = 0, squares = 0;  // of V
    int64_t channels[3] = {};

    int64_t pixels() const { return int64_t{rect.width} * rect.height; }
    double mean() const { return double(sum) / double(pixels()); }
    /// Variance times the pixels' square.
    int64_t spread() const { return pixels() * squares - sum * sum; }
    double deviation() const { return std::sqrt(double(spread())) / double(pixels()); }
};

Quadrant measure(const ImageView& image, const char* name, Pixel from, Pixel to) {
    const int x = std::max(from.x, 0), y = std::max(from.y, 0);
    Quadrant q{name,
               {x, y, std::min(to.x, image.spec.width - 1) - x + 1, std::min(to.y, image.spec.height - 1) - y + 1}};
    const int channels = image.spec.format == PixelFormat::gray8 ? 1 : 3;
    for (int row = y; row < y + q.rect.height; ++row) {
        for (int column = x; column < x + q.rect.width; ++column) {
            const uint8_t* pixel = image.pixel(column, row);
            for (int c = 0; c < channels; ++c) q.channels[c] += pixel[c];
            const int64_t v = *std::max_element(pixel, pixel + channels);
            q.sum += v;
            q.squares += v * v;
        }
    }
    return q;
}

/// See kuwahara_cpu_reference.cpp: no product passes 63 bits.
bool calmer(const Quadrant& a, const Quadrant& b) {
    return a.spread() * (b.pixels() * b.pixels()) < b.spread() * (a.pixels() * a.pixels());
}

}  // namespace

Explanation kuwahara_explain(const ExplainJob& job) {
    const int w = job.params.as<KuwaharaParams>().radius;
    const ImageView& in = job.input;
    const bool gray = in.spec.format == PixelFormat::gray8;
    const Pixel at = job.kept.value_or(job.pixel);
    const Quadrant quadrants[4] = {
        measure(in, "top left", {at.x - w, at.y - w}, at),
        measure(in, "top right", {at.x, at.y - w}, {at.x + w, at.y}),
        measure(in, "bottom left", {at.x - w, at.y}, {at.x, at.y + w}),
        measure(in, "bottom right", at, {at.x + w, at.y + w}),
    };
    const Quadrant* winner = &quadrants[0];
    for (const Quadrant& quadrant : quadrants)
        if (calmer(quadrant, *winner)) winner = &quadrant;

    Explanation e;
    e.pixel = at;
    const uint8_t* pixel = in.pixel(at.x, at.y);
    constexpr const char* kNames[] = {"Red", "Green", "Blue"};
    for (size_t c = 0; c < (gray ? 1 : 3); ++c) {
        const int64_t n = winner->pixels();
        const int mean = int((2 * winner->channels[c] + n) / (2 * n));
        e.values.push_back({gray ? "Value" : kNames[c], pixel[c], mean});
        e.result[c] = uint8_t(mean);
    }
    if (!gray) e.result[3] = pixel[3];
    e.table = {"quadrant", {"deviation", "mean", "pixels"}, {}};
    for (const Quadrant& quadrant : quadrants) {
        const bool wins = &quadrant == winner;
        const std::string mean = decimal_text(quadrant.mean()), deviation = decimal_text(quadrant.deviation(), 2);
        e.areas.push_back({quadrant.rect, mean + " \u00b1 " + deviation + (wins ? ", winner" : ""), wins});
        e.table.rows.push_back({quadrant.name + std::string(wins ? ", winner" : ""),
                                {deviation, mean, count_text(quadrant.pixels())},
                                wins});
    }
    e.surroundings = {at.x - w, at.y - w, 2 * w + 1, 2 * w + 1};
    e.note = std::string("The quadrant with the least deviation gives its mean") +
             (gray ? "." : "; deviation and mean here are of the largest of red, green and blue.");
    return e;
}

}  // namespace tonescope
