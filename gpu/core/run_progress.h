// How much of a run is done.
#pragma once

#include <atomic>
#include <cstdint>

namespace tonescope {

/// The threads of a run count rows, any thread may look.
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
