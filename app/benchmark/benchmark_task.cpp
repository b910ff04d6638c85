#include "app/benchmark/benchmark_task.h"

#include <algorithm>
#include <chrono>
#include <mutex>

namespace tonescope {
namespace {

using Clock = std::chrono::steady_clock;
using State = BenchmarkRow::State;

/// Drawing takes processor time from what is being measured.
constexpr auto kProgressStep = std::chrono::milliseconds(300);

}  // namespace

struct BenchmarkTask::Shared {
    std::mutex mutex;
    Progress progress;
    bool changed = false;

    /// Changes the progress under the lock.
    void set(auto change) {
        const std::lock_guard lock(mutex);
        change(progress);
        changed = true;
    }
};

int BenchmarkTask::Progress::finished() const {
    return int(std::ranges::count_if(benchmark.rows, [](const BenchmarkRow& row) {
        return row.available && (row.state == State::done || row.state == State::not_run);
    }));
}

int BenchmarkTask::Progress::count() const {
    return int(std::ranges::count(benchmark.rows, true, &BenchmarkRow::available));
}

double BenchmarkTask::Progress::of_all() const {
    return count() == 0 ? 0 : (finished() + of_variant) / count();
}

BenchmarkTask::BenchmarkTask(std::function<void()> wake) : wake_(wake), worker_(1, wake) {}

BenchmarkTask::~BenchmarkTask() {
    stop_.request_stop();
}

void BenchmarkTask::start(BenchmarkJob job, VariantBenchmark about) {
    stop_.request_stop();
    for (const RunSpec& spec : job.runs) {
        BenchmarkRow& row = about.rows.emplace_back();
        row.variant = spec.variant;
        row.state = State::waiting;
        row.reason = "not measured";
    }
    progress_ = {std::move(about), 0, {}};
    shared_ = std::make_shared<Shared>();
    shared_->progress = progress_;
    running_ = true;
    stopped_ = false;
    changed_ = true;
    const auto measure = [job = std::move(job), shared = shared_, wake = wake_](std::stop_token stop) {
        BenchmarkMeasurement measurement(job);
        shared->set([&](Progress& progress) {
            measurement.describe(progress.benchmark);
            for (size_t i = 0; i < job.runs.size(); ++i) {
                BenchmarkRow& row = progress.benchmark.rows[i];
                const std::string reason = measurement.reason_against(*row.variant);
                if (reason.empty()) continue;
                row.fail(reason);
                row.available = false;
            }
        });
        Clock::time_point told = Clock::now();
        for (size_t i = 0; i < job.runs.size(); ++i) {
            if (!measurement.reason_against(*job.runs[i].variant).empty()) continue;
            shared->set([&](Progress& progress) { progress.benchmark.rows[i].state = State::running; });
            wake();
            BenchmarkRow row = measurement.measure(job.runs[i], stop, [&](double part) {
                if (Clock::now() - told < kProgressStep) return;
                told = Clock::now();
                shared->set([&](Progress& progress) { progress.of_variant = part; });
                wake();
            });
            shared->set([&](Progress& progress) {
                progress.benchmark.rows[i] = std::move(row);
                progress.of_variant = 0;
                add_speed_ups(progress.benchmark);
            });
            wake();
        }
        return true;
    };
    stop_ = worker_.start(measure, [this](const Outcome<bool>& outcome) {
        take();
        running_ = false;
        changed_ = true;
        progress_.error = outcome.error;
    });
}

void BenchmarkTask::stop() {
    if (!running_) return;
    stop_.request_stop();
    take();
    for (BenchmarkRow& row : progress_.benchmark.rows)
        if (row.state == State::running) row.state = State::waiting;
    progress_.of_variant = 0;
    running_ = false;
    stopped_ = true;
    changed_ = true;
}

void BenchmarkTask::take() {
    const std::lock_guard lock(shared_->mutex);
    if (!shared_->changed) return;
    progress_ = shared_->progress;
    shared_->changed = false;
    changed_ = true;
}

bool BenchmarkTask::update() {
    if (running_) take();
    worker_.drain();
    return std::exchange(changed_, false);
}

}  // namespace tonescope
