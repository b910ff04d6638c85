#include "gpu/cpu/roofs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "gpu/core/backend.h"
#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"

namespace tonescope {
namespace {

constexpr int kLanes = 64, kSteps = 20000, kRounds = 5;
using Words = std::array<uint32_t, kLanes>;

/// An addition and an exclusive or for each of kLanes words and kSteps steps.
TONESCOPE_HOT_LOOP void count_operations(Words& words, uint32_t change) {
    Words sums = words;
    for (int step = 0; step < kSteps; ++step)
        for (uint32_t& sum : sums) sum = (sum + change) ^ uint32_t(step);
    words = sums;
}

double operations_g_s(int threads, const std::stop_token& stop) {
    std::atomic<uint32_t> kept = 0;
    double best_ms = 1e9;
    for (int round = 0; round < kRounds; ++round) {
        if (stop.stop_requested()) return 0;
        const auto begin = std::chrono::steady_clock::now();
        parallel_for(threads, threads * 16, 1, [&](int64_t k) {
            Words words{};
            run_hot<count_operations>(words, uint32_t(k));
            kept += words[0];
        });
        best_ms = std::min(best_ms, ms_since(begin));
    }
    return 2.0 * kLanes * kSteps * 16 * threads / best_ms * 1e-6;
}

}  // namespace

Roofs measure_cpu_roofs(int threads, std::stop_token stop) {
    return {.memory_gb_s = measure_cpu_copy_gb_s(threads, stop), .operations_g_s = operations_g_s(threads, stop)};
}

}  // namespace tonescope
