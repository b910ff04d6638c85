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

HistogramStatistics statistics_of(std::span<const uint32_t> counts) {
    HistogramStatistics result;
    uint64_t sum = 0;
    int min = -1;
    for (int v = 0; v < int(counts.size()); ++v) {
        const uint64_t count = counts[size_t(v)];
        if (count == 0) continue;
        if (min < 0) min = v;
        result.max = v;
        result.pixels += count;
        sum += count * uint64_t(v);
    }
    if (result.pixels == 0) return result;
    result.min = min;
    const auto n = double(result.pixels);
    result.mean = double(sum) / n;
    double variance = 0;
    for (int v = 0; v < int(counts.size()); ++v) {
        const double p = counts[size_t(v)] / n, d = v - result.mean;
        variance += p * d * d;
        if (p > 0) result.entropy_bits -= p * std::log2(p);
    }
    result.deviation = std::sqrt(variance);
    return result;
}

}  // namespace tonescope
