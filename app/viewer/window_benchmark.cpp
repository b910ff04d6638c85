#include "app/viewer/window_benchmark.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/viewer/benchmark_pages.h"
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

bool WindowBenchmark::show_page(std::string_view id) {
    const BenchmarkPageWork& page = benchmark_page(id);
    model_.page = page.id;
    const bool others = page.by_memory_mode.value_or(by_memory_mode_) != by_memory_mode_;
    by_memory_mode_ ^= others;
    return others;
}

bool WindowBenchmark::shows_experiment() const {
    return benchmark_page(model_.page).is_experiment;
}

void WindowBenchmark::start(const BenchmarkJob& now) {
    if (!now.image) return;
    stop_.request_stop();
    job_ = now;
    results_ = unmeasured(job_);
    model_.error.clear();
    progress_ = 0;
    board_ = std::make_shared<Board>();
    model_.running = changed_ = true;
    model_.stopped = false;
    const auto work = [job = job_, board = board_, wake = wake_](std::stop_token stop) {
        const auto tell = [&](const VariantBenchmark& rows) {
            {
                const std::lock_guard lock(board->mutex);
                board->news = std::make_unique<VariantBenchmark>(rows);
            }
            wake();
        };
        BenchmarkMeasurement measurement(job);
        VariantBenchmark rows = unmeasured(job);
        measurement.describe(rows);
        tell(rows);
        auto last_report = std::chrono::steady_clock::now();
        measurement.measure(rows, stop, {tell, [&](double done) {
                                             if (std::chrono::steady_clock::now() - last_report < kProgressStep) return;
                                             last_report = std::chrono::steady_clock::now();
                                             board->progress = done;
                                             wake();
                                         }});
        return true;
    };
    stop_ = worker_.start(work, [this](const Outcome<bool>& end) {
        take_news();
        model_.error = end.error;
        model_.running = false;
    });
}

void WindowBenchmark::stop() {
    if (!running()) return;
    stop_.request_stop();
    for (BenchmarkRow& row : results_.rows)
        if (row.state == State::running) row.state = State::waiting;
    model_.running = false;
    model_.stopped = changed_ = true;
}

bool WindowBenchmark::take_news() {
    const std::lock_guard lock(board_->mutex);
    if (!board_->news) return false;
    results_ = std::move(*std::exchange(board_->news, nullptr));
    return true;
}

void WindowBenchmark::export_results(const std::string& path, Saves& saves, Notices& notices) {
    const BenchmarkPageWork& page = benchmark_page(model_.page);
    if (!can_export(path, page.formats())) {
        notices.error("cannot export " + path + ": the name must end in " + endings_of(page.formats()));
    } else if (running()) {
        notices.warning("the comparison is not finished yet: export it again when it is");
    } else {
        saves.export_file(
            path, [write = page.write, results = results_](const std::string& to, std::stop_token stop, FileProgress*) {
                write(to, results, std::move(stop));
            });
    }
}

bool WindowBenchmark::update() {
    if (worker_.drain()) changed_ = true;
    changed_ |= take_news();
    if (running()) {
        const double part = board_->progress;
        changed_ |= part != progress_;
        progress_ = part;
    }
    return std::exchange(changed_, false);
}

void WindowBenchmark::fill(const BenchmarkJob& now) {
    results_.chosen = row_of(results_, now.chosen);
    model_.chosen = results_.chosen;
    model_.op = results_.op;
    if (model_.op == nullptr) return;
    model_.subject = name_of(job_) + ", " + size_text(results_.size.width, results_.size.height);
    if (results_.by_memory_mode) model_.subject += ", " + subject_title(results_);
    model_.size = results_.size;
    model_.variants = results_.rows;
    model_.count = int(std::ranges::count(results_.rows, true, &BenchmarkRow::available));
    model_.done = int(std::ranges::count_if(results_.rows, [](const BenchmarkRow& row) {
        return row.available && (row.state == State::done || row.state == State::not_run);
    }));
    model_.progress = progress_;
    model_.by_memory_mode = results_.by_memory_mode;
    model_.cpu_roofs = results_.cpu_roofs;
    model_.cuda_roofs = results_.cuda_roofs;
    model_.basis_title = basis_title(results_);
    model_.stale = why_stale(now);
    model_.remarks = clock_text(results_);
    if (const std::string amdahl = amdahl_text(results_); !amdahl.empty())
        model_.remarks += (model_.remarks.empty() ? "" : ". ") + amdahl;
    const BenchmarkPageWork& page = benchmark_page(model_.page);
    model_.suggested_path = path_beside(job_.input, "-" + page.suggested_end(results_));
    model_.export_formats = page.formats();
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
