#include "gpu/core/limits/roofs.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

namespace tonescope {
namespace {

constexpr int kRepeats = 3;
constexpr auto kRest = std::chrono::milliseconds(50);

}  // namespace

Roofs roofs_once(const std::string& machine, const std::function<Roofs()>& measure, const std::function<double()>& mhz,
                 const std::stop_token& stop) {
    static std::mutex mutex;
    static auto* const known = new std::map<std::string, Roofs>;  // never freed
    const std::lock_guard lock(mutex);
    if (const auto found = known->find(machine); found != known->end()) return found->second;
    double best_mhz = mhz();
    Roofs roofs;
    for (int repeats = 0; repeats <= kRepeats && !stop.stop_requested(); ++repeats) {
        if (repeats > 0) std::this_thread::sleep_for(kRest);
        roofs = measure();
        roofs.mhz = mhz();
        best_mhz = std::max(best_mhz, roofs.mhz);
        if (roofs.mhz >= kLeastClock * best_mhz) break;
    }
    if (!stop.stop_requested()) known->emplace(machine, roofs);
    return roofs;
}

}  // namespace tonescope
