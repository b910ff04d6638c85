// Times CPU rungs, and OpenCV beside them where it was found.
#pragma once

#include <optional>
#include <string>

#include "bench/answer.h"

namespace tonescope::bench {

/// Wall-clock times of a rung on host buffers, after a warm-up.
Timing time_cpu_rung(const HostImage& input, const RunSpec& spec, const Answer& expected, int threads, double seconds,
                     bool stages);

/// OpenCV's function for this operator with these parameters and as many threads; empty where there is none or the
/// program was built without OpenCV.
std::optional<Timing> time_opencv(const HostImage& input, const RunSpec& spec, const Answer& expected, int threads,
                                  double seconds);
/// "OpenCV 4.6.0"; empty without OpenCV.
std::string opencv_name();

}  // namespace tonescope::bench
