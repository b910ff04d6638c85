// How histogram equalization comes to one pixel: the image's histogram, its cumulative curve and the table from it.
#include "gpu/cpu/display_histogram.h"
#include "gpu/ops/explain_text.h"
#include "gpu/ops/he/he.h"
#include "gpu/ops/he/he_cpu.h"

namespace tonescope::he {
namespace {

struct Cached {
    std::array<Counts, 3> counts{};
    Tables tables;
};

Cached measure(const ExplainJob& job, ColorMode color) {
    Cached image;
    const DisplayHistogram histogram = count_display_histogram(job.input, job.threads, job.stop);
    if (job.stop.stop_requested()) return image;
    if (color == color_channels)
        image.counts = histogram.rgb;
    else
        image.counts[0] = histogram.luma;
    image.tables = make_tables(image.counts, uint64_t(job.input.spec.pixels()), color);
    return image;
}

ExplainedPlot plot_of(const ExplainedValue& value, const Counts& counts, const Table& table) {
    ExplainedPlot plot = value_plot(value, counts, "Transfer curve", table);
    plot.sums.name = "Cumulative";
    uint64_t pixels = 0;
    for (const uint32_t count : counts) pixels += count;
    uint64_t sum = 0;
    for (const uint32_t count : counts) {
        sum += count;
        plot.sums.levels.push_back(float(double(sum) / double(pixels)));
    }
    return plot;
}

/// One row a value: what the table is made from.
ExplainedRow row_of(const ExplainedValue& value, const Counts& counts) {
    size_t first = 0;
    while (first < 255 && counts[first] == 0) ++first;
    int64_t pixels = 0, up_to_value = 0;
    for (size_t v = 0; v < 256; ++v) {
        pixels += counts[v];
        if (v <= size_t(value.before)) up_to_value += counts[v];
    }
    const int64_t m = counts[first];
    return {value.name,
            {count_text(counts[size_t(value.before)]), count_text(up_to_value - m), count_text(pixels - m),
             std::to_string(value.after)}};
}

}  // namespace

Explanation explain(const ExplainJob& job) {
    const ColorMode color = color_of(job.input.spec, job.params);
    Cached own;
    const Cached& image = cached(job, own, [&] { return measure(job, color); });
    Explanation e;
    if (job.stop.stop_requested()) return e;
    e.pixel = job.kept.value_or(job.pixel);
    e.values = color_values(job.input, e.pixel, color);
    e.plot_of = "whole image";
    e.table = {"", {"pixels", "up to it", "of", "output"}, {}};
    for (size_t k = 0; k < e.values.size(); ++k) {
        ExplainedValue& value = e.values[k];
        value.after = image.tables.lut[k][size_t(value.before)];
        e.plots.push_back(plot_of(value, image.counts[k], image.tables.lut[k]));
        e.table.rows.push_back(row_of(value, image.counts[k]));
    }
    e.result = color_result(job.input, e.pixel, color, e.values);
    e.note =
        "Output: 255 times the share of pixels up to this value, where the pixels of the darkest value do not "
        "count.";
    return e;
}

}  // namespace tonescope::he
