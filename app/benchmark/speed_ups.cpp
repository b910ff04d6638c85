// What follows from the times of a comparison.
#include <algorithm>
#include <cmath>

#include "app/benchmark/variant_benchmark.h"

namespace tonescope {
namespace {

/// Rows that a row is set against; null where there is none.
struct Others {
    const ComparisonRow *reference = nullptr, *first_gpu = nullptr, *previous = nullptr, *best_previous = nullptr;
};

SpeedUps speed_ups(const ComparisonRow& row, const Others& others, TimeSummary ComparisonRow::*time) {
    const auto against = [&](const ComparisonRow* other) {
        const double own_ms = (row.*time).median_ms;
        return other == nullptr || own_ms <= 0 ? std::nullopt : std::optional((other->*time).median_ms / own_ms);
    };
    return {against(others.reference), against(others.previous), against(others.best_previous),
            against(others.first_gpu)};
}

/// The rows before `row` on its backend, the first of which is `first`.
Others others_of(const std::vector<ComparisonRow>& rows, size_t index, TimeSummary ComparisonRow::*time) {
    Others others;
    for (size_t i = 0; i < rows.size(); ++i) {
        const ComparisonRow& other = rows[i];
        if (!other.ran()) continue;
        if (other.variant->reference) others.reference = &other;
        if (other.variant->backend == BackendKind::cuda && others.first_gpu == nullptr) others.first_gpu = &other;
        if (i >= index || other.variant->backend != rows[index].variant->backend) continue;
        others.previous = &other;
        if (other.differences != 0) continue;
        if (others.best_previous == nullptr || (other.*time).median_ms < (others.best_previous->*time).median_ms)
            others.best_previous = &other;
    }
    return others;
}

std::optional<double> sequential_share(const Comparison& comparison) {
    const auto reference = std::ranges::find_if(
        comparison.rows, [](const ComparisonRow& row) { return row.variant->reference && row.ran(); });
    if (reference == comparison.rows.end() || reference->total.median_ms <= 0) return {};
    double sequential_ms = 0;
    for (const ComparisonStage& stage : reference->stages)
        if (stage.stage == comparison.op->sequential_stage) sequential_ms += stage.time.median_ms;
    return std::min(sequential_ms / reference->total.median_ms, 1.0);
}

}  // namespace

std::string ComparisonRow::result_text(bool bins) const {
    if (differences == 0) return "identical";
    const std::string what = bins ? "bin" : "pixel";
    return std::to_string(differences) + " " + what + (differences == 1 ? " differs" : "s differ") +
           (variant->wrong_by_design ? " by design" : "");
}

void add_speed_ups(Comparison& comparison) {
    comparison.sequential = sequential_share(comparison);
    for (size_t i = 0; i < comparison.rows.size(); ++i) {
        ComparisonRow& row = comparison.rows[i];
        if (!row.ran()) continue;
        const auto fill = [&](SpeedUps& target, TimeSummary ComparisonRow::*time) {
            target = speed_ups(row, others_of(comparison.rows, i, time), time);
        };
        fill(row.total_speed_up, &ComparisonRow::total);
        fill(row.compute_speed_up, &ComparisonRow::compute);
        const int64_t lanes = comparison.lanes(row.variant->backend);
        row.amdahl.reset();
        if (comparison.sequential && lanes > 0) row.amdahl = amdahl_bound(*comparison.sequential, double(lanes));
    }
}

std::string amdahl_text(const Comparison& comparison) {
    if (!comparison.sequential) return {};
    const double f = *comparison.sequential;
    std::string text = "Amdahl's bound: ";
    if (comparison.op->sequential_stage.empty())
        text += "no stage of the reference is sequential";
    else
        text += number_text(f * 100) + " % of the reference's time is sequential (" +
                std::string(comparison.op->sequential_stage) + ")";
    text +=
        ", so at most " + number_text(amdahl_bound(f, double(comparison.cpu_lanes))) + "x on " + comparison.cpu_name;
    if (comparison.cuda_lanes > 0)
        text += ", " + number_text(amdahl_bound(f, double(comparison.cuda_lanes))) + "x on " + comparison.cuda_name +
                " (" + std::to_string(comparison.cuda_lanes) + " threads at a time)";
    if (f > 0) text += ", " + number_text(amdahl_limit(f)) + "x on any machine";
    return text;
}

}  // namespace tonescope
