#include "app/viewer/window_benchmark.h"

#include <filesystem>

namespace tonescope {
namespace fs = std::filesystem;

void WindowBenchmark::show(const Subject& subject) {
    is_due_ = false;
    shown_ = subject.image != nullptr && subject.image->image;
    if (shown_ && !task_.running() && (!measured_.image || !why_stale(subject).empty())) start(subject);
}

void WindowBenchmark::start(const Subject& subject) {
    const OpenImage* image = subject.image;
    if (image == nullptr || !image->image) return;
    measured_ = {image->id, image->path, image->image, subject.runs};
    VariantBenchmark about;
    about.op = subject.runs.front().op;
    about.input = image->path;
    about.size = image->image->spec();
    about.notice = notice_of(image->details);
    about.params = subject.runs.front().params;
    task_.start({about.op, image->image, subject.runs, subject.backend, subject.device}, about);
}

std::string WindowBenchmark::why_stale(const Subject& subject) const {
    if (!measured_.image) return {};
    const std::string of = "These results are of ";
    const OperatorInfo* op = measured_.runs.front().op;
    if (op != subject.runs.front().op)
        return of + std::string(op->name) + ": another filter is chosen now. Run again to compare its variants.";
    const OpenImage* image = subject.image;
    if (image != nullptr && (image->id != measured_.image_id || image->image != measured_.image))
        return of + fs::path(measured_.path).filename().string() +
               (image->id == measured_.image_id ? " as it was before it was read again." : ": another image is open.") +
               " Run again to compare on this one.";
    if (measured_.runs != subject.runs)
        return "Parameters or the memory mode have changed since: these results belong to the earlier ones. Run again "
               "to compare with these.";
    return {};
}

void WindowBenchmark::export_results(const std::string& path, Saves& saves, Notices& notices) {
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

void WindowBenchmark::fill(ui::BenchmarkModel& model, const Subject& subject) const {
    model.shown = shown_;
    const BenchmarkTask::Progress& progress = task_.progress();
    const VariantBenchmark& benchmark = progress.benchmark;
    model.op = benchmark.op;
    if (benchmark.op == nullptr) return;
    model.subject = fs::path(benchmark.input).filename().string() + ", " + std::to_string(benchmark.size.width) +
                    " \u00d7 " + std::to_string(benchmark.size.height);
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
    const fs::path input(measured_.path);
    model.suggested_path =
        (input.parent_path() / (input.stem().string() + "-" + std::string(benchmark.op->id) + "-comparison.csv"))
            .string();
}

}  // namespace tonescope
