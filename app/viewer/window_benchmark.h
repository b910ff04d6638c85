// The benchmark of an operator's variants in the window. Its results are stale once something else is set.
#pragma once

#include <functional>
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

    /// `is_due`: the benchmark is to be shown as soon as there is a result on screen.
    explicit WindowBenchmark(std::function<void()> wake, bool is_due = false)
        : is_due_(is_due), task_(std::move(wake)) {}

    /// Starts a benchmark where there are no results of the subject yet.
    void show(const Subject& subject) {
        is_due_ = false;
        shown_ = subject.image != nullptr && subject.image->image;
        if (shown_ && !task_.running() && (!measured_.image || !why_stale(subject).empty())) start(subject);
    }
    void hide() { shown_ = false; }
    /// A benchmark that is under way ends.
    void start(const Subject& subject) {
        const OpenImage* image = subject.image;
        if (image == nullptr || !image->image) return;
        measured_ = *image;
        measured_runs_ = subject.runs;
        VariantBenchmark about;
        about.op = subject.runs.front().op;
        about.input = image->path;
        about.size = image->image->spec();
        about.notice = notice_of(image->details);
        about.params = subject.runs.front().params;
        task_.start({about.op, image->image, subject.runs, subject.backend, subject.device}, about);
    }
    /// Variants that are finished keep their numbers.
    void stop() { task_.stop(); }
    void export_results(const std::string& path, Saves& saves, Notices& notices) {
        if (!can_write_benchmark(path)) {
            notices.error("cannot export " + path + ": the name must end in .csv, .json, .md or .png");
        } else if (task_.running()) {
            notices.warning("the comparison is not finished yet: export it again when it is");
        } else {
            saves.export_file(path, [path, results = task_.progress().benchmark](std::stop_token, FileProgress*) {
                write_benchmark(path, results);
            });
        }
    }
    /// Between frames. True when there is something new.
    bool update() { return task_.update(); }
    bool running() const { return task_.running(); }
    bool is_due() const { return is_due_; }
    bool busy() const { return is_due_ || running(); }
    void fill(ui::BenchmarkModel& model, const Subject& subject) const {
        model.shown = shown_;
        const BenchmarkTask::Progress& progress = task_.progress();
        const VariantBenchmark& benchmark = progress.benchmark;
        model.op = benchmark.op;
        if (benchmark.op == nullptr) return;
        model.subject = measured_.name() + ", " + std::to_string(benchmark.size.width) + " \u00d7 " +
                        std::to_string(benchmark.size.height);
        model.size = benchmark.size;
        model.variants = benchmark.rows;
        model.running = task_.running();
        model.stopped = task_.stopped();
        model.done = progress.finished();
        model.count = progress.count();
        model.progress = progress.of_all();
        model.error = progress.error;
        model.stale = why_stale(subject);
        model.amdahl = amdahl_text(benchmark);
        model.suggested_path = measured_.beside("-" + std::string(benchmark.op->id) + "-comparison.csv");
    }

  private:
    /// Why the results are not of what is set; empty where they are.
    std::string why_stale(const Subject& subject) const {
        if (!measured_.image) return {};
        const std::string of = "These results are of ";
        const OperatorInfo* op = measured_runs_.front().op;
        if (op != subject.runs.front().op)
            return of + std::string(op->name) + ": another filter is chosen now. Run again to compare its variants.";
        const OpenImage* image = subject.image;
        if (image != nullptr && (image->id != measured_.id || image->image != measured_.image))
            return of + measured_.name() +
                   (image->id == measured_.id ? " as it was before it was read again." : ": another image is open.") +
                   " Run again to compare on this one.";
        if (measured_runs_ != subject.runs)
            return "Parameters or the memory mode have changed since: these results belong to the earlier ones. Run "
                   "again to compare with these.";
        return {};
    }

    bool is_due_, shown_ = false;
    OpenImage measured_;  // with which the newest benchmark was started, and with these runs
    std::vector<RunSpec> measured_runs_;
    BenchmarkTask task_;
};

}  // namespace tonescope
