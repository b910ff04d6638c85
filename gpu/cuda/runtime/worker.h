// One thread that does CUDA jobs which block, in the order in which they come.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

namespace tonescope {

template <class Future>
bool is_ready(const Future& future) {
    return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

class Worker {
  public:
    /// `wake` is called on the thread behind each job.
    explicit Worker(std::function<void()> wake)
        : wake_(std::move(wake)), thread_([this](std::stop_token stop) { work(stop); }) {}
    /// The future gets what the job returns or throws.
    template <class Job>
    auto post(Job job) {
        std::packaged_task<std::invoke_result_t<Job&>()> task(std::move(job));
        auto result = task.get_future();
        {
            const std::lock_guard lock(mutex_);
            jobs_.emplace_back(std::move(task));
        }
        changed_.notify_one();
        return result;
    }
    /// Finishes every job and ends the thread.
    void stop() {
        thread_.request_stop();
        if (thread_.joinable()) thread_.join();
    }

  private:
    void work(std::stop_token stop) {
        while (true) {
            std::packaged_task<void()> job;
            {
                std::unique_lock lock(mutex_);
                if (!changed_.wait(lock, stop, [this] { return !jobs_.empty(); })) return;
                job = std::move(jobs_.front());
                jobs_.pop_front();
            }
            job();
            job = {};  // what it held is free before anybody is woken
            wake_();
        }
    }

    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::packaged_task<void()>> jobs_;
    std::jthread thread_;  // last: it uses everything above
};

}  // namespace tonescope
