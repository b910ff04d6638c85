#include "bench/stage_samples.h"

#include <algorithm>

#include "gpu/core/statistics.h"

namespace tonescope::bench {

void StageSamples::add(const StageTimes& stages) {
    if (samples_ms_.empty()) samples_ms_.resize(stages.size());
    for (size_t i = 0; i < std::min(stages.size(), samples_ms_.size()); ++i) {
        samples_ms_[i].first = stages[i].stage;
        samples_ms_[i].second.push_back(stages[i].ms);
    }
}

std::vector<std::pair<std::string, double>> StageSamples::medians_ms() const {
    std::vector<std::pair<std::string, double>> medians;
    for (const auto& [name, values] : samples_ms_) medians.emplace_back(name, summarize(values).median_ms);
    return medians;
}

}  // namespace tonescope::bench
