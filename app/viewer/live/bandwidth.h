// The bandwidth of the memory in use, measured once for each backend while the program has nothing else to do.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>

#include "app/system/tasks.h"
#include "gpu/core/backend.h"

namespace tonescope {

class Bandwidth {
  public:
    /// `wake` may be called from any thread.
    explicit Bandwidth(std::function<void()> wake) : worker_(1, std::move(wake)) {}

    /// Between frames. `still`: nothing is computed or measured. True when gb_s() has changed.
    bool update(BackendKind backend, int device, bool still);
    /// GB/s; 0 while it is not known.
    double gb_s(BackendKind backend) const;
    /// When update() should be called again although nothing happens, seconds; negative: no need.
    double next_check_s() const;

  private:
    using Clock = std::chrono::steady_clock;

    std::map<BackendKind, double> known_;  // 0: it cannot be measured
    std::optional<Clock::time_point> still_since_;
    bool wanted_ = false, changed_ = false;
    std::stop_source running_;
    Tasks worker_;  // last: its thread uses what stands above
};

}  // namespace tonescope
