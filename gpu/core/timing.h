// Times of the stages of one run.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tonescope {

/// One stage of a run: "upload", "histogram", "table", "apply", "download", "map", "unmap", ...
struct StageTime {
    std::string_view stage;  // a string literal
    double ms = 0;
    uint64_t bytes = 0;  // memory the stage reads and writes at least; 0 where that says nothing
};

using StageTimes = std::vector<StageTime>;

/// Between host and device, whatever the memory mode.
inline bool is_copy(std::string_view stage) {
    return stage == "upload" || stage == "download" || stage == "copy in" || stage == "copy out";
}

/// Times a stage on the host from construction to destruction and appends it to `times` (which may be null).
class ScopedStage {
  public:
    ScopedStage(StageTimes* times, std::string_view stage, uint64_t bytes = 0)
        : times_(times), stage_(stage), bytes_(bytes), begin_(std::chrono::steady_clock::now()) {}
    ~ScopedStage() {
        if (times_ == nullptr) return;
        const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - begin_;
        times_->push_back({stage_, ms.count(), bytes_});
    }
    ScopedStage(const ScopedStage&) = delete;
    ScopedStage& operator=(const ScopedStage&) = delete;

  private:
    StageTimes* times_;
    std::string_view stage_;
    uint64_t bytes_;
    std::chrono::steady_clock::time_point begin_;
};

}  // namespace tonescope
