// Round trips of a live session, from host memory and back, on a thread and a stream of their own, since
// their copies block.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>

#include "gpu/cuda/runtime/worker.h"
#include "gpu/cuda/session/round_trip.h"

namespace tonescope {

/// All calls come from the UI thread and return at once.
class LiveRoundTrip {
  public:
    struct Result {
        std::shared_ptr<const HostImage> image;  // null for operators that make bins
        std::optional<DisplayHistogram> histogram;
        RunResult run;  // without the image
    };

    /// `wake` is called from the worker when a run has ended.
    LiveRoundTrip(int device, std::function<void()> wake) : device_(device), wake_(std::move(wake)) {}
    ~LiveRoundTrip() { stop(); }

    /// Begins a run, once take() has been called for the one before or its result is not wanted.
    void start(std::shared_ptr<const HostImage> image, const RunSpec& spec);
    /// The run begun last has ended, one way or another.
    bool finished() const;
    /// Once finished. Throws what RoundTrip::run throws.
    Result take() { return result_.get(); }
    /// Lets the run end as soon as it can; it gives no result then.
    void give_up() { stop_.request_stop(); }
    /// Gives back the memory that earlier runs needed.
    void release();
    void stop();

  private:
    Result run(const std::shared_ptr<const HostImage>& image, const RunSpec& spec, std::stop_token stop);

    int device_;
    std::function<void()> wake_;
    std::unique_ptr<RoundTrip> run_;  // the worker's, made by the first run
    bool holds_memory_ = false;
    std::stop_source stop_;
    std::future<Result> result_;
    Worker worker_;
};

}  // namespace tonescope
