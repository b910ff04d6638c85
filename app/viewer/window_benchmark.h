// The benchmark of an operator's variants in the window, on a worker. Its results are stale once something else is set.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "app/benchmark/measurement.h"
#include "app/system/tasks.h"
#include "app/viewer/files/notices.h"
#include "app/viewer/files/saves.h"
#include "ui/model/benchmark.h"

namespace tonescope {

/// Used from the UI thread alone; no call waits. `now` is what a benchmark started at this moment would measure; its
/// image is null where none is open or read.
class WindowBenchmark {
  public:
    /// Keeps in `model` what is known; `wake` may be called from any thread when update() has something new. `is_due`:
    /// the benchmark is to be shown as soon as there is a result on screen.
    WindowBenchmark(ui::BenchmarkModel& model, std::function<void()> wake, bool is_due = false)
        : model_(model), is_due_(is_due), wake_(wake), worker_(1, wake) {}
    ~WindowBenchmark() { worker_.abandon(); }

    /// Starts a benchmark where there are no results of `now` yet.
    void show(const BenchmarkJob& now);
    void hide() { model_.shown = false; }
    /// An id of ui::benchmark_pages(). True where its rows are others than those of the last page: a job of them, which
    /// the caller makes, is to be started.
    bool show_page(std::string_view id);
    /// The page is one of WindowExperiment.
    bool shows_experiment() const;
    /// What the next job's rows are to be.
    bool by_memory_mode() const { return by_memory_mode_; }
    /// A benchmark that is under way ends.
    void start(const BenchmarkJob& now);
    /// What has been measured stays.
    void stop();
    void export_results(const std::string& path, Saves& saves, Notices& notices);
    /// Between frames. True when there is something new.
    bool update();
    bool running() const { return model_.running; }
    bool is_due() const { return is_due_; }
    bool busy() const { return is_due_ || running(); }
    /// Before a frame: the model says what the results have come to, and whether they are stale.
    void fill(const BenchmarkJob& now);

  private:
    /// What the worker tells of a benchmark; a new one for each.
    struct Board {
        std::mutex mutex;
        std::unique_ptr<VariantBenchmark> news;  // null: none since they were last taken
        std::atomic<double> progress{0};
    };
    /// What the worker has told since; false where it has told nothing.
    bool take_news();
    /// Why the results are not of what is set; empty where they are.
    std::string why_stale(const BenchmarkJob& now) const;

    ui::BenchmarkModel& model_;
    bool is_due_, changed_ = false, by_memory_mode_ = false;
    BenchmarkJob job_;          // of the newest benchmark
    VariantBenchmark results_;  // a row for each run of the job
    double progress_ = 0;       // 0 to 1
    std::shared_ptr<Board> board_ = std::make_shared<Board>();
    std::stop_source stop_;
    std::function<void()> wake_;
    Tasks worker_;  // last: its thread uses what stands above
};

}  // namespace tonescope
