// Answers to the newest request, for what is shown beside the result.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "app/system/tasks.h"

namespace tonescope {

/// A worker takes one request at a time, and then the newest. Its result stays until the next one is there. Used from
/// the UI thread alone.
template <class Request, class Result>
class NewestJob {
  public:
    using Work = std::function<Result(const Request&, std::stop_token)>;
    NewestJob(Tasks& tasks, Work work) : tasks_(tasks), work_(std::move(work)) {}

    /// Says what the result is to be of; to be called between frames.
    void want(const Request& request) {
        wanted_ = request;
        if (!is_running_ && done_ != wanted_) start();
    }
    /// Stops a running job. The last result stays.
    void stop() {
        running_.request_stop();
        is_running_ = false;
        wanted_.reset();
        done_.reset();
    }
    /// The same, and drops the result.
    void forget() {
        stop();
        result_.reset();
        error_.clear();
    }
    const std::optional<Request>& wanted() const { return wanted_; }
    bool is_up_to_date() const { return wanted_ && done_ == wanted_; }
    bool busy() const { return is_running_; }
    /// The result of the newest request that was worked off; empty where it failed.
    const std::optional<Result>& result() const { return result_; }
    /// Why there is no result, one line; empty where it did not fail.
    const std::string& error() const { return error_; }

  private:
    void start() {
        is_running_ = true;
        running_ =
            tasks_.start([work = work_, request = *wanted_](std::stop_token stop) { return work(request, stop); },
                         [this, request = *wanted_](Outcome<Result> outcome) {
                             is_running_ = false;
                             done_ = request;
                             result_ = std::move(outcome.value);
                             error_ = std::move(outcome.error);
                         });
    }

    Tasks& tasks_;
    Work work_;
    std::optional<Request> wanted_, done_;
    std::optional<Result> result_;
    std::string error_;
    std::stop_source running_;
    bool is_running_ = false;
};

}  // namespace tonescope
