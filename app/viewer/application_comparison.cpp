// The comparison of all variants in the window.
#include <filesystem>

#include "app/viewer/application.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

ui::SpeedUpFigures figures(const SpeedUps& speed_ups) {
    return {speed_ups.previous, speed_ups.best_previous, speed_ups.first_gpu, speed_ups.reference};
}

ui::ComparedVariant variant_shown(const Comparison& comparison, const ComparisonRow& row,
                                  ComparisonTask::RowState state) {
    using State = ui::ComparedVariant::State;
    ui::ComparedVariant shown;
    shown.variant = row.variant;
    shown.available = row.available;
    if (state != ComparisonTask::RowState::finished) {
        shown.state = state == ComparisonTask::RowState::running ? State::running : State::waiting;
        return shown;
    }
    shown.state = row.ran() ? State::done : State::not_run;
    shown.reason = row.not_run;
    if (row.memory) shown.memory = kMemoryModeIds[size_t(*row.memory)];
    shown.identical = row.differences == 0;
    shown.result = row.result_text(comparison.op->makes_bins);
    shown.runs = row.runs;
    shown.kernels = {row.compute, comparison.mpixel_s(row.compute.median_ms), figures(row.compute_speed_up)};
    shown.total = {row.total, comparison.mpixel_s(row.total.median_ms), figures(row.total_speed_up)};
    shown.amdahl = row.amdahl;
    shown.resources = row.kernels;
    for (const ComparisonStage& stage : row.stages) shown.stages.push_back({std::string(stage.stage), stage.time});
    return shown;
}

}  // namespace

void Application::show_comparison(bool shown) {
    const OpenImage* current = document_.current();
    model_.benchmark.shown = shown && current != nullptr && current->image != nullptr;
    if (model_.benchmark.shown && !comparison_.running() && (!compared_.image || !why_stale().empty()))
        start_comparison();
}

void Application::start_comparison() {
    const OpenImage* current = document_.current();
    if (current == nullptr || current->image == nullptr) return;
    compared_ = {current->id, current->path, current->image, document_.run_specs()};
    Comparison about;
    about.op = document_.op();
    about.input = current->path;
    about.size = current->image->spec();
    about.notice = notice_of(current->details);
    about.params = compared_.runs.front().params;
    comparison_.start({about.op, compared_.image, compared_.runs, options_.backend, pipeline_.device()}, about);
}

std::string Application::why_stale() const {
    if (!compared_.image) return {};
    const OpenImage* current = document_.current();
    const std::vector<RunSpec> runs = document_.run_specs();
    const std::string of = "These results are of ";
    if (compared_.runs.front().op != document_.op())
        return of + std::string(compared_.runs.front().op->name) +
               ": another filter is chosen now. Run again to compare its variants.";
    if (current != nullptr && (current->id != compared_.image_id || current->image != compared_.image))
        return of + fs::path(compared_.path).filename().string() +
               (current->id == compared_.image_id ? " as it was before it was read again."
                                                  : ": another image is open.") +
               " Run again to compare on this one.";
    if (compared_.runs != runs)
        return "Parameters or the memory mode have changed since: these results belong to the earlier ones. Run again "
               "to compare with these.";
    return {};
}

void Application::export_comparison(const std::string& path) {
    if (!can_write_comparison(path)) {
        notify(ui::Severity::error, "cannot export " + path + ": the name must end in .csv, .json, .md or .png");
        return;
    }
    if (comparison_.running()) {
        notify(ui::Severity::warning, "the comparison is not finished yet: export it again when it is");
        return;
    }
    unless_in_the_way(path, [this, path, comparison = comparison_.progress().comparison] {
        write_file(path, [comparison, path](std::stop_token) { write_comparison(path, comparison); });
    });
}

void Application::fill_comparison() {
    ui::ComparisonModel& shown = model_.benchmark;
    const ComparisonTask::Progress& progress = comparison_.progress();
    const Comparison& comparison = progress.comparison;
    shown.op = comparison.op;
    if (comparison.op == nullptr) return;
    shown.subject = fs::path(comparison.input).filename().string() + ", " + std::to_string(comparison.size.width) +
                    " \u00d7 " + std::to_string(comparison.size.height);
    shown.variants.clear();
    for (size_t i = 0; i < progress.rows.size(); ++i)
        shown.variants.push_back(variant_shown(comparison, comparison.rows[i], progress.rows[i]));
    shown.running = comparison_.running();
    shown.stopped = comparison_.stopped();
    shown.done = progress.finished();
    shown.count = progress.count();
    shown.progress = progress.of_all();
    shown.error = progress.error;
    shown.stale = why_stale();
    shown.amdahl = amdahl_text(comparison);
    const fs::path input(compared_.path);
    shown.suggested_path =
        (input.parent_path() / (input.stem().string() + "-" + std::string(comparison.op->id) + "-comparison.csv"))
            .string();
}

}  // namespace tonescope
