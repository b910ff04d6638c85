#include "app/viewer/window_benchmark.h"

#include <filesystem>

namespace tonescope {
namespace fs = std::filesystem;
namespace {

ui::SpeedUpFigures figures(const SpeedUps& speed_ups) {
    return {speed_ups.previous, speed_ups.best_previous, speed_ups.first_gpu, speed_ups.reference};
}

ui::BenchmarkedVariant variant_shown(const VariantBenchmark& benchmark, const BenchmarkRow& row,
                                     BenchmarkTask::RowState state) {
    using State = ui::BenchmarkedVariant::State;
    ui::BenchmarkedVariant shown;
    shown.variant = row.variant;
    shown.available = row.available;
    if (state != BenchmarkTask::RowState::finished) {
        shown.state = state == BenchmarkTask::RowState::running ? State::running : State::waiting;
        return shown;
    }
    shown.state = row.ran() ? State::done : State::not_run;
    shown.reason = row.not_run;
    if (row.memory) shown.memory = kMemoryModeIds[size_t(*row.memory)];
    shown.identical = row.differences == 0;
    shown.result = row.result_text(benchmark.op->makes_bins);
    shown.runs = row.runs;
    shown.kernels = {row.compute, benchmark.mpixel_s(row.compute.median_ms), figures(row.compute_speed_up)};
    shown.total = {row.total, benchmark.mpixel_s(row.total.median_ms), figures(row.total_speed_up)};
    shown.amdahl = row.amdahl;
    shown.resources = row.kernels;
    for (const BenchmarkStage& stage : row.stages) shown.stages.push_back({std::string(stage.stage), stage.time});
    return shown;
}

}  // namespace

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
        notices.add(ui::Severity::error, "cannot export " + path + ": the name must end in .csv, .json, .md or .png");
    } else if (task_.running()) {
        notices.add(ui::Severity::warning, "the comparison is not finished yet: export it again when it is");
    } else {
        saves.export_file(
            path, [path, results = task_.progress().benchmark](std::stop_token) { write_benchmark(path, results); });
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
    model.variants.clear();
    for (size_t i = 0; i < progress.rows.size(); ++i)
        model.variants.push_back(variant_shown(benchmark, benchmark.rows[i], progress.rows[i]));
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
