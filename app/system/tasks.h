// Work off the UI thread: jobs run on worker threads, what is to be done with their outcome runs on the UI thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "gpu/core/backend.h"

namespace tonescope {

/// A value, or the one-line error that came in its place, or neither when the job was canceled.
template <class T>
struct Outcome {
    std::optional<T> value;
    std::string error;
};

/// Errors are shown in one line.
std::string first_line(const std::string& text);

/// Whether get() would return at once.
template <class Future>
bool is_ready(const Future& future) {
    return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

class Tasks {
  public:
    /// `wake` may be called from any thread when drain() has something to do.
    Tasks(int threads, std::function<void()> wake);
    /// Cancels what runs and waits for it.
    ~Tasks();

    /// Runs `work(stop)` on a worker and then `done(Outcome)` in drain(), unless the returned source was stopped
    /// before.
    template <class Work, class Done>
    std::stop_source start(Work work, Done done) {
        return look_up({}, std::move(work), std::move(done));
    }
    /// As start(), for a job that waits for a disk or another program, which may take for ever, and whose outcome
    /// nobody needs once it is canceled. `what` is shown while it takes long.
    template <class Work, class Done>
    std::stop_source look_up(std::string what, Work work, Done done) {
        const auto outcome = std::make_shared<Outcome<std::invoke_result_t<Work, std::stop_token>>>();
        return enqueue({
            .look_up = std::move(what),
            .work = [outcome, work = std::move(work)](
                        std::stop_token stop) mutable { outcome->value.emplace(work(std::move(stop))); },
            .done =
                [outcome, done = std::move(done)](std::string error) mutable {
                    outcome->error = std::move(error);
                    done(std::move(*outcome));
                },
        });
    }
    /// After this, no `done` of a look-up is called. A job that hangs keeps its thread.
    void cancel_look_ups();
    /// Drains until no look-up is left, or for as long as `patience`: for a moment at which nobody could see more.
    void await_look_ups(std::chrono::milliseconds patience);
    /// What the oldest look-up does; empty: there is none.
    std::string oldest_look_up() const;
    bool looks_up(std::string_view what) const;

    /// Jobs that have not begun never do; those that run are asked to stop.
    void abandon();
    /// On the UI thread: runs what finished jobs have left to do. True when there was something.
    bool drain();
    /// Jobs waiting, running or not drained.
    int open_jobs() const;
    /// Those among them that nobody has asked to stop: a job that hangs on a dead disk may never notice.
    int awaited_jobs() const;

  private:
    struct Job {
        enum class State { waiting, running, finished };
        std::string look_up;  // empty: it is none
        std::function<void(std::stop_token)> work;
        std::function<void(std::string error)> done;
        std::stop_source stop = {};
        std::string error = {};
        State state = State::waiting;
        bool is_awaited() const { return !stop.stop_requested(); }
    };

    std::stop_source enqueue(Job job);
    void run_jobs(std::stop_token quit);

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::list<Job> jobs_;                // in the order in which they were started
    std::vector<std::jthread> threads_;  // last: they use everything above
};

}  // namespace tonescope
