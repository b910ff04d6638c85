#include "app/viewer/timings.h"

#include "app/viewer/live/inspection.h"

namespace tonescope {
namespace {

/// Sessions time the way to the screen and back under these names.
ui::FramePart part_of(std::string_view stage) {
    if (stage == "upload" || stage == "download") return ui::FramePart::upload;
    if (stage == "map" || stage == "unmap") return ui::FramePart::map;
    return stage == "present" ? ui::FramePart::draw : ui::FramePart::kernels;
}

}  // namespace

void fill_timings(ui::Timings& model, const Pipeline& pipeline, const FrameTimes& frame_times,
                  const Bandwidth& bandwidth, const OpenImage* image, const RunSpec& run) {
    model = {};
    model.copy_gb_s = bandwidth.gb_s(pipeline.backend());
    if (image == nullptr || !pipeline.image() || pipeline.stages().empty()) return;
    model.stages = pipeline.stages();
    model.kernels = pipeline.resources();

    model.frame.push_back(
        {"UI thread", "Mean of the last frames. Kernels: starting them, taking results over", frame_times.mean().ms});
    model.frame.push_back({"Slowest", "The UI thread's slowest of the last frames", frame_times.slowest_recent().ms});
    ui::FrameRow work{.name = "GPU", .help = "Medians of the last runs and frames; map and unmap by the host's clock"};
    const bool on_cpu = pipeline.backend() == BackendKind::cpu;
    if (on_cpu) work = {.name = "Workers", .help = "Median of the last runs"};
    for (const ui::StageRow& stage : model.stages)
        if (&stage != &model.stages.back()) work.of(part_of(stage.stage)) += stage.median_ms;
    if (on_cpu) {
        model.frame.push_back(work);
        work = {.name = "GPU", .help = "Drawing the window, median of the last frames"};
    }
    work.of(ui::FramePart::draw) = frame_times.gpu_draw_ms();
    model.frame.push_back(work);

    model.subject = {{"Image", image->name() + ", " + std::to_string(image->spec.width) + " x " +
                                   std::to_string(image->spec.height)},
                     {"Operator", describe_run(run)},
                     {"Variant", run.variant == nullptr ? "none" : std::string(run.variant->name)},
                     {"Device", pipeline.device_name()}};
    if (!on_cpu) model.subject.emplace_back("Memory", kMemoryModeIds[size_t(run.memory)]);
}

}  // namespace tonescope
