#include "app/viewer/kept_json.h"

#include <cmath>

#include "app/options/preset.h"
#include "gpu/core/error.h"
#include "ui/views/view_modes.h"

namespace tonescope {
// An unknown name means the first value.
namespace ui {
NLOHMANN_JSON_SERIALIZE_ENUM(SourceLook, {{SourceLook::joined, "joined"},
                                          {SourceLook::plain, "plain"},
                                          {SourceLook::side_by_side, "side by side"}})
NLOHMANN_JSON_SERIALIZE_ENUM(HistogramArea, {{HistogramArea::image, "image"}, {HistogramArea::visible, "visible"}})
}  // namespace ui
namespace {

/// Hands each field and its place in the file to `field`.
void each_of_layout(Json& json, auto& layout, const auto& field) {
    field(json["left_width"], layout.left_width);
    field(json["right_width"], layout.right_width);
    field(json["panels_shown"], layout.panels_shown);
    field(json["clipping_shown"], layout.clipping_shown);
    field(json["figures_shown"], layout.figures_shown);
    field(json["window_shown"], layout.window_shown);
    field(json["part_shown"], layout.part_shown);
    field(json["kernels_shown"], layout.kernels_shown);
    field(json["frame_shown"], layout.frame_shown);
    field(json["variant_shown"], layout.variant_shown);
    field(json["presets_shown"], layout.presets_shown);
    field(json["suggestions_shown"], layout.suggestions_shown);
    field(json["flat_suggestions"], layout.flat_suggestions);
    field(json["source_shown"], layout.source_shown);
    field(json["source_share"], layout.source_share);
    field(json["source_look"], layout.source_look);
    field(json["grid_panes"], layout.grid_panes);
    field(json["grid_rows"], layout.grid_rows);
    field(json["grid_image"], layout.grid_image);
    field(json["grid_figure"], layout.grid_figure);
    field(json["grid_map"], layout.grid_map);
    field(json["explains"], layout.explains);
    field(json["view_mode"], layout.view_mode);
    Json& histogram = json["histogram"];  // last, since another key of an ordered object moves this one
    field(histogram["overlaid"], layout.histogram.overlaid);
    field(histogram["cumulative"], layout.histogram.cumulative);
    field(histogram["fine"], layout.histogram.fine);
    field(histogram["area"], layout.histogram.area);
    field(histogram["logarithmic"], layout.histogram.logarithmic);
    field(histogram["clip_low"], layout.histogram.clip.low);
    field(histogram["clip_high"], layout.histogram.clip.high);
    field(histogram["only_new_clipping"], layout.histogram.only_new_clipping);
}

Json window_json(const SampleWindow& window) {
    Json json = {{"inverse", window.inverse}};
    if (window.range)
        json.update({{"low", double(window.range->low) / SampleRange::kScale},
                     {"high", double(window.range->high) / SampleRange::kScale}});
    return json;
}

SampleWindow window_from_json(const Json& json) {
    SampleWindow window;
    window.inverse = json.value("inverse", false);
    if (!json.contains("low") || !json.contains("high")) return window;
    const auto hundredths = [&](const char* key) {
        constexpr double kMost = 2.0 * SampleRange::kMaxWidth;
        return std::llround(std::clamp(json[key].get<double>() * SampleRange::kScale, -kMost, kMost));
    };
    const int64_t low = hundredths("low");
    const int64_t width = std::max<int64_t>(hundredths("high") - low, 1);
    window.range = range_around(low + width / 2, width);
    return window;
}

}  // namespace

void check_version(const Json& json, int version) {
    const auto found = json.at("version").get<double>();
    if (found > version) throw UserError("it was written by a newer version of this program");
    if (found != version) throw Json::other_error::create(501, "an unknown version", nullptr);
}

void write_layout(Json& json, const ui::Layout& layout) {
    each_of_layout(json, layout, write_field);
}

void read_layout(Json json, ui::Layout& layout) {
    each_of_layout(json, layout, read_field);
    for (float* width : {&layout.left_width, &layout.right_width})
        *width = std::clamp(*width, ui::kPanelMin, ui::kPanelMax);
    layout.source_share = std::clamp(layout.source_share, ui::kMinShare, 1 - ui::kMinShare);
    layout.histogram.clip = {std::clamp(layout.histogram.clip.low, 0, 127),
                             std::clamp(layout.histogram.clip.high, 128, 255)};
    for (int* count : {&layout.grid_panes, &layout.grid_rows}) *count = std::clamp(*count, 2, ui::kMaxPanes);
    if (ui::find_view_mode(layout.view_mode) == nullptr) layout.view_mode.clear();
}

std::optional<BackendKind> backend_from_json(const Json& json) {
    const std::string name = json.value("backend", "");
    for (const BackendKind kind : {BackendKind::cpu, BackendKind::cuda})
        if (name == to_string(kind)) return kind;
    return std::nullopt;
}

Json choice_json(const Choice& choice) {
    Json json = preset_json({{}, choice.op, choice.params});
    json.erase("name");
    json["memory"] = kMemoryModeIds[size_t(choice.memory)];
    json["windows"] = {{"before", window_json(choice.windows.before)},
                       {"after", window_json(choice.windows.after)},
                       {"linked", choice.windows.linked}};
    if (choice.variant == nullptr) return json;
    json["variant"] = choice.variant->id;
    json["variant_parameters"] = params_json(choice.variant->params, choice.variant_params);
    return json;
}

Choice choice_from_json(const Json& json, const std::string& source) {
    const Preset preset = preset_from_json(json, source);
    Choice choice;
    choice.op = preset.op;
    choice.params = preset.params;
    const auto memory = std::ranges::find(kMemoryModeIds, json.value("memory", ""));
    if (memory != std::end(kMemoryModeIds)) choice.memory = MemoryMode(memory - std::begin(kMemoryModeIds));
    const Json windows = json.value("windows", Json::object());
    choice.windows.linked = windows.value("linked", true);
    choice.windows.before = window_from_json(windows.value("before", Json::object()));
    choice.windows.after =
        choice.windows.linked ? choice.windows.before : window_from_json(windows.value("after", Json::object()));
    choice.variant = find_variant(choice.op->id, json.value("variant", ""));
    if (choice.variant == nullptr) return choice;
    choice.backend = choice.variant->backend;
    choice.variant_params = default_values(choice.variant->params);
    const Json values = json.value("variant_parameters", Json::object());
    for (const auto& [id, value] : values.items()) {
        const ParamInfo* info = find_param(choice.variant->params, id);
        if (info != nullptr && value.is_number_integer())
            choice.variant_params.set(*info, clamp_value(*info, number_from<int>(value)));
    }
    return choice;
}

}  // namespace tonescope
