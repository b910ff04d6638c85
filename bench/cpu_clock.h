// Samples by the host's clock.
#pragma once

#include <chrono>
#include <vector>

namespace tonescope::bench {

inline constexpr size_t kLeastSamples = 5, kMostSamples = 2000;

/// Calls run() once to warm up, then for about `seconds`, at least kLeastSamples times. Milliseconds of each.
template <class Run>
std::vector<double> sample_on_host(double seconds, Run&& run) {
    using Clock = std::chrono::steady_clock;
    run();
    std::vector<double> samples;
    const Clock::time_point begin = Clock::now();
    for (Clock::time_point now = begin; samples.size() < kMostSamples;) {
        run();
        const Clock::time_point end = Clock::now();
        samples.push_back(std::chrono::duration<double, std::milli>(end - now).count());
        now = end;
        if (samples.size() >= kLeastSamples && std::chrono::duration<double>(now - begin).count() > seconds) break;
    }
    return samples;
}

}  // namespace tonescope::bench
