#include "gpu/core/benchmark/benchmark_row.h"

#include <cmath>

namespace tonescope {

std::string ratio_text(const Ratio& ratio, std::string (*text_of)(double)) {
    return text_of(ratio.value) + "\u00d7" + (ratio.is_no_difference() ? ", no difference measured" : "");
}

const BenchmarkStage* BenchmarkRow::changed_stage() const {
    const BenchmarkStage* changed = nullptr;
    double most_ms = 0;
    for (const BenchmarkStage& own : stages) {
        if (is_copy(own.stage) || !own.basis || !own.basis->interval || own.basis->is_no_difference()) continue;
        const double gained_ms = std::abs(own.basis->value - 1) * own.time.median_ms;
        if (gained_ms <= most_ms) continue;
        most_ms = gained_ms;
        changed = &own;
    }
    return changed;
}

BenchmarkRow::Bound BenchmarkRow::bound_by(const BenchmarkTime& time) const {
    const std::optional<Ratio>& reference = time.speed_up.reference;
    if (!identical() || !amdahl || !reference || reference->value <= *amdahl) return Bound::kept;
    if (!reference->interval) return Bound::too_few_runs;
    return reference->interval->low > *amdahl ? Bound::passed : Bound::kept;
}

std::string BenchmarkRow::bound_text(const BenchmarkTime& time, std::string (*text_of)(double)) const {
    constexpr std::string_view kWords[] = {"", ", passed", ", too few runs"};
    return amdahl ? text_of(*amdahl) + std::string(kWords[size_t(bound_by(time))]) : std::string();
}

std::string BenchmarkRow::step_text(std::string (*text_of)(double)) const {
    if (!total.speed_up.basis) return {};
    std::string text;
    if (variant->backend == BackendKind::cuda && kernels.speed_up.basis)
        text = "kernels " + ratio_text(*kernels.speed_up.basis, text_of) + ", ";
    text += "total " + ratio_text(*total.speed_up.basis, text_of);
    if (const BenchmarkStage* own = changed_stage())
        text += "; " + ratio_text(*own->basis, text_of) + " on " + std::string(own->stage);
    return text;
}

}  // namespace tonescope
