// What the window's frames cost: the UI thread's time in parts, and the GPU's time for drawing.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <numeric>

#include "gpu/core/statistics.h"
#include "ui/model/timings.h"

namespace tonescope {

using ui::FramePart;

/// All times in ms.
class FrameTimes {
  public:
    using Clock = std::chrono::steady_clock;
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
    void end_turn(bool drew) {
        if (drew || turn_.work_ms() >= kMinWork_ms) {
            ++count_;
            recent_.push_back(turn_);
            if (recent_.size() > kRecent) recent_.pop_front();
            if (turn_.work_ms() > slowest_.work_ms()) slowest_ = turn_;
        }
        turn_ = {};
    }
    void add_gpu_draw(double ms) {
        gpu_draw_ms_.push_back(ms);
        if (gpu_draw_ms_.size() > kRecent) gpu_draw_ms_.pop_front();
    }
    /// What people read of the last turns.
    struct Summary {
        Sample mean, slowest;
        double gpu_draw_ms = 0;
    };
    /// Renewed twice a second at most: figures that change with every frame could not be read, and the display would
    /// have to be drawn anew for them.
    const Summary& summary(Clock::time_point now = Clock::now()) {
        if (now - summarized_at_ >= kSummaryStays) {
            summarized_at_ = now;
            summary_ = {mean(), slowest_recent(), gpu_draw_ms()};
        }
        return summary_;
    }
    /// Forgets all times.
    void reset() {
        count_ = 0;
        recent_.clear();
        slowest_ = {};
        gpu_draw_ms_.clear();
        summarized_at_ = {};
    }

    /// Turns that counted since the start or reset().
    uint64_t count() const { return count_; }
    /// The last turns, the newest last.
    const std::deque<Sample>& recent() const { return recent_; }
    /// The mean and the slowest of recent().
    Sample mean() const {
        Sample sum;
        for (const Sample& sample : recent_)
            for (size_t part = 0; part < sum.ms.size(); ++part) sum.ms[part] += sample.ms[part];
        for (double& ms : sum.ms) ms /= double(std::max<size_t>(recent_.size(), 1));
        return sum;
    }
    Sample slowest_recent() const {
        return recent_.empty() ? Sample{} : *std::ranges::max_element(recent_, {}, &Sample::work_ms);
    }
    /// The turn with the most work since the start or reset().
    const Sample& slowest() const { return slowest_; }
    /// Median of the last frames; 0: not known.
    double gpu_draw_ms() const {
        return gpu_draw_ms_.empty() ? 0 : summarize({gpu_draw_ms_.begin(), gpu_draw_ms_.end()}).median_ms;
    }

  private:
    static constexpr int kOutside = -1;
    static constexpr auto kSummaryStays = std::chrono::milliseconds(500);
    static constexpr size_t kRecent = 64;
    static constexpr double kMinWork_ms = 1;

    void enter(int part) {
        const Clock::time_point now = Clock::now();
        if (part_ != kOutside)
            turn_.ms[size_t(part_)] += std::chrono::duration<double, std::milli>(now - since_).count();
        part_ = part;
        since_ = now;
    }

    int part_ = kOutside;
    Clock::time_point since_;
    Sample turn_;
    uint64_t count_ = 0;
    std::deque<Sample> recent_;
    Sample slowest_;
    std::deque<double> gpu_draw_ms_;
    Summary summary_;
    Clock::time_point summarized_at_{};
};

}  // namespace tonescope
