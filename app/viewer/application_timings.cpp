// What the timings panel shows: stages of the runs, parts of the frames, and of what they are.
#include "app/viewer/application.h"

namespace tonescope {
namespace {

ui::StageRow stage_row(const StageHistory& history, int64_t pixels) {
    ui::StageRow row{.stage = std::string(history.stage),
                     .last_ms = history.last_ms(),
                     .median_ms = history.median_ms(),
                     .best_ms = history.best_ms,
                     .history_ms = {history.ms.begin(), history.ms.end()}};
    if (row.median_ms <= 0) return row;
    row.mpixel_s = double(pixels) / row.median_ms * 1e-3;
    row.gb_s = double(history.bytes) / row.median_ms * 1e-6;
    return row;
}

/// Sessions time the way to the screen and back under these names.
ui::FramePart part_of(std::string_view stage) {
    if (stage == "upload" || stage == "download") return ui::FramePart::upload;
    if (stage == "map" || stage == "unmap") return ui::FramePart::map;
    return stage == "present" ? ui::FramePart::draw : ui::FramePart::kernels;
}

}  // namespace

void Application::fill_timings() {
    ui::Timings& timings = model_.timings;
    timings.stages.clear();
    timings.frame.clear();
    timings.subject.clear();
    model_.timings.kernels.clear();
    timings.copy_gb_s = bandwidth_.gb_s(pipeline_.backend());
    const OpenImage* current = document_.current();
    if (current == nullptr || !pipeline_.has_image() || pipeline_.stages().empty()) return;

    const RunSpec run = document_.run_spec(pipeline_.backend());
    const int64_t pixels = current->spec.pixels();
    for (const StageHistory& history : pipeline_.stages()) timings.stages.push_back(stage_row(history, pixels));
    timings.stages.push_back(stage_row(pipeline_.total(), pixels));
    model_.timings.kernels = pipeline_.resources();

    timings.frame.push_back(
        {"UI thread", "Mean of the last frames. Kernels: starting them, taking results over", frame_times_.mean().ms});
    timings.frame.push_back(
        {"Slowest", "The UI thread's slowest of the last frames", frame_times_.slowest_recent().ms});
    ui::FrameRow work{.name = "GPU", .help = "Medians of the last runs and frames; map and unmap by the host's clock"};
    if (pipeline_.backend() == BackendKind::cpu) work = {.name = "Workers", .help = "Median of the last runs"};
    for (const ui::StageRow& stage : timings.stages)
        if (&stage != &timings.stages.back()) work.of(part_of(stage.stage)) += stage.median_ms;
    if (pipeline_.backend() == BackendKind::cpu) {
        timings.frame.push_back(work);
        work = {.name = "GPU", .help = "Drawing the window, median of the last frames"};
    }
    work.of(ui::FramePart::draw) = frame_times_.gpu_draw_ms();
    timings.frame.push_back(work);

    timings.subject = {{"Image", current->name() + ", " + std::to_string(current->spec.width) + " x " +
                                     std::to_string(current->spec.height)},
                       {"Operator", describe_run(run)},
                       {"Variant", run.variant == nullptr ? "none" : std::string(run.variant->name)},
                       {"Device", pipeline_.device_name()}};
    if (pipeline_.backend() == BackendKind::cuda)
        timings.subject.emplace_back("Memory", kMemoryModeIds[size_t(run.memory)]);
}

void Application::reset_timings() {
    pipeline_.reset_times();
    frame_times_.reset();
}

}  // namespace tonescope
