// Builds without OpenCV.
#include "bench/cpu/cpu_bench.h"

namespace tonescope::bench {

std::string opencv_name() {
    return {};
}

std::optional<CpuRun> cpu_run_of_opencv(const HostImage&, const RunSpec&, const RunResult&, int) {
    return {};
}

}  // namespace tonescope::bench
