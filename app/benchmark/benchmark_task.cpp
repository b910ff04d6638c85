#include "app/benchmark/benchmark_task.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tonescope {
namespace {

using State = BenchmarkRow::State;

/// Drawing takes processor time from what is being measured.
constexpr auto kProgressStep = std::chrono::milliseconds(300);

}  // namespace

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

void BenchmarkTask::start(BenchmarkJob job, VariantBenchmark about) {
    stop_.request_stop();
    release();
    for (const RunSpec& spec : job.runs) {
        BenchmarkRow& row = about.rows.emplace_back();
        row.variant = spec.variant;
        row.state = State::waiting;
        row.reason = "not measured";
    }
    progress_ = {std::move(about), 0, {}};
    of_variant_.reset();
    running_ = changed_ = true;
    stopped_ = false;
    const auto prepare = [job = std::move(job)](std::stop_token) {
        return std::make_shared<std::unique_ptr<BenchmarkMeasurement>>(std::make_unique<BenchmarkMeasurement>(job));
    };
    stop_ = worker_.start(prepare, [this](const Outcome<Measurement>& measurement) {
        progress_.error = measurement.error;
        running_ = measurement.value.has_value();
        if (!running_) return;
        measurement_ = *measurement.value;
        const BenchmarkMeasurement& measured = **measurement_;
        VariantBenchmark& benchmark = progress_.benchmark;
        measured.describe(benchmark);
        for (BenchmarkRow& row : benchmark.rows) {
            const std::string reason = measured.reason_against(*row.variant);
            if (reason.empty()) continue;
            row.fail(reason);
            row.available = false;
        }
        measure(measurement_, 0);
    });
}

void BenchmarkTask::measure(const Measurement& measurement, size_t i) {
    std::vector<BenchmarkRow>& rows = progress_.benchmark.rows;
    while (i < rows.size() && !rows[i].available) ++i;
    running_ = i < rows.size();
    progress_.of_variant = 0;
    if (!running_) return release();
    rows[i].state = State::running;
    of_variant_ = std::make_shared<std::atomic<double>>(0);
    const auto work = [measurement, i, part = of_variant_, wake = wake_](std::stop_token stop) {
        auto last_report = std::chrono::steady_clock::now();
        return (*measurement)->measure((*measurement)->job().runs[i], stop, [&](double done) {
            if (std::chrono::steady_clock::now() - last_report < kProgressStep) return;
            last_report = std::chrono::steady_clock::now();
            *part = done;
            wake();
        });
    };
    stop_ = worker_.start(work, [this, measurement, i](Outcome<BenchmarkRow> row) {
        progress_.error = row.error;
        running_ = row.value.has_value();
        if (!running_) return release();
        progress_.benchmark.rows[i] = std::move(*row.value);
        add_speed_ups(progress_.benchmark);
        measure(measurement, i + 1);
    });
}

void BenchmarkTask::stop() {
    if (!running_) return;
    stop_.request_stop();
    release();
    for (BenchmarkRow& row : progress_.benchmark.rows)
        if (row.state == State::running) row.state = State::waiting;
    progress_.of_variant = 0;
    running_ = false;
    stopped_ = changed_ = true;
}

void BenchmarkTask::release() {
    if (measurement_ == nullptr) return;
    const auto empty = [measurement = std::exchange(measurement_, nullptr)](std::stop_token) {
        measurement->reset();
        return true;
    };
    worker_.start(empty, [](const Outcome<bool>&) {});
}

bool BenchmarkTask::update() {
    if (worker_.drain()) changed_ = true;
    if (running_ && of_variant_) {
        const double part = *of_variant_;
        changed_ = changed_ || part != progress_.of_variant;
        progress_.of_variant = part;
    }
    return std::exchange(changed_, false);
}

}  // namespace tonescope
