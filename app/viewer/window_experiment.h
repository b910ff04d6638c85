// Experiments in the window, on a worker.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "app/benchmark/experiments/experiment.h"
#include "app/system/tasks.h"
#include "app/viewer/files/notices.h"
#include "app/viewer/files/saves.h"
#include "ui/model/experiment.h"

namespace tonescope {

/// Used from the UI thread alone; no call waits. `now`: the runs of all variants as they are set, and the image that is
/// open, which is null where none is.
class WindowExperiment {
  public:
    /// Keeps in `model` what is known; `wake` may be called from any thread when update() has something new.
    WindowExperiment(ui::ExperimentModel& model, std::function<void()> wake);
    ~WindowExperiment() { worker_.abandon(); }

    /// What start() is going to measure.
    void set(const ui::ExperimentSetup& setup) { model_.setup = setup; }
    /// One that is under way ends.
    void start(const BenchmarkJob& now);
    /// What has been measured stays.
    void stop();
    bool running() const { return model_.running; }
    void export_results(const std::string& path, Saves& saves, Notices& notices);
    /// Between frames. True when there is something new.
    bool update();
    /// Before a frame: what can be chosen, and whether it can be measured.
    void fill(const BenchmarkJob& now);
    /// The run of a row of a case; null where there is none.
    const RunSpec* run_of(size_t point, size_t row) const;
    /// The path of the file that a case is measured on; empty where its image is made for it.
    std::string file_of(size_t point) const;
    /// Makes the image of a case, on any thread, and writes it to a temporary file, whose path it returns. Throws
    /// UserError, Canceled.
    std::function<std::string(std::stop_token)> image_maker(size_t point) const;

  private:
    /// What the worker tells of an experiment; a new one for each.
    struct Board {
        std::mutex mutex;
        std::map<size_t, ExperimentPoint> news;  // cases that have changed since they were last taken
        std::vector<ui::ClaimEntry> claims;
        std::atomic<size_t> done{0};
        std::atomic<double> progress{0};
    };
    bool take_news();
    /// What fill() has last looked at.
    struct Seen {
        ui::ExperimentSetup setup;
        std::vector<RunSpec> runs;
        std::shared_ptr<const HostImage> image;
        bool operator==(const Seen&) const = default;
    };
    void show_point(size_t index);

    ui::ExperimentModel& model_;
    bool changed_ = false;
    std::optional<Seen> seen_;
    Experiment results_;
    std::shared_ptr<Board> board_ = std::make_shared<Board>();
    std::stop_source stop_;
    std::function<void()> wake_;
    Tasks worker_;  // last: its thread uses what stands above
};

}  // namespace tonescope
