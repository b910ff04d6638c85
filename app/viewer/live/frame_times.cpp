#include "app/viewer/live/frame_times.h"

#include <algorithm>

#include "gpu/core/statistics.h"

namespace tonescope {
namespace {

constexpr size_t kRecent = 64;
constexpr double kCounts_ms = 1;

}  // namespace

void FrameTimes::enter(int part) {
    const Clock::time_point now = Clock::now();
    if (part_ != kOutside) turn_.ms[size_t(part_)] += std::chrono::duration<double, std::milli>(now - since_).count();
    part_ = part;
    since_ = now;
}

void FrameTimes::end_turn(bool drew) {
    if (drew || turn_.work_ms() >= kCounts_ms) {
        ++count_;
        recent_.push_back(turn_);
        if (recent_.size() > kRecent) recent_.pop_front();
        if (turn_.work_ms() > slowest_.work_ms()) slowest_ = turn_;
    }
    turn_ = {};
}

void FrameTimes::add_gpu_draw(double ms) {
    gpu_draw_ms_.push_back(ms);
    if (gpu_draw_ms_.size() > kRecent) gpu_draw_ms_.pop_front();
}

void FrameTimes::reset() {
    count_ = 0;
    recent_.clear();
    slowest_ = {};
    gpu_draw_ms_.clear();
}

FrameTimes::Sample FrameTimes::mean() const {
    Sample sum;
    for (const Sample& sample : recent_)
        for (size_t part = 0; part < sum.ms.size(); ++part) sum.ms[part] += sample.ms[part];
    for (double& ms : sum.ms) ms /= double(std::max<size_t>(recent_.size(), 1));
    return sum;
}

FrameTimes::Sample FrameTimes::slowest_recent() const {
    return recent_.empty() ? Sample{} : *std::ranges::max_element(recent_, {}, &Sample::work_ms);
}

double FrameTimes::gpu_draw_ms() const {
    return gpu_draw_ms_.empty() ? 0 : summarize({gpu_draw_ms_.begin(), gpu_draw_ms_.end()}).median_ms;
}

}  // namespace tonescope
