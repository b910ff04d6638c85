// What is said of a variant benchmark in words.
#include "app/benchmark/variant_benchmark.h"

namespace tonescope {

std::string subject_title(const VariantBenchmark& benchmark) {
    if (!benchmark.by_memory_mode) return "every variant compared";
    return std::string(benchmark.rows.back().variant->name) + " in every memory mode";
}

std::string basis_title(const VariantBenchmark& benchmark) {
    return benchmark.by_memory_mode ? std::string(kMemoryModeIds[0]) : "what it builds on";
}

std::string clock_text(const VariantBenchmark& benchmark) {
    std::string slow;
    for (const BenchmarkRow& row : benchmark.rows)
        if (row.ran() && row.low_clock_percent > 0)
            slow += (slow.empty() ? "" : ", ") + row.name() + " (" + number_text(row.low_clock_percent) + " %)";
    std::string text;
    if (!slow.empty()) text = "Measured at a lower clock than others, because it stayed low: " + slow;
    const double best = benchmark.best_cuda_mhz, nominal = benchmark.nominal_cuda_mhz;
    if (nominal > 0 && best > 0 && best < kLeastClock * nominal)
        text += (text.empty() ? "" : ". ") + std::string("The GPU ran at ") + number_text(best) + " MHz at most, of " +
                number_text(nominal) + " that it is made for";
    return text;
}

std::string roofs_text(const VariantBenchmark& benchmark) {
    std::string text;
    for (const BackendKind backend : {BackendKind::cpu, BackendKind::cuda}) {
        const Roofs& roofs = benchmark.roofs(backend);
        if (!roofs.are_known()) continue;
        text += (text.empty() ? "" : ". ") + (backend == BackendKind::cpu ? benchmark.cpu_name : benchmark.cuda_name) +
                " reaches at most: ";
        const char* between = "";
        for (const Resource& resource : resources()) {
            const double rate = roofs.*resource.roof;
            if (rate <= 0) continue;
            text += between + std::string(resource.name) + " " + number_text(rate) + " " + std::string(resource.unit);
            between = ", ";
        }
        if (roofs.launch_ms > 0) text += "; an empty kernel takes " + number_text(1000 * roofs.launch_ms) + " \u00b5s";
    }
    return text;
}

std::optional<double> amdahl_limit(const VariantBenchmark& benchmark) {
    if (!benchmark.sequential || *benchmark.sequential <= 0) return {};
    return amdahl_bound(*benchmark.sequential);
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
        if (row.ran() && row.bound_by(row.compute) == BenchmarkRow::Bound::passed)
            past += (past.empty() ? "" : ", ") + std::string(row.variant->name) + " (" +
                    number_text(row.compute.speed_up.reference->value) + "\u00d7)";
    if (!past.empty())
        text += ". Past it, by what the law leaves out (vector instructions, caches, less work): " + past;
    return text;
}

}  // namespace tonescope
