// What is measured of a run: times of its stages, resources of its kernels, and how far it is.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/limits/occupancy.h"

namespace tonescope {

/// One stage of a run: "upload", "histogram", "table", "apply", "download", "map", "unmap", ...
struct StageTime {
    std::string_view stage;  // a string literal
    double ms = 0;
    std::chrono::steady_clock::time_point begin = {};  // of a stage on the CPU
};

using StageTimes = std::vector<StageTime>;

/// Between host and device, whatever the memory mode.
inline bool is_copy(std::string_view stage) {
    return stage == "upload" || stage == "download" || stage == "copy in" || stage == "copy out";
}

/// Milliseconds, with or without copies between host and device.
inline double sum_ms(const StageTimes& stages, bool with_copies = true) {
    double sum = 0;
    for (const StageTime& stage : stages)
        if (with_copies || !is_copy(stage.stage)) sum += stage.ms;
    return sum;
}

inline double ms_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Times a stage on the host from construction to destruction and appends it to `times` (which may be null).
class ScopedStage {
  public:
    ScopedStage(StageTimes* times, std::string_view stage) : times_(times) {
        if (times_ == nullptr) return;
        index_ = times_->size();
        times_->push_back({.stage = stage, .begin = std::chrono::steady_clock::now()});
    }
    ~ScopedStage() {
        if (times_ != nullptr) (*times_)[index_].ms = ms_since((*times_)[index_].begin);
    }
    ScopedStage(const ScopedStage&) = delete;
    ScopedStage& operator=(const ScopedStage&) = delete;

  private:
    StageTimes* times_;
    size_t index_ = 0;
};

/// What a kernel of one run takes of a GPU, as the runtime says; launches of one stage with the same block and shared
/// memory are one entry.
struct KernelResources {
    std::string_view stage;  // a string literal
    std::string kernel;      // without namespaces and template arguments
    int launches = 1;
    int registers = 0;        // a thread
    size_t shared_bytes = 0;  // a block, static and dynamic
    int block_threads = 0;
    int64_t grid_blocks = 0;            // of the largest launch
    int blocks_per_multiprocessor = 0;  // that can be resident at a time
    double occupancy_percent = 0;       // resident threads of those that a multiprocessor can hold
    size_t spilled_bytes = 0;           // of local memory a thread, for what registers have no room for
    Occupancy occupancy = {};
    std::string signature = {};  // its name with namespaces, template arguments and parameters
};

/// How much of a run is done: its threads count rows, any thread may look.
class RunProgress {
  public:
    /// `rows` are to be done; 0: nobody counts, so that the part is unknown.
    void start(int64_t rows) noexcept {
        rows_ = 0;
        done_ = 0;
        rows_ = rows;
    }
    void add(int64_t rows) noexcept { done_.fetch_add(rows, std::memory_order_relaxed); }
    /// 0 to 1; negative: unknown.
    double fraction() const noexcept {
        const int64_t rows = rows_;
        return rows > 0 ? double(done_) / double(rows) : -1;
    }

  private:
    std::atomic<int64_t> rows_{0}, done_{0};
};

}  // namespace tonescope
