#include "app/window/ui_state.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "app/options/report.h"

namespace tonescope {
namespace {

constexpr size_t kMaxRecentNotices = 64;

Json document_json(const ui::Model& model) {
    const char* states[] = {"loading", "ready", "failed"};
    const Json images = json_list(model.images.entries, [&](const ui::ImageEntry& image) {
        return Json{{"name", image.name},
                    {"path", image.path},
                    {"state", states[int(image.state)]},
                    {"error", image.error},
                    {"replaced", image.replaced},
                    {"page", image.page + 1},
                    {"pages", image.pages},
                    {"has_thumbnail", !image.thumbnail.empty()}};
    });
    Json params = params_json(model.run.op->params, model.run.params);
    if (model.run.variant != nullptr) params.update(params_json(model.run.variant->params, model.run.variant_params));
    return {{"images", images},
            {"current", model.images.current},
            {"image", model.images.shown() == nullptr ? Json() : Json(model.images.shown()->path)},
            {"width", model.views.before.spec.width},
            {"height", model.views.before.spec.height},
            {"operator", model.run.op->id},
            {"variant", model.run.variant == nullptr ? Json() : Json(model.run.variant->id)},
            {"parameters", params},
            {"backend", to_string(model.run.backend)},
            {"memory", model.run.backend == BackendKind::cpu ? Json() : Json(kMemoryModeIds[size_t(model.run.memory)])},
            {"device", model.run.device_name},
            {"presenter", model.run.presenter},
            {"presenter_reason", model.run.presenter_reason}};
}

Json benchmark_json(const ui::BenchmarkModel& benchmark) {
    const char* states[] = {"waiting", "running", "done", "not run"};
    const Json variants = json_list(benchmark.variants, [&](const BenchmarkRow& variant) {
        return Json{{"variant", variant.id()},
                    {"state", states[int(variant.state)]},
                    {"result", variant.ran() ? variant.result_text(benchmark.op->makes_bins) : ""},
                    {"runs", variant.runs},
                    {"kernels_ms", variant.kernels.time.median_ms},
                    {"host_ms", variant.host_ms},
                    {"copies_ms", variant.copies_ms},
                    {"compute_ms", variant.compute.time.median_ms},
                    {"total_ms", variant.total.time.median_ms}};
    });
    return {{"shown", benchmark.shown},     {"page", benchmark.page},       {"operator", benchmark.op->id},
            {"running", benchmark.running}, {"stopped", benchmark.stopped}, {"progress", benchmark.progress},
            {"stale", benchmark.stale},     {"error", benchmark.error},     {"variants", variants}};
}

Json experiment_json(const ui::ExperimentModel& experiment) {
    const int measured =
        int(std::ranges::count_if(experiment.cases, [](const CaseRows& one) { return !one.rows.empty(); }));
    return {{"title", experiment.title},         {"operator", experiment.op->id},   {"running", experiment.running},
            {"stopped", experiment.stopped},     {"progress", experiment.progress}, {"error", experiment.error},
            {"cases", experiment.case_titles},   {"done", experiment.done},         {"measured", measured},
            {"claims", experiment.claims.size()}};
}

Json window_json(const SampleWindow& window, const ImageSpec& spec) {
    const SampleRange range = window.range_in(spec.max_sample);
    return {{"center", (double(range.low) + range.high) / 2 / SampleRange::kScale},
            {"width", double(range.width()) / SampleRange::kScale},
            {"inverse", window.inverse},
            {"full", window.is_full()}};
}

Json axis_json(const ui::GridAxis& axis) {
    if (axis.param.info == nullptr) return Json();
    const Json values = json_list(axis.values, [&](int32_t value) { return format_value(*axis.param.info, value); });
    return {{"parameter", axis.param.info->id}, {"values", values}};
}

Json grid_json(const ui::GridModel& grid) {
    return {{"parameter", grid.view.columns.param.info->id},
            {"columns", axis_json(grid.view.columns)},
            {"rows", axis_json(grid.view.rows)},
            {"cells", json_list(grid.cells, [&](const ui::GridCell& cell) {
                 const ui::GridAxis& columns = grid.view.columns;
                 const size_t column = size_t(&cell - grid.cells.data()) % columns.values.size();
                 return Json{{"value", format_value(*columns.param.info, columns.values[column])},
                             {"ms", cell.subject.ms},
                             {"shown", !cell.picture.empty() && !cell.is_stale},
                             {"busy", cell.busy},
                             {"figure", cell.is_measured && cell.figure ? Json(*cell.figure) : Json()},
                             {"error", cell.error}};
             })}};
}

std::string compared_with(const ui::PictureSubject& subject) {
    return ui::caption_of(subject, subject.run ? subject.name() : "").text();
}

Json pixel_json(const ui::Samples& value, int channels) {
    return std::vector<int>(value.begin(), value.begin() + channels);
}

Json numbers_json(const ui::PixelBlock& block) {
    return {{"region", rect_json(block.region)},
            {"values", json_list(block.values, [&](const auto& value) { return pixel_json(value, block.channels); })}};
}

Json explanation_json(const Explanation& explanation) {
    return {{"pixel", {explanation.pixel.x, explanation.pixel.y}},
            {"values", json_list(explanation.values,
                                 [](const ExplainedValue& value) {
                                     return Json{value.name, value.before, value.after};
                                 })},
            {"result", explanation.result},
            {"plot_of", explanation.plot_of}};
}

/// Hundredths of a millisecond.
double rounded(double ms) {
    return std::round(ms * 100) / 100;
}

Json frame_json(const FrameTimes& times) {
    const Json recent =
        json_list(times.recent(), [](const FrameTimes::Sample& sample) { return json_list(sample.ms, rounded); });
    return {{"count", times.count()},
            {"ui_ms_last", times.recent().empty() ? 0 : rounded(times.recent().back().work_ms())},
            {"ui_ms_max", rounded(times.slowest().work_ms())},
            {"gpu_ms", rounded(times.gpu_draw_ms())},
            {"parts", ui::kFramePartNames},
            {"recent", recent}};
}

}  // namespace

bool UiStateFile::write(const ui::Model& model, const ui::View& view, std::span<const ui::Widget> widgets, int width,
                        int height, const InputQueue::Seen& input, const FrameTimes& times, bool resting) {
    Json state = Json::object();
    state["document"] = document_json(model);
    state["view"] = {{"mode", view.mode},
                     {"fit", view.fit},
                     {"zoom", view.zoom},
                     {"center", {view.center_x, view.center_y}},
                     {"visible", rect_json(view.visible)}};
    state["histogram"] = {{"region", view.histogram_region.width > 0 ? rect_json(view.histogram_region) : Json()},
                          {"bins", view.fine_histogram ? kFineBins : model.views.before.spec.max_sample + 1}};
    state["clipping"] = model.histogram.clipping && view.clipping && !model.histogram.clipping_is_stale
                            ? clipping_json(*model.histogram.clipping, *view.clipping)
                            : Json();
    const SampleWindows& windows = model.views.windows;
    state["windows"] = {{"before", window_json(windows.before, model.views.before.spec)},
                        {"after", window_json(windows.after, model.views.after.spec)},
                        {"linked", windows.linked}};
    if (view.shows_numbers)
        state["numbers"] = {{"before", numbers_json(model.views.numbers_before)},
                            {"after", numbers_json(model.views.numbers_after)}};
    if (model.views.grid.view.is_shown()) state["grid"] = grid_json(model.views.grid);
    state["window"] = {{"width", width}, {"height", height}};
    state["input"] = {{"x", input.x},
                      {"y", input.y},
                      {"buttons", input.buttons},
                      {"presses", input.presses},
                      {"strokes", input.strokes},
                      {"turns", input.turns},
                      {"keys", input.keys.size()}};
    state["resting"] = resting;
    state["busy"] = model.work.busy;
    state["previewed"] = model.run.previewed;
    state["can_undo"] = model.run.can_undo;
    state["can_redo"] = model.run.can_redo;
    state["presets"] = json_list(model.presets.entries, [](const ui::PresetEntry& preset) { return preset.name; });
    state["recent"] = json_list(model.start_page.recent, [](const ui::FileEntry& file) {
        return Json{{"path", file.path}, {"missing", file.missing}};
    });
    state["command_line"] = model.run.command_line;
    const ResultPart& part = model.run.part;
    state["part"] = {{"region", part.has_region() ? Json(region_text(part.region)) : Json()},
                     {"feather", part.feather_px},
                     {"mask", part.mask == nullptr ? Json() : Json(part.mask_path)},
                     {"mask_inverse", part.mask_inverse}};
    state["compared_with"] = model.views.basis == ui::Basis::image ? "" : compared_with(model.views.before_subject);
    state["up_to_date"] = !model.views.after_is_stale;
    state["preview"] = !model.views.preview.empty();
    state["timings"] = json_list(model.timings.stages, [](const ui::StageRow& row) {
        return Json{{"stage", row.stage},
                    {"last_ms", row.last_ms},
                    {"median_ms", row.median_ms},
                    {"best_ms", row.best_ms},
                    {"runs", row.history_ms.size()}};
    });
    state["copy_gb_s"] = model.timings.copy_gb_s;
    state["kernels"] = kernels_json(model.timings.kernels);
    if (model.benchmark.op != nullptr) state["comparison"] = benchmark_json(model.benchmark);
    if (const auto& experiment = model.benchmark.experiment; experiment.op != nullptr)
        state["experiment"] = experiment_json(experiment);
    const char* severities[] = {"info", "warning", "error"};
    state["notices"] = json_list(model.notices, [&](const ui::Notice& notice) {
        return Json{{"severity", severities[int(notice.severity)]}, {"text", notice.text}};
    });
    for (const ui::Notice& notice : model.notices) {
        if (notice.id < next_notice_) continue;
        recent_notices_.push_back({{"id", notice.id}, {"text", notice.text}});
        next_notice_ = notice.id + 1;
    }
    if (recent_notices_.size() > kMaxRecentNotices) recent_notices_.erase(0);
    state["recent_notices"] = recent_notices_;
    if (model.views.pixel) {
        const ui::PixelInfo& pixel = *model.views.pixel;
        state["pixel"] = {{"x", pixel.x},
                          {"y", pixel.y},
                          {"before", pixel_json(pixel.before.value, pixel.before.channels)},
                          {"after", pixel_json(pixel.after.value, pixel.after.channels)}};
    }
    if (model.views.explanation) state["explanation"] = explanation_json(*model.views.explanation);
    state["widgets"] = json_list(widgets, [](const ui::Widget& widget) {
        return Json{{"label", widget.label},     {"rect", {widget.x, widget.y, widget.width, widget.height}},
                    {"value", widget.value},     {"panel", widget.panel},
                    {"enabled", widget.enabled}, {"old", widget.is_old}};
    });

    if (state == written_) return true;
    Json now = state;
    state["frame"] = frame_json(times);
    try {
        write_text_file(path_, to_text(state), {}, image_io::Sync::no);
    } catch (const std::bad_alloc&) {
        return false;
    }
    written_ = std::move(now);
    return true;
}

}  // namespace tonescope
