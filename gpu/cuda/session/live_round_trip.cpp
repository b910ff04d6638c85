#include "gpu/cuda/session/live_round_trip.h"

#include <chrono>
#include <exception>
#include <utility>

namespace tonescope {

void LiveRoundTrip::start(std::shared_ptr<const HostImage> image, const RunSpec& spec) {
    holds_memory_ = true;
    stop_ = {};
    auto promise = std::make_shared<std::promise<Result>>();
    result_ = promise->get_future();
    worker_.post([this, image = std::move(image), spec, stop = stop_.get_token(), promise] {
        try {
            promise->set_value(run(image, spec, stop));
        } catch (...) {
            promise->set_exception(std::current_exception());
        }
        wake_();
    });
}

LiveRoundTrip::Result LiveRoundTrip::run(const std::shared_ptr<const HostImage>& image, const RunSpec& spec,
                                         std::stop_token stop) {
    if (!run_) run_ = std::make_unique<RoundTrip>(device_);
    Result result;
    DisplayHistogram histogram;
    result.run = run_->run(image->view(), spec, stop, true, &histogram);
    if (result.run.image.empty()) return result;
    result.histogram = histogram;
    result.image = std::make_shared<const HostImage>(std::move(result.run.image));
    return result;
}

bool LiveRoundTrip::finished() const {
    return result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

void LiveRoundTrip::release() {
    if (!std::exchange(holds_memory_, false)) return;
    worker_.post([this] { run_.reset(); });
}

void LiveRoundTrip::stop() {
    give_up();
    worker_.stop();
}

}  // namespace tonescope
