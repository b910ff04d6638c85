#include "app/system/tasks.h"

#include <algorithm>

namespace tonescope {

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

Tasks::Tasks(int threads, std::function<void()> wake) : wake_(std::move(wake)) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this](std::stop_token quit) { work(quit); });
}

Tasks::~Tasks() {
    for (std::jthread& thread : threads_) thread.request_stop();
    {
        std::lock_guard lock(mutex_);
        for (std::stop_source& stop : running_) stop.request_stop();
    }
    threads_.clear();  // joins
}

void Tasks::abandon() {
    std::lock_guard lock(mutex_);
    for (auto& [job, stop] : jobs_) stop.request_stop();
    for (std::stop_source& stop : running_) stop.request_stop();
}

void Tasks::enqueue(std::function<void()> job, std::stop_source stop) {
    {
        std::lock_guard lock(mutex_);
        jobs_.emplace_back(std::move(job), std::move(stop));
        ++open_;
    }
    changed_.notify_one();
}

void Tasks::post(std::function<void()> done) {
    std::lock_guard lock(mutex_);
    finished_.push_back(std::move(done));
}

void Tasks::work(std::stop_token quit) {
    while (true) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, quit, [this] { return !jobs_.empty(); })) return;
        auto [job, stop] = std::move(jobs_.front());
        jobs_.pop_front();
        running_.push_back(stop);
        lock.unlock();
        job();
        job = {};
        lock.lock();
        std::erase(running_, stop);
        --open_;
        lock.unlock();
        wake_();
    }
}

bool Tasks::drain() {
    std::vector<std::function<void()>> finished;
    {
        std::lock_guard lock(mutex_);
        finished.swap(finished_);
    }
    for (const auto& done : finished) done();
    return !finished.empty();
}

int Tasks::open_jobs() const {
    std::lock_guard lock(mutex_);
    return open_ + int(finished_.size());
}

int Tasks::awaited_jobs() const {
    std::lock_guard lock(mutex_);
    const auto awaited = [](const std::stop_source& stop) { return !stop.stop_requested(); };
    return int(std::ranges::count_if(running_, awaited) +
               std::ranges::count_if(jobs_, awaited, &std::pair<std::function<void()>, std::stop_source>::second)) +
           int(finished_.size());
}

}  // namespace tonescope
