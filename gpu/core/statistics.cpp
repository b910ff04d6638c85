#include "gpu/core/statistics.h"

#include <algorithm>
#include <cmath>

namespace tonescope {

TimeSummary summarize(std::vector<double> values_ms) {
    std::ranges::sort(values_ms);
    const auto percentile = [&](double p) {
        const double at = p * double(values_ms.size() - 1);
        const size_t below = size_t(at), above = std::min(below + 1, values_ms.size() - 1);
        return values_ms[below] + (at - double(below)) * (values_ms[above] - values_ms[below]);
    };
    return {percentile(0.5), percentile(0.1), percentile(0.9)};
}

double amdahl_bound(double sequential, double workers) {
    return 1 / (sequential + (1 - sequential) / workers);
}

}  // namespace tonescope
