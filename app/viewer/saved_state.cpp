#include "app/viewer/saved_state.h"

#include <algorithm>
#include <limits>

#include "app/options/preset.h"
#include "gpu/core/error.h"
#include "ui/model/model.h"
#include "ui/views/view_modes.h"

namespace tonescope {
// An unknown name means the first value.
namespace ui {
NLOHMANN_JSON_SERIALIZE_ENUM(ThemeKind, {{ThemeKind::dark, "dark"}, {ThemeKind::light, "light"}})
NLOHMANN_JSON_SERIALIZE_ENUM(SourceLook, {{SourceLook::joined, "joined"},
                                          {SourceLook::plain, "plain"},
                                          {SourceLook::side_by_side, "side by side"}})
NLOHMANN_JSON_SERIALIZE_ENUM(HistogramArea, {{HistogramArea::image, "image"}, {HistogramArea::visible, "visible"}})
}  // namespace ui
namespace {

constexpr int kVersion = 1;
constexpr int kMaxWindowSide_px = 32768;

/// A number that the type cannot hold becomes the nearest that it can. Throws what the JSON library throws where it is
/// no number.
template <class Number>
Number number_from(const Json& json) {
    using Limits = std::numeric_limits<Number>;
    return Number(std::clamp(json.get<double>(), double(Limits::lowest()), double(Limits::max())));
}

void take(const Json& json, auto& value) {
    json.get_to(value);
}
void take(const Json& json, int& value) {
    value = number_from<int>(json);
}
void take(const Json& json, float& value) {
    value = number_from<float>(json);
}
void take(const Json& json, SaveOptions& options) {
    for (const auto& [id, value] : json.items()) options[id] = number_from<int>(value);
}

/// Hands each setting and its place in the file to `field`.
void each_setting(Json& json, auto& settings, const auto& field) {
    field(json["theme"], settings.theme);
    field(json["scale"], settings.scale);
    field(json["left_width"], settings.left_width);
    field(json["right_width"], settings.right_width);
    field(json["panels_shown"], settings.panels_shown);
    field(json["clipping_shown"], settings.clipping_shown);
    field(json["figures_shown"], settings.figures_shown);
    field(json["window_shown"], settings.window_shown);
    field(json["kernels_shown"], settings.kernels_shown);
    field(json["frame_shown"], settings.frame_shown);
    field(json["variant_shown"], settings.variant_shown);
    field(json["presets_shown"], settings.presets_shown);
    field(json["source_shown"], settings.source_shown);
    field(json["source_share"], settings.source_share);
    field(json["source_look"], settings.source_look);
    field(json["grid_panes"], settings.grid_panes);
    field(json["grid_rows"], settings.grid_rows);
    field(json["grid_image"], settings.grid_image);
    field(json["grid_figure"], settings.grid_figure);
    field(json["grid_map"], settings.grid_map);
    field(json["explains"], settings.explains);
    field(json["view_mode"], settings.view_mode);
    field(json["save_options"], settings.save_options);
    Json& folders = json["folders"];
    field(folders["open"], settings.folders.open);
    field(folders["save"], settings.folders.save);
    field(folders["comparison"], settings.folders.comparison);
    field(folders["preset"], settings.folders.preset);
    Json& histogram = json["histogram"];  // last, since another key of an ordered object moves this one
    field(histogram["overlaid"], settings.histogram.overlaid);
    field(histogram["cumulative"], settings.histogram.cumulative);
    field(histogram["fine"], settings.histogram.fine);
    field(histogram["area"], settings.histogram.area);
    field(histogram["logarithmic"], settings.histogram.logarithmic);
    field(histogram["clip_low"], settings.histogram.clip.low);
    field(histogram["clip_high"], settings.histogram.clip.high);
    field(histogram["only_new_clipping"], settings.histogram.only_new_clipping);
}

ui::Settings settings_from_json(Json json) {
    ui::Settings settings;
    each_setting(json, settings, [](const Json& place, auto& setting) {
        if (!place.is_null()) take(place, setting);
    });
    settings.scale = settings.scale > 0 ? std::clamp(settings.scale, ui::kMinScale, ui::kMaxScale) : 0;
    for (float* width : {&settings.left_width, &settings.right_width})
        *width = std::clamp(*width, ui::kPanelMin, ui::kPanelMax);
    settings.source_share = std::clamp(settings.source_share, ui::kMinShare, 1 - ui::kMinShare);
    settings.histogram.clip = {std::clamp(settings.histogram.clip.low, 0, 127),
                               std::clamp(settings.histogram.clip.high, 128, 255)};
    for (int* count : {&settings.grid_panes, &settings.grid_rows}) *count = std::clamp(*count, 2, ui::kMaxPanes);
    if (ui::find_view_mode(settings.view_mode) == nullptr) settings.view_mode.clear();
    return settings;
}

Json window_json(const SampleWindow& window) {
    Json json = {{"inverse", window.inverse}};
    if (window.range) json.update({{"low", window.range->low}, {"high", window.range->high}});
    return json;
}

SampleWindow window_from_json(const Json& json) {
    SampleWindow window;
    window.inverse = json.value("inverse", false);
    if (!json.contains("low") || !json.contains("high")) return window;
    const int64_t low = number_from<int>(json["low"]);
    const int64_t high = number_from<int>(json["high"]);
    const int64_t width = std::max<int64_t>(high - low, 1);
    window.range = range_around(low + width / 2, width);
    return window;
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

/// Nothing where this build does not know the operator, or a parameter is not what it was.
std::optional<Choice> choice_from_json(const Json& json) {
    Choice choice;
    try {
        const Preset preset = preset_from_json(json, "state");
        choice.op = preset.op;
        choice.params = preset.params;
    } catch (const UserError&) {
        return std::nullopt;
    }
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

}  // namespace

Json state_json(const SavedState& state) {
    Json settings = Json::object();
    each_setting(settings, state.settings, [](Json& place, const auto& setting) { place = setting; });
    Json json = {{"version", kVersion},
                 {"settings", settings},
                 {"recent", state.recent},
                 {"recent_pages", state.recent_pages},
                 {"recent_folders", state.recent_folders}};
    if (state.window)
        json["window"] = {{"x", state.window->x},
                          {"y", state.window->y},
                          {"width", state.window->width},
                          {"height", state.window->height}};
    if (state.choice) json["choice"] = choice_json(*state.choice);
    if (state.backend) json["backend"] = to_string(*state.backend);
    return json;
}

SavedState state_from_json(const Json& json) {
    const auto version = json.at("version").get<double>();
    if (version > kVersion) throw UserError("it was written by a newer version of this program");
    if (version != kVersion) throw Json::other_error::create(501, "an unknown version", nullptr);
    SavedState state;
    state.settings = settings_from_json(json.value("settings", Json::object()));
    state.recent = json.value("recent", std::vector<std::string>());
    const Json pages = json.value("recent_pages", Json::object());
    for (const auto& [path, page] : pages.items()) state.recent_pages[path] = std::max(number_from<int>(page), 0);
    state.recent_folders = json.value("recent_folders", std::vector<std::string>());
    if (const auto place = json.find("window"); place != json.end()) {
        const auto side = [&](const char* key, int low) {
            return std::clamp(number_from<int>(place->at(key)), low, kMaxWindowSide_px);
        };
        state.window = {side("x", -kMaxWindowSide_px), side("y", -kMaxWindowSide_px), side("width", 320),
                        side("height", 200)};
    }
    const std::string backend = json.value("backend", "");
    for (const BackendKind kind : {BackendKind::cpu, BackendKind::cuda})
        if (backend == to_string(kind)) state.backend = kind;
    if (const auto choice = json.find("choice"); choice != json.end()) state.choice = choice_from_json(*choice);
    return state;
}

}  // namespace tonescope
