// A variant benchmark that runs on a worker while the window goes on.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/benchmark/measurement.h"
#include "app/system/tasks.h"

namespace tonescope {

/// Used from the UI thread alone; no call waits.
class BenchmarkTask {
  public:
    /// What is known so far. The rows of `benchmark` are those of the job.
    struct Progress {
        VariantBenchmark benchmark;
        double of_variant = 0;  // 0 to 1 of the variant that is running
        std::string error;      // one line; nothing could be measured
        int finished() const;
        int count() const;  // variants that can run here
        double of_all() const;
    };

    /// `wake` may be called from any thread when update() has something new.
    explicit BenchmarkTask(std::function<void()> wake) : wake_(wake), worker_(1, wake) {}
    ~BenchmarkTask() { worker_.abandon(); }

    /// `about` says what is measured; its rows are filled in. A benchmark that is under way ends.
    void start(BenchmarkJob job, VariantBenchmark about);
    /// Variants that are finished keep their numbers.
    void stop();
    /// True when there is something new.
    bool update();

    bool running() const { return running_; }
    bool stopped() const { return stopped_; }
    const Progress& progress() const { return progress_; }

  private:
    /// The worker empties it: what it holds takes long to free.
    using Measurement = std::shared_ptr<std::unique_ptr<BenchmarkMeasurement>>;
    void release();
    /// Starts with the first run from number `i` on that can be made here, or ends the task.
    void measure(const Measurement& measurement, size_t i);

    std::function<void()> wake_;
    std::shared_ptr<std::atomic<double>> of_variant_;  // shared with the worker; a new one for each variant
    std::stop_source stop_;
    Progress progress_;
    Measurement measurement_;  // null where nothing is measured
    bool running_ = false, stopped_ = false, changed_ = false;
    Tasks worker_;  // last: its thread uses what stands above
};

}  // namespace tonescope
