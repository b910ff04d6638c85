// Work off the UI thread: jobs run on worker threads, what is to be done with their outcome runs on the UI thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "gpu/core/backend.h"

namespace tonescope {

/// A value, or the one-line error that came in its place, or neither when the job was cancelled.
template <class T>
struct Outcome {
    std::optional<T> value;
    std::string error;
};

/// Errors are shown in one line.
std::string first_line(const std::string& text);

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
        using T = std::invoke_result_t<Work, std::stop_token>;
        std::stop_source stop;
        enqueue(
            [this, stop, work = std::move(work), done = std::move(done)]() mutable {
                if (stop.stop_requested()) return;
                auto outcome = std::make_shared<Outcome<T>>();
                try {
                    outcome->value.emplace(work(stop.get_token()));
                } catch (const Cancelled&) {
                } catch (const std::bad_alloc&) {
                    outcome->error = "not enough memory";
                } catch (const std::exception& error) {
                    outcome->error = first_line(error.what());
                }
                post([stop, outcome, done = std::move(done)]() mutable {
                    if (!stop.stop_requested()) done(std::move(*outcome));
                });
            },
            stop);
        return stop;
    }

    /// Jobs that have not begun never do; those that run are asked to stop.
    void abandon();
    /// On the UI thread: runs what finished jobs have left to do. True when there was something.
    bool drain();
    /// Jobs waiting or running.
    int open_jobs() const;
    /// Those among them that nobody has asked to stop: a job that hangs on a dead disk may never notice.
    int awaited_jobs() const;

  private:
    void enqueue(std::function<void()> job, std::stop_source stop);
    void post(std::function<void()> done);
    void work(std::stop_token quit);

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::pair<std::function<void()>, std::stop_source>> jobs_;
    std::vector<std::stop_source> running_;
    std::vector<std::function<void()>> finished_;
    int open_ = 0;
    std::vector<std::jthread> threads_;  // last: they use everything above
};

}  // namespace tonescope
