#include "gpu/ops/he/he.h"

#include <cstddef>
#include <numeric>

#include "gpu/cpu/display_histogram.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/explain_text.h"
#include "gpu/ops/range_param.h"

namespace tonescope::he {
namespace {

PlaneCounts count(const ExplainJob& job, int planes) {
    const DisplayHistogram histogram = count_display_histogram(job.input, job.threads, job.stop);
    if (planes == 3) return histogram.rgb;
    return {histogram.luma};
}

/// Adds the plot of a value's histogram and the row of the table that says what its output is made from.
void explain_value(Explanation& e, const ExplainedValue& value, const Counts& counts, const Table& table) {
    ExplainedPlot& plot = e.plots.emplace_back(value_plot(value, counts, "Transfer curve", table));
    plot.sums.name = "Cumulative";
    const auto pixels = std::accumulate(counts.begin(), counts.end(), int64_t{0});
    int64_t sum = 0, first_count = 0, up_to_value = 0;
    for (int v = 0; v < 256; ++v) {
        sum += counts[size_t(v)];
        if (first_count == 0) first_count = sum;
        if (v == value.before) up_to_value = sum;
        plot.sums.levels.push_back(float(double(sum) / double(pixels)));
    }
    e.table.rows.push_back({value.name,
                            {count_text(counts[size_t(value.before)]), count_text(up_to_value - first_count),
                             count_text(pixels - first_count), std::to_string(value.after)}});
}

/// How histogram equalization comes to one pixel: the image's histogram, its cumulative curve and the table from it.
Explanation explain(const ExplainJob& job) {
    const int32_t color = job.params.as<Params>().color;
    const int planes = plane_count(job.input.spec, color);
    PlaneCounts own;
    const PlaneCounts& counts = cached(job, own, [&] { return count(job, planes); });
    Explanation e;
    if (job.stop.stop_requested()) return e;
    const Tables tables = make_tables(counts, uint64_t(job.input.spec.pixels()), planes);
    e.pixel = job.kept.value_or(job.pixel);
    e.values = color_values(job.input, e.pixel, color);
    e.plot_of = "whole image";
    e.table = {"", {"pixels", "cumulative", "total", "output"}, {}};
    for (size_t k = 0; k < e.values.size(); ++k) {
        e.values[k].after = tables[k][size_t(e.values[k].before)];
        explain_value(e, e.values[k], counts[k], tables[k]);
    }
    e.result = color_result(job.input, e.pixel, color, e.values);
    e.note = "Output: 255 \u00d7 cumulative / total. Pixels of the darkest value are in neither.";
    return e;
}

constexpr ParamInfo kTable[] = {color_param(offsetof(Params, color)), range_param(offsetof(Params, range))};

const OperatorRegistration registration({
    .id = "he",
    .name = "Histogram equalization",
    .summary = "Spreads the values so that all of them occur about equally often, with one curve for the whole image.",
    .params = kTable,
    .sequential_stage = "table",
    .output_spec = color_output_spec<Params>,
    .preview = preview,
    .explain = explain,
});

}  // namespace
}  // namespace tonescope::he
