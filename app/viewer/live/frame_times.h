// What the window's frames cost: the UI thread's time in parts, and the GPU's time for drawing.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <numeric>

#include "ui/model/timings.h"

namespace tonescope {

using ui::FramePart;

/// All times in ms.
class FrameTimes {
  public:
    struct Sample {
        std::array<double, ui::kFramePartNames.size()> ms{};
        double of(FramePart part) const { return ms[size_t(part)]; }
        /// The work: all but the wait for the display.
        double work_ms() const { return std::accumulate(ms.begin(), ms.end(), 0.0) - of(FramePart::wait); }
    };

    /// Time goes to `part` from construction to destruction, without what inner scopes take.
    class [[nodiscard]] Scope {
      public:
        Scope(FrameTimes& times, FramePart part) : times_(times), outer_(times.part_) { times_.enter(int(part)); }
        ~Scope() { times_.enter(outer_); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        FrameTimes& times_;
        int outer_;
    };

    /// Ends a turn of the loop. Turns that neither drew nor worked for a millisecond do not count.
    void end_turn(bool drew);
    void add_gpu_draw(double ms);
    /// Starts anew.
    void reset();

    /// Turns that counted since the start or reset().
    uint64_t count() const { return count_; }
    /// The last turns, newest last.
    const std::deque<Sample>& recent() const { return recent_; }
    /// Of those.
    Sample mean() const;
    Sample slowest_recent() const;
    /// The turn with the most work since the start or reset().
    const Sample& slowest() const { return slowest_; }
    /// Median of the last frames; 0: not known.
    double gpu_draw_ms() const;

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr int kOutside = -1;

    void enter(int part);

    int part_ = kOutside;
    Clock::time_point since_;
    Sample turn_;
    uint64_t count_ = 0;
    std::deque<Sample> recent_;
    Sample slowest_;
    std::deque<double> gpu_draw_ms_;
};

}  // namespace tonescope
