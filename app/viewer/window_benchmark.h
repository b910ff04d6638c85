// The benchmark of an operator's variants in the window, on a worker. Its results are stale once something else is set.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
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
    /// A benchmark that is under way ends.
    void start(const BenchmarkJob& now);
    /// Variants that are finished keep their numbers.
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
    /// The worker empties it: what it holds takes long to free.
    using Measurement = std::shared_ptr<std::unique_ptr<BenchmarkMeasurement>>;
    void release();
    /// Starts with the first run from number `i` on that can be made here, or ends the benchmark.
    void measure(const Measurement& measurement, size_t i);
    /// Why the results are not of what is set; empty where they are.
    std::string why_stale(const BenchmarkJob& now) const;

    ui::BenchmarkModel& model_;
    bool is_due_, changed_ = false;
    BenchmarkJob job_;                               // of the newest benchmark
    VariantBenchmark results_;                       // a row for each run of the job
    double of_variant_ = 0;                          // 0 to 1 of the variant that is running
    std::shared_ptr<std::atomic<double>> progress_;  // of_variant_ as the worker knows it; a new one for each variant
    std::stop_source stop_;
    Measurement measurement_;  // null where nothing is measured
    std::function<void()> wake_;
    Tasks worker_;  // last: its thread uses what stands above
};

}  // namespace tonescope
