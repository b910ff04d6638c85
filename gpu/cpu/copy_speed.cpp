// The memory's bandwidth, by copying between two buffers with all threads.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

#include "gpu/core/backend.h"

namespace tonescope {
namespace {

constexpr size_t kChunk_bytes = size_t{1} << 20;
constexpr int kChunks = 128;
constexpr int kRuns = 5;

}  // namespace

double measure_cpu_copy_gb_s(int threads, std::stop_token stop) {
    constexpr size_t bytes = kChunk_bytes * kChunks;
    const auto from = std::make_unique_for_overwrite<uint8_t[]>(bytes);
    const auto to = std::make_unique_for_overwrite<uint8_t[]>(bytes);
    // Whoever touches a page first gets it near.
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = 0; k < kChunks; ++k) {
        std::memset(from.get() + size_t(k) * kChunk_bytes, k, kChunk_bytes);
        std::memset(to.get() + size_t(k) * kChunk_bytes, 0, kChunk_bytes);
    }
    double best_s = 1e9;
    for (int run = 0; run < kRuns; ++run) {
        if (stop.stop_requested()) return 0;
        const auto begin = std::chrono::steady_clock::now();
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int k = 0; k < kChunks; ++k)
            std::memcpy(to.get() + size_t(k) * kChunk_bytes, from.get() + size_t(k) * kChunk_bytes, kChunk_bytes);
        const std::chrono::duration<double> s = std::chrono::steady_clock::now() - begin;
        best_s = std::min(best_s, s.count());
    }
    return 2.0 * double(bytes) / best_s * 1e-9;
}

}  // namespace tonescope
