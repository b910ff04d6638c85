// The bandwidth of the memory in use, measured once for each backend while the program has nothing else to do.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <optional>
#include <stop_token>

#include "app/system/tasks.h"
#include "gpu/core/backend.h"

namespace tonescope {

class Bandwidth {
  public:
    explicit Bandwidth(Tasks& tasks) : tasks_(tasks) {}

    /// To be called between frames. `still`: nothing is computed or measured.
    void update(BackendKind backend, int device, bool still) {
        wanted_ = still && !known_.contains(backend) && !is_running_;
        if (!still) {
            still_since_.reset();
            // The next rest starts a new job: nothing comes of one that was stopped.
            running_.request_stop();
            is_running_ = false;
        } else if (!still_since_) {
            still_since_ = Clock::now();
        }
        if (!wanted_ || Clock::now() - *still_since_ < kRest) return;
        wanted_ = false;
        is_running_ = true;
        running_ = tasks_.start(
            [backend, device](std::stop_token stop) {
                return backend == BackendKind::cpu ? measure_cpu_copy_gb_s(default_cpu_threads(), stop)
                                                   : measure_cuda_copy_gb_s(device, stop);
            },
            [this, backend](const Outcome<double>& outcome) {
                known_[backend] = outcome.value.value_or(0);
                is_running_ = false;
            });
    }
    /// The bandwidth, GB/s; 0 while it is not known.
    double gb_s(BackendKind backend) const {
        const auto found = known_.find(backend);
        return found == known_.end() ? 0 : found->second;
    }
    /// Seconds until update() should be called although nothing happens; infinite: it need not be.
    double next_check_s() const {
        if (!wanted_) return std::numeric_limits<double>::infinity();
        const std::chrono::duration<double> rest = *still_since_ + kRest - Clock::now();
        return std::max(rest.count(), 0.001);
    }

  private:
    using Clock = std::chrono::steady_clock;
    /// A measurement takes all threads: someone who has just looked up from a slider is to be through with it.
    static constexpr std::chrono::milliseconds kRest{1000};

    Tasks& tasks_;
    std::map<BackendKind, double> known_;  // 0: it cannot be measured
    std::optional<Clock::time_point> still_since_;
    std::stop_source running_;
    bool wanted_ = false, is_running_ = false;
};

}  // namespace tonescope
