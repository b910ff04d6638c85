#include "app/viewer/window_benchmark.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/viewer/files/open_images.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

using State = BenchmarkRow::State;

/// Drawing takes processor time from what is being measured.
constexpr auto kProgressStep = std::chrono::milliseconds(300);

std::string name_of(const BenchmarkJob& job) {
    return std::filesystem::path(job.input).filename().string();
}

}  // namespace

void WindowBenchmark::show(const BenchmarkJob& now) {
    is_due_ = false;
    model_.shown = now.image != nullptr;
    if (model_.shown && !running() && (!job_.image || !why_stale(now).empty())) start(now);
}

void WindowBenchmark::start(const BenchmarkJob& now) {
    if (!now.image) return;
    stop_.request_stop();
    release();
    job_ = now;
    results_ = unmeasured(job_);
    model_.error.clear();
    progress_.reset();
    of_variant_ = 0;
    model_.running = changed_ = true;
    model_.stopped = false;
    const auto prepare = [job = job_](std::stop_token) {
        return std::make_shared<std::unique_ptr<BenchmarkMeasurement>>(std::make_unique<BenchmarkMeasurement>(job));
    };
    stop_ = worker_.start(prepare, [this](const Outcome<Measurement>& measurement) {
        model_.error = measurement.error;
        model_.running = measurement.value.has_value();
        if (!running()) return;
        measurement_ = *measurement.value;
        (*measurement_)->describe(results_);
        measure(measurement_, 0);
    });
}

void WindowBenchmark::measure(const Measurement& measurement, size_t i) {
    std::vector<BenchmarkRow>& rows = results_.rows;
    while (i < rows.size() && !rows[i].available) ++i;
    model_.running = i < rows.size();
    of_variant_ = 0;
    if (!running()) return release();
    rows[i].state = State::running;
    progress_ = std::make_shared<std::atomic<double>>(0);
    const auto work = [measurement, spec = job_.runs[i], progress = progress_, wake = wake_](std::stop_token stop) {
        auto last_report = std::chrono::steady_clock::now();
        return (*measurement)->measure(spec, stop, [&](double done) {
            if (std::chrono::steady_clock::now() - last_report < kProgressStep) return;
            last_report = std::chrono::steady_clock::now();
            *progress = done;
            wake();
        });
    };
    stop_ = worker_.start(work, [this, measurement, i](Outcome<BenchmarkRow> row) {
        model_.error = row.error;
        model_.running = row.value.has_value();
        if (!running()) return release();
        results_.rows[i] = std::move(*row.value);
        add_speed_ups(results_);
        measure(measurement, i + 1);
    });
}

void WindowBenchmark::stop() {
    if (!running()) return;
    stop_.request_stop();
    release();
    for (BenchmarkRow& row : results_.rows)
        if (row.state == State::running) row.state = State::waiting;
    of_variant_ = 0;
    model_.running = false;
    model_.stopped = changed_ = true;
}

void WindowBenchmark::release() {
    if (measurement_ == nullptr) return;
    const auto empty = [measurement = std::exchange(measurement_, nullptr)](std::stop_token) {
        measurement->reset();
        return true;
    };
    worker_.start(empty, [](const Outcome<bool>&) {});
}

void WindowBenchmark::export_results(const std::string& path, Saves& saves, Notices& notices) {
    if (!can_write_benchmark(path)) {
        notices.error("cannot export " + path + ": the name must end in .csv, .json, .md or .png");
    } else if (running()) {
        notices.warning("the comparison is not finished yet: export it again when it is");
    } else {
        saves.export_file(path, [results = results_](const std::string& to, std::stop_token stop, FileProgress*) {
            write_benchmark(to, results, std::move(stop));
        });
    }
}

bool WindowBenchmark::update() {
    if (worker_.drain()) changed_ = true;
    if (running() && progress_) {
        const double part = *progress_;
        changed_ |= part != of_variant_;
        of_variant_ = part;
    }
    return std::exchange(changed_, false);
}

void WindowBenchmark::fill(const BenchmarkJob& now) {
    model_.op = results_.op;
    if (model_.op == nullptr) return;
    model_.subject = name_of(job_) + ", " + size_text(results_.size.width, results_.size.height);
    model_.size = results_.size;
    model_.variants = results_.rows;
    model_.count = int(std::ranges::count(results_.rows, true, &BenchmarkRow::available));
    model_.done = int(std::ranges::count_if(results_.rows, [](const BenchmarkRow& row) {
        return row.available && (row.state == State::done || row.state == State::not_run);
    }));
    model_.progress = model_.count == 0 ? 0 : (model_.done + of_variant_) / model_.count;
    model_.stale = why_stale(now);
    model_.amdahl = amdahl_text(results_);
    model_.suggested_path = path_beside(job_.input, "-" + std::string(model_.op->id) + "-comparison.csv");
}

std::string WindowBenchmark::why_stale(const BenchmarkJob& now) const {
    if (!job_.image) return {};
    const std::string of = "These results are of ";
    const OperatorInfo* op = job_.runs.front().op;
    if (op != now.runs.front().op)
        return of + std::string(op->name) + ": another operator is chosen now. Run again to compare its variants.";
    if (!now.input.empty() && now.image != job_.image)
        return of + name_of(job_) +
               (now.input == job_.input ? " as it was before it was read again." : ": another image is open.") +
               " Run again to compare on this one.";
    if (job_.runs != now.runs)
        return "Parameters or the memory mode have changed since: these results belong to the earlier ones. Run again "
               "to compare with these.";
    return {};
}

}  // namespace tonescope
