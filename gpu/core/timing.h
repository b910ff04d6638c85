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

inline double ms_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Times a stage on the host from construction to destruction and appends it to `times` (which may be null).
class ScopedStage {
  public:
    ScopedStage(StageTimes* times, std::string_view stage, uint64_t bytes = 0)
        : times_(times), stage_(stage), bytes_(bytes), begin_(std::chrono::steady_clock::now()) {}
    ~ScopedStage() {
        if (times_ != nullptr) times_->push_back({stage_, ms_since(begin_), bytes_});
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
