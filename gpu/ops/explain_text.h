// What explanations share: numbers in their sentences and tables, the cache, and what HE and CLAHE explain alike: which
// values they map under the parameter `color`, and the pixel that results.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "gpu/core/explanation.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/no_data_param.h"

namespace tonescope {

/// "1,234,567"
inline std::string count_text(int64_t count) {
    std::string text = std::to_string(count);
    for (int at = int(text.size()) - 3; at > 0; at -= 3) text.insert(size_t(at), 1, ',');
    return text;
}

/// "22.4"
inline std::string decimal_text(double value, int digits = 1) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

/// "22.4 %"; a whole of 0 has no shares.
inline std::string share_text(int64_t part, int64_t whole) {
    return decimal_text(whole > 0 ? 100.0 * double(part) / double(whole) : 0) + " %";
}

/// What measure() gives for the image: from the job's cache where it is there, else measured into `own` and kept.
template <class T, class Measure>
const T& cached(const ExplainJob& job, T& own, Measure&& measure) {
    const auto* known = job.cache != nullptr ? std::any_cast<T>(job.cache) : nullptr;
    if (known != nullptr) return *known;
    own = measure();
    if (job.cache != nullptr && !job.stop.stop_requested()) *job.cache = own;
    return own;
}

/// The samples of a pixel, as value_of_color() and write_color() take them.
inline std::array<uint16_t, 4> samples_of(const ImageView& image, Pixel at) {
    std::array<uint16_t, 4> samples{};
    for (int c = 0; c < (is_gray(image.spec.format) ? 1 : 4); ++c)
        samples[size_t(c)] = uint16_t(sample_at(image.pixel(at.x, at.y), image.spec.format, c));
    return samples;
}

inline std::vector<ExplainedValue> color_values(const ImageView& image, Pixel at, int32_t color) {
    const std::array<uint16_t, 4> pixel = samples_of(image, at);
    if (plane_count(image.spec, color) == 3) return {{"Red", pixel[0]}, {"Green", pixel[1]}, {"Blue", pixel[2]}};
    const bool gray = is_gray(image.spec.format);
    const char* name = gray || color == color_value ? "Value" : color == color_lab ? "Lightness" : "Luma";
    return {{name, value_of_color(pixel.data(), image.spec, color, 0)}};
}

/// The output's samples once every value has its `after`.
inline std::array<uint16_t, 4> color_result(const ImageView& image, Pixel at, const ColorChange& change,
                                            const std::vector<ExplainedValue>& values) {
    int changed[3] = {};
    for (size_t k = 0; k < values.size(); ++k) changed[k] = values[k].after;
    std::array<uint16_t, 4> result{};
    write_color(samples_of(image, at).data(), image.spec, change, changed, result.data());
    return result;
}

/// That a value is left out, and whether it is the pixel's; empty where none is.
inline std::string left_out_note(int32_t left_out, const std::vector<ExplainedValue>& values) {
    if (left_out == kNothingLeftOut) return {};
    for (const ExplainedValue& value : values)
        if (value.before == left_out)
            return value.name + " " + std::to_string(left_out) + " is no data: it is not counted and stays as it is.";
    return "Pixels of " + std::to_string(left_out) + " are no data and not counted.";
}

/// What becomes of a color whose value changes, and of the result, in whole sentences; empty where there is nothing to
/// say.
inline std::string color_note(const ImageView& image, const ColorChange& change,
                              const std::vector<ExplainedValue>& values) {
    std::string note;
    if (!is_gray(image.spec.format) && !values.empty()) {
        const std::string before = std::to_string(values[0].before), after = std::to_string(values[0].after);
        if (change.color == color_ratio || change.color == color_value)
            note = values[0].before == 0 ? "Black becomes the new value."
                                         : "Red, green and blue become \u00d7 " + after + " / " + before + ".";
        if (change.color == color_lab) note = "L* changes, a* and b* stay.";
    }
    if (change.amount < 100)
        note += (note.empty() ? "" : " ") + std::to_string(change.amount) + " % of this and " +
                std::to_string(100 - change.amount) + " % of the pixel make the result.";
    return note;
}

/// The histogram of a value, whose counts and table hold each sample that the image can have, with the table that maps
/// it, as a curve.
inline ExplainedPlot value_plot(const ExplainedValue& value, const std::vector<uint32_t>& counts, std::string curve,
                                const std::vector<uint16_t>& table) {
    ExplainedPlot plot;
    plot.name = value.name;
    plot.counts = counts;
    plot.max_out = int(counts.size()) - 1;
    plot.transfer.name = std::move(curve);
    for (const uint16_t out : table) plot.transfer.levels.push_back(float(out) / float(plot.max_out));
    plot.bin = value.before;
    plot.out = table[size_t(value.before)];
    return plot;
}

}  // namespace tonescope
