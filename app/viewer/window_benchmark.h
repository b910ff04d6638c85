// The benchmark of an operator's variants in the window: started on what is set, stale when that changes, exported.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/benchmark/benchmark_task.h"
#include "app/viewer/files/notices.h"
#include "app/viewer/files/open_images.h"
#include "app/viewer/files/saves.h"
#include "ui/model/benchmark.h"

namespace tonescope {

class WindowBenchmark {
  public:
    /// What a benchmark started at this moment would measure.
    struct Subject {
        const OpenImage* image = nullptr;  // null: none is open
        std::vector<RunSpec> runs;         // one a variant of one operator
        BackendChoice backend = BackendChoice::automatic;
        int device = -1;
    };

    /// `wake` may be called from any thread. `is_due`: it is to be shown as soon as there is a result on screen.
    explicit WindowBenchmark(std::function<void()> wake, bool is_due = false)
        : is_due_(is_due), task_(std::move(wake)) {}

    /// Starts where there are no results of the subject yet.
    void show(const Subject& subject);
    void hide() { shown_ = false; }
    /// One that is under way ends.
    void start(const Subject& subject);
    /// Variants that are finished keep their numbers.
    void stop() { task_.stop(); }
    void export_results(const std::string& path, Saves& saves, Notices& notices);
    /// Between frames. True when there is something new.
    bool update() { return task_.update(); }
    bool running() const { return task_.running(); }
    bool is_due() const { return is_due_; }
    bool busy() const { return is_due_ || running(); }
    void fill(ui::BenchmarkModel& model, const Subject& subject) const;

  private:
    /// Why the results are not of what is set; empty where they are.
    std::string why_stale(const Subject& subject) const;

    /// What the newest one was started with.
    struct Measured {
        uint64_t image_id = 0;
        std::string path;
        std::shared_ptr<const HostImage> image;
        std::vector<RunSpec> runs;
    };
    bool is_due_, shown_ = false;
    Measured measured_;
    BenchmarkTask task_;
};

}  // namespace tonescope
