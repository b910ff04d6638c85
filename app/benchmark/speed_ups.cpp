// What follows from the times of a variant benchmark.
#include <algorithm>
#include <cmath>

#include "app/benchmark/variant_benchmark.h"

namespace tonescope {
namespace {

SpeedUps speed_ups(const std::vector<BenchmarkRow>& rows, size_t index, BenchmarkTime BenchmarkRow::*time) {
    const double own_ms = (rows[index].*time).time.median_ms;
    SpeedUps result;
    for (size_t i = 0; own_ms > 0 && i < rows.size(); ++i) {
        const BenchmarkRow& other = rows[i];
        if (!other.ran()) continue;
        const double ratio = (other.*time).time.median_ms / own_ms;
        if (other.variant->reference) result.reference = ratio;
        if (other.variant->backend == BackendKind::cuda && !result.first_gpu) result.first_gpu = ratio;
        if (i >= index || other.variant->backend != rows[index].variant->backend) continue;
        result.previous = ratio;
        if (other.differences == 0) result.best_previous = std::min(ratio, result.best_previous.value_or(ratio));
    }
    return result;
}

std::optional<double> sequential_share(const VariantBenchmark& benchmark) {
    const auto reference = std::ranges::find_if(
        benchmark.rows, [](const BenchmarkRow& row) { return row.variant->reference && row.ran(); });
    if (reference == benchmark.rows.end() || reference->total.time.median_ms <= 0) return {};
    double sequential_ms = 0;
    for (const BenchmarkStage& stage : reference->stages)
        if (stage.stage == benchmark.op->sequential_stage) sequential_ms += stage.time.median_ms;
    return std::min(sequential_ms / reference->total.time.median_ms, 1.0);
}

}  // namespace

void add_speed_ups(VariantBenchmark& benchmark) {
    benchmark.sequential = sequential_share(benchmark);
    for (size_t i = 0; i < benchmark.rows.size(); ++i) {
        BenchmarkRow& row = benchmark.rows[i];
        if (!row.ran()) continue;
        for (BenchmarkTime BenchmarkRow::*time : {&BenchmarkRow::total, &BenchmarkRow::compute})
            (row.*time).speed_up = speed_ups(benchmark.rows, i, time);
        const int64_t lanes = benchmark.lanes(row.variant->backend);
        row.amdahl.reset();
        if (benchmark.sequential && lanes > 0) row.amdahl = amdahl_bound(*benchmark.sequential, double(lanes));
    }
}

std::string amdahl_text(const VariantBenchmark& benchmark) {
    if (!benchmark.sequential) return {};
    const double f = *benchmark.sequential;
    std::string text = "Amdahl's bound: ";
    if (benchmark.op->sequential_stage.empty())
        text += "no stage of the reference is sequential";
    else
        text += number_text(f * 100) + " % of the reference's time is sequential (" +
                std::string(benchmark.op->sequential_stage) + ")";
    const auto times = [](double bound) { return number_text(bound) + "\u00d7 on "; };
    text +=
        ", so threads alone make at most " + times(amdahl_bound(f, double(benchmark.cpu_lanes))) + benchmark.cpu_name;
    if (benchmark.cuda_lanes > 0)
        text += ", " + times(amdahl_bound(f, double(benchmark.cuda_lanes))) + benchmark.cuda_name + " (" +
                std::to_string(benchmark.cuda_lanes) + " threads at a time)";
    if (f > 0) text += ", " + times(amdahl_bound(f)) + "any machine";
    std::string past;
    for (const BenchmarkRow& row : benchmark.rows)
        if (row.ran() && row.passes_bound(row.compute))
            past += (past.empty() ? "" : ", ") + std::string(row.variant->name) + " (" +
                    number_text(*row.compute.speed_up.reference) + "\u00d7)";
    if (!past.empty())
        text += ". Past it, by what the law leaves out (vector instructions, caches, less work): " + past;
    return text;
}

}  // namespace tonescope
