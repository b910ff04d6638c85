// The stages of many runs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gpu/core/timing.h"

namespace tonescope::bench {

class StageSamples {
  public:
    void add(const StageTimes& stages);
    /// Medians in milliseconds, in the order in which stages began.
    std::vector<std::pair<std::string, double>> medians_ms() const;

  private:
    std::vector<std::pair<std::string, std::vector<double>>> samples_ms_;
};

}  // namespace tonescope::bench
