#include "gpu/ops/he/he.h"

#include <cstddef>
#include <numeric>

#include "gpu/cpu/display_histogram.h"
#include "gpu/cpu/used_values.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/explain_text.h"
#include "gpu/ops/range_param.h"

namespace tonescope::he {

Work tuned_deep_work(const WorkCase& c) {
    const auto [color, range] = c.params.as<Params>();
    const double planes = plane_count(c.image, color), in = bytes_per_pixel(c.image.format);
    const double samples = c.is_gray() ? 1 : 4;
    Work work;
    if (takes_used_values(c.image, range))
        work.push_back({"range", c.pixels() * Amounts{.bytes = in, .operations = 2 * samples}});
    work.push_back({"histogram", c.pixels() * (planes * addition_by_value(c) +
                                               Amounts{.bytes = planes * in, .operations = planes * 8})});
    work.push_back({"table", {.bytes = planes * 6.0 * (c.image.max_sample + 1)}});
    work.push_back({"apply", c.pixels() * Amounts{.bytes = in + color_output_bytes<Params>(c),
                                                  .shared_bytes = planes * 10,
                                                  .operations = by_color(c, color, 8, 30, 24)}});
    return work;
}

namespace {

struct Counted {
    DeepCounts counts;
    ValueRange range;
};

Counted count(const ExplainJob& job) {
    const ImageSpec& spec = job.input.spec;
    const auto [color, range] = job.params.as<Params>();
    Counted counted{{}, find_values(job.input, range, job.threads, job.stop)};
    if (is_deep(spec.format)) {
        counted.counts = count_deep(job.input, color, job.threads, job.stop);
        return counted;
    }
    const DisplayHistogram histogram = count_display_histogram(job.input, job.threads, job.stop);
    const bool by_channels = plane_count(spec, color) == 3;
    for (size_t k = 0; k < (by_channels ? 3 : 1); ++k) {
        const auto& plane = by_channels ? histogram.rgb[k] : histogram.luma;
        counted.counts[k].assign(plane.begin(), plane.end());
    }
    return counted;
}

/// Adds the plot of a value's histogram and the row of the table that says what its output is made from.
void explain_value(Explanation& e, const ExplainedValue& value, const std::vector<uint32_t>& counts,
                   const std::vector<uint16_t>& table) {
    ExplainedPlot& plot = e.plots.emplace_back(value_plot(value, counts, "Transfer curve", table));
    plot.sums.name = "Cumulative";
    const auto pixels = std::accumulate(counts.begin(), counts.end(), int64_t{0});
    int64_t sum = 0, first_count = 0, up_to_value = 0;
    for (size_t v = 0; v < counts.size(); ++v) {
        sum += counts[v];
        if (first_count == 0) first_count = sum;
        if (v == size_t(value.before)) up_to_value = sum;
        if (is_last_of_bin(v, counts.size())) plot.sums.levels.push_back(float(double(sum) / double(pixels)));
    }
    e.table.rows.push_back({value.name,
                            {count_text(counts[size_t(value.before)]), count_text(up_to_value - first_count),
                             count_text(pixels - first_count), std::to_string(value.after)}});
}

/// How histogram equalization comes to one pixel: the image's histogram, its cumulative curve and the table from it.
Explanation explain(const ExplainJob& job) {
    const int32_t color = job.params.as<Params>().color;
    Counted own;
    const Counted& counted = cached(job, own, [&] { return count(job); });
    Explanation e;
    if (job.stop.stop_requested()) return e;
    const auto [lo, hi] = counted.range;
    const DeepTables tables = make_deep_tables(counted.counts, uint64_t(job.input.spec.pixels()), counted.range);
    e.pixel = job.kept.value_or(job.pixel);
    e.values = color_values(job.input, e.pixel, color);
    e.plot_of = "whole image";
    e.table = {"", {"pixels", "cumulative", "total", "output"}, {}};
    for (size_t k = 0; k < e.values.size(); ++k) {
        e.values[k].after = tables[k][size_t(e.values[k].before)];
        explain_value(e, e.values[k], counted.counts[k], tables[k]);
    }
    e.result = color_result(job.input, e.pixel, color, e.values);
    e.note = "Output: " + (lo == 0 ? "" : std::to_string(lo) + " + ") + std::to_string(hi - lo) +
             " \u00d7 cumulative / total. Pixels of the darkest value are in neither.";
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
    .code = code,
});

}  // namespace
}  // namespace tonescope::he
