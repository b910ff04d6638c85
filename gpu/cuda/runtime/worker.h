// One thread that does CUDA jobs which block, in the order in which they come.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace tonescope {

class Worker {
  public:
    Worker() : thread_([this](std::stop_token stop) { work(stop); }) {}
    /// Jobs may not throw.
    void post(std::function<void()> job) {
        {
            const std::lock_guard lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        changed_.notify_one();
    }
    /// Finishes every job and ends the thread.
    void stop() {
        thread_.request_stop();
        if (thread_.joinable()) thread_.join();
    }
    ~Worker() { stop(); }

  private:
    void work(std::stop_token stop) {
        while (true) {
            std::function<void()> job;
            {
                std::unique_lock lock(mutex_);
                if (!changed_.wait(lock, stop, [this] { return !jobs_.empty(); })) return;
                job = std::move(jobs_.front());
                jobs_.pop_front();
            }
            job();
        }
    }

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::function<void()>> jobs_;
    std::jthread thread_;  // last: it uses everything above
};

}  // namespace tonescope
