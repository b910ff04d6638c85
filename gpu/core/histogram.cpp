#include "gpu/core/histogram.h"

#include <cmath>

namespace tonescope {

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
