// Builds without OpenCV.
#include "bench/cpu_lab.h"

namespace tonescope::bench {

std::string opencv_name() {
    return {};
}

std::optional<Timing> time_opencv(const HostImage&, const RunSpec&, const Answer&, int, double) {
    return {};
}

}  // namespace tonescope::bench
