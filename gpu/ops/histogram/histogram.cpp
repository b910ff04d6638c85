#include "gpu/ops/histogram/histogram.h"

#include <algorithm>
#include <cstddef>

#include "gpu/ops/explain_text.h"

namespace tonescope::histogram {
namespace {

constexpr int64_t kMaxCounted = 255;

BinsResult count(const ExplainJob& job) {
    BinsResult result;
    preferred_variant("histogram", BackendKind::cpu)
        ->run_cpu(
            {.input = job.input, .params = job.params, .bins = &result, .threads = job.threads, .stop = job.stop});
    return result;
}

/// How the histogram lab counts one pixel: its word, its bin, and the counter that saturates.
Explanation explain(const ExplainJob& job) {
    BinsResult own;
    const BinsResult& result = cached(job, own, [&] { return count(job); });
    Explanation e;
    if (job.stop.stop_requested()) return e;
    e.pixel = job.kept.value_or(job.pixel);
    const std::array<uint16_t, 4> p = samples_of(job.input, e.pixel);
    const bool gray = is_gray(job.input.spec.format);
    const int levels = job.input.spec.max_sample + 1;
    e.note =
        left_out_note(job.params.as<Params>().left_out(job.input.spec), color_values(job.input, e.pixel, color_luma));
    const int word = gray ? 1024 * p[0] / levels : 4 * (77 * p[0] + 150 * p[1] + 29 * p[2]) / levels;
    const auto bin = size_t(word);
    e.plot_of = "whole image";
    ExplainedPlot& plot = e.plots.emplace_back();
    plot.name = gray ? "Value, 10 bits" : "Luma, 10 bits";
    plot.counts = result.counts;
    plot.limit = kMaxCounted;
    plot.limit_name = "Counters stop at " + count_text(kMaxCounted);
    plot.cut_name = "Not counted";
    plot.bin = word;
    const auto full = std::ranges::count_if(result.counts, [](uint32_t count) { return count > kMaxCounted; });
    plot.note = count_text(full) + " of " + count_text(kFineBins) + " counters are full.";
    e.table = {"bin", {"pixels", "counter"}, {}};
    e.table.rows.push_back({std::to_string(word), {count_text(result.counts[bin]), std::to_string(result.bins[bin])}});
    return e;
}

constexpr ParamInfo kTable[] = {no_data_param(offsetof(Params, no_data.no_data)),
                                no_data_value_param(offsetof(Params, no_data.value))};

const OperatorRegistration registration({
    .id = "histogram",
    .name = "Histogram lab",
    .summary = "Counts the image's brightness into 1024 bins whose 8-bit counters stop at 255.",
    .params = kTable,
    .follows = "kuwahara",
    .makes_bins = true,
    .sequential_stage = "clamp",
    .output_spec =
        [](const ImageSpec&, const ParamBlock&) {
            return ImageSpec{kPlotWidth_px, kPlotHeight_px, PixelFormat::rgba8, false};
        },
    .explain = explain,
});

}  // namespace
}  // namespace tonescope::histogram
