#include "app/viewer/live/bandwidth.h"

#include <algorithm>
#include <utility>

namespace tonescope {
namespace {

/// A measurement takes all threads: someone who has just looked up from a slider is to be through with it.
constexpr std::chrono::milliseconds kRest{1000};

}  // namespace

bool Bandwidth::update(BackendKind backend, int device, bool still) {
    worker_.drain();
    wanted_ = still && !known_.contains(backend) && worker_.open_jobs() == 0;
    if (!still) {
        still_since_.reset();
        // Once more at the next rest: nothing comes of a job that was stopped.
        running_.request_stop();
    } else if (!still_since_) {
        still_since_ = Clock::now();
    }
    if (wanted_ && Clock::now() - *still_since_ >= kRest) {
        wanted_ = false;
        running_ = worker_.start(
            [backend, device](std::stop_token stop) {
                return backend == BackendKind::cpu ? measure_cpu_copy_gb_s(default_cpu_threads(), stop)
                                                   : measure_cuda_copy_gb_s(device, stop);
            },
            [this, backend](const Outcome<double>& outcome) {
                known_[backend] = outcome.value.value_or(0);
                changed_ = true;
            });
    }
    return std::exchange(changed_, false);
}

double Bandwidth::gb_s(BackendKind backend) const {
    const auto found = known_.find(backend);
    return found == known_.end() ? 0 : found->second;
}

double Bandwidth::next_check_s() const {
    if (!wanted_ || !still_since_) return -1;
    const std::chrono::duration<double> rest = *still_since_ + kRest - Clock::now();
    return std::max(rest.count(), 0.001);
}

}  // namespace tonescope
