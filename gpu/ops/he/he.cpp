#include "gpu/ops/he/he.h"

#include <cstddef>
#include <numeric>

#include "gpu/ops/color_param.h"
#include "gpu/ops/counted_values.h"
#include "gpu/ops/explain_text.h"
#include "gpu/ops/range_param.h"

namespace tonescope::he {
namespace {

struct Counted {
    DeepCounts counts;
    ValueRange range;
};

Counted count(const ExplainJob& job) {
    const ImageSpec& spec = job.input.spec;
    const auto params = job.params.as<Params>();
    const int32_t color = params.color, left_out = params.left_out(spec);
    Counted counted{{}, find_counted_values(job.input, params.range_choice(), color, left_out, job.threads, job.stop)};
    if (is_deep(spec.format)) {
        counted.counts = count_deep(job.input, color, left_out, job.threads, job.stop);
        return counted;
    }
    const PlaneCounts counts = count_bytes(job.input, color, left_out, job.threads, job.stop);
    for (int k = 0; k < plane_count(spec, color); ++k)
        counted.counts[size_t(k)].assign(counts[size_t(k)].begin(), counts[size_t(k)].end());
    return counted;
}

/// Adds the plot of a value's histogram and the row of the table that says what its output is made from.
void explain_value(Explanation& e, const ExplainedValue& value, const std::vector<uint32_t>& counts,
                   const std::vector<uint16_t>& table) {
    ExplainedPlot& plot = e.plots.emplace_back(value_plot(value, counts, "Transfer curve", table));
    plot.out = value.after;
    plot.sums.name = "Cumulative";
    const auto pixels = std::accumulate(counts.begin(), counts.end(), int64_t{0});
    int64_t sum = 0, first_count = 0, up_to_value = 0;
    for (size_t v = 0; v < counts.size(); ++v) {
        sum += counts[v];
        if (first_count == 0) first_count = sum;
        if (v == size_t(value.before)) up_to_value = sum;
        plot.sums.levels.push_back(float(double(sum) / double(std::max<int64_t>(pixels, 1))));
    }
    e.table.rows.push_back({value.name,
                            {count_text(counts[size_t(value.before)]), count_text(up_to_value - first_count),
                             count_text(pixels - first_count), std::to_string(value.after)}});
}

/// How histogram equalization comes to one pixel: the image's histogram, its cumulative curve and the table from it.
Explanation explain(const ExplainJob& job) {
    const ColorChange change = job.params.as<Params>().change();
    Counted own;
    const Counted& counted = cached(job, own, [&] { return count(job); });
    Explanation e;
    if (job.stop.stop_requested()) return e;
    const auto [lo, hi] = counted.range;
    const int32_t left_out = job.params.as<Params>().left_out(job.input.spec);
    // The curves go on over the value that is left out, which stays as it is.
    const DeepTables tables = make_deep_tables(counted.counts, counted.range, kNothingLeftOut);
    e.pixel = job.kept.value_or(job.pixel);
    e.values = color_values(job.input, e.pixel, change.color);
    e.plot_of = "whole image";
    e.table = {"", {"pixels", "cumulative", "total", "output"}, {}};
    for (size_t k = 0; k < e.values.size(); ++k) {
        const int before = e.values[k].before;
        e.values[k].after = before == left_out ? before : tables[k][size_t(before)];
        explain_value(e, e.values[k], counted.counts[k], tables[k]);
    }
    e.result = color_result(job.input, e.pixel, change, e.values);
    e.note = "Output: " + (lo == 0 ? "" : std::to_string(lo) + " + ") + std::to_string(hi - lo) +
             " \u00d7 cumulative / total. Pixels of the darkest value are in neither.";
    for (const std::string& more : {left_out_note(left_out, e.values), color_note(job.input, change, e.values)})
        if (!more.empty()) e.note += " " + more;
    return e;
}

constexpr ParamInfo kTable[] = {
    color_param(offsetof(Params, color)), range_param(offsetof(Params, range)), amount_param(offsetof(Params, amount)),
    no_data_param(offsetof(Params, no_data.no_data)), no_data_value_param(offsetof(Params, no_data.value))};

const OperatorRegistration registration({
    .id = "he",
    .name = "Histogram equalization",
    .summary = "Spreads the values so that all of them occur about equally often, with one curve for the whole image.",
    .params = kTable,
    .sequential_stage = "table",
    .output_spec = color_output_spec<Params>,
    .preview = preview,
    .explain = explain,
    .code = code,
});

}  // namespace
}  // namespace tonescope::he
