#include "app/benchmark/samples.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tonescope {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void put(RoundTimes& times, size_t round, double ms) {
    if (times.size() <= round) times.resize(round + 1, kNone);
    times[round] = ms;
}

}  // namespace

void Samples::add(size_t round, const StageTimes& run, const Sample& sample) {
    std::map<std::string_view, double> by_stage;
    for (const StageTime& stage : run) by_stage[stage.stage] += stage.ms;
    for (const auto& [stage, ms] : by_stage) put(stages[stage], round, ms);
    put(total, round, sample.total);
    put(compute, round, sample.compute);
    put(traced, round, sample.traced);
    put(kernels, round, sample.kernels);
    put(host, round, sample.host);
    put(mhz, round, sample.mhz);
    last = run;
}

int Samples::runs() const {
    return int(std::ranges::count_if(total, [](double ms) { return !std::isnan(ms); }));
}

Samples Samples::at_clock(double least_mhz) const {
    Samples fast = *this;
    const auto leave_out = [&](RoundTimes& times) {
        for (size_t round = 0; round < std::min(times.size(), mhz.size()); ++round)
            if (mhz[round] < least_mhz) times[round] = kNone;
    };
    for (RoundTimes* times : {&fast.total, &fast.compute, &fast.traced, &fast.kernels, &fast.host}) leave_out(*times);
    for (auto& [stage, times] : fast.stages) leave_out(times);
    return fast;
}

}  // namespace tonescope
