// Median and spread of repeated measurements, and what a speed-up can reach at most.
#pragma once

#include <vector>

namespace tonescope {

/// Median and spread over the runs, milliseconds.
struct TimeSummary {
    double median_ms = 0, p10_ms = 0, p90_ms = 0;
};

/// Percentiles are interpolated between neighbouring values. `values_ms` holds one value or more.
TimeSummary summarize(std::vector<double> values_ms);

/// Amdahl's law: how many times as fast a program can get on `workers` when the share `sequential` (0 to 1) of its time
/// cannot be spread: 1 / (f + (1 - f) / N).
double amdahl_bound(double sequential, double workers);
/// ... and on any number of them: 1 / f, infinite where f is 0.
double amdahl_limit(double sequential);

}  // namespace tonescope
