#include "app/system/tasks.h"

#include <algorithm>
#include <new>

namespace tonescope {
namespace {

template <class Job>
std::string run(Job& job) {
    try {
        if (job.is_awaited()) job.work(job.stop.get_token());
        return {};
    } catch (const Canceled&) {
        return {};
    } catch (const std::bad_alloc&) {
        return "not enough memory";
    } catch (const std::exception& error) {
        return first_line(error.what());
    }
}

}  // namespace

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

Tasks::Tasks(int threads, std::function<void()> wake) : wake_(std::move(wake)) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this](std::stop_token quit) { run_jobs(quit); });
}

Tasks::~Tasks() {
    for (std::jthread& thread : threads_) thread.request_stop();
    {
        const std::lock_guard lock(mutex_);
        for (Job& job : jobs_)
            if (job.state == Job::State::running) job.stop.request_stop();
    }
    threads_.clear();  // joins
}

std::stop_source Tasks::enqueue(Job job) {
    std::stop_source stop = job.stop;
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    changed_.notify_one();
    return stop;
}

void Tasks::run_jobs(std::stop_token quit) {
    std::unique_lock lock(mutex_);
    auto job = jobs_.end();
    const auto find_waiting = [&] {
        job = std::ranges::find(jobs_, Job::State::waiting, &Job::state);
        return job != jobs_.end();
    };
    while (changed_.wait(lock, quit, find_waiting)) {
        job->state = Job::State::running;
        lock.unlock();
        std::string error = run(*job);
        job->work = {};
        lock.lock();
        job->error = std::move(error);
        job->state = Job::State::finished;
        lock.unlock();
        wake_();
        lock.lock();
    }
}

bool Tasks::drain() {
    std::list<Job> finished;
    {
        const std::lock_guard lock(mutex_);
        for (auto job = jobs_.begin(); job != jobs_.end();) {
            const auto next = std::next(job);
            if (job->state == Job::State::finished) finished.splice(finished.end(), jobs_, job);
            job = next;
        }
    }
    bool any = false;
    while (!finished.empty()) {
        std::list<Job> first;
        first.splice(first.end(), finished, finished.begin());
        if (!first.front().is_awaited()) continue;
        try {
            first.front().done(std::move(first.front().error));
        } catch (...) {  // such as lack of memory: the others' turn comes with the next call
            const std::lock_guard lock(mutex_);
            jobs_.splice(jobs_.begin(), finished);
            throw;
        }
        any = true;
    }
    return any;
}

void Tasks::abandon() {
    const std::lock_guard lock(mutex_);
    for (Job& job : jobs_) job.stop.request_stop();
}

void Tasks::cancel_look_ups() {
    const std::lock_guard lock(mutex_);
    for (Job& job : jobs_)
        if (!job.look_up.empty()) job.stop.request_stop();
}

void Tasks::await_look_ups(std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds kLook{1};
    for (auto left = patience; left > kLook && !oldest_look_up().empty(); left -= kLook) {
        std::this_thread::sleep_for(kLook);
        drain();
    }
}

std::string Tasks::oldest_look_up() const {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::ranges::find_if(jobs_, [](const Job& job) { return !job.look_up.empty() && job.is_awaited(); });
    return found == jobs_.end() ? "" : found->look_up;
}

bool Tasks::looks_up(std::string_view what) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(jobs_, [&](const Job& job) { return job.look_up == what && job.is_awaited(); });
}

int Tasks::open_jobs() const {
    const std::lock_guard lock(mutex_);
    return int(jobs_.size());
}

int Tasks::awaited_jobs() const {
    const std::lock_guard lock(mutex_);
    return int(std::ranges::count_if(jobs_, &Job::is_awaited));
}

}  // namespace tonescope
