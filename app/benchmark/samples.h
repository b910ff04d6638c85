// What was measured of one row of the variant benchmark, round by round.
#pragma once

#include <map>
#include <string_view>

#include "gpu/core/benchmark/benchmark_row.h"
#include "gpu/core/limits/roofs.h"

namespace tonescope {

/// Of one round, ms: of a run that is not traced, and of a traced one, which is the same on the CPU.
struct Sample {
    double total = 0, compute = 0;
    double traced = 0, kernels = 0, host = 0;  // `traced`: the total of the traced run; 0 on the CPU
    double mhz = 0;                            // what the processor ran at; 0 where nobody knows
};

/// Times by round; NaN where the row took no part.
struct Samples {
    RoundTimes total, compute, traced, kernels, host, mhz;
    std::map<std::string_view, RoundTimes> stages;
    StageTimes last;  // of the last run: which stages there are, in their order

    void add(size_t round, const StageTimes& run, const Sample& sample);
    int runs() const;
    /// A copy without the rounds in which the clock was below `least_mhz`.
    Samples at_clock(double least_mhz) const;
};

}  // namespace tonescope
