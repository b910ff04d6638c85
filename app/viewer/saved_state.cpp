#include "app/viewer/saved_state.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "app/options/preset.h"
#include "app/system/folder.h"
#include "gpu/core/error.h"
#include "ui/model/model.h"
#include "ui/views/view_modes.h"

namespace tonescope {
// An unknown name means the first value.
namespace ui {
NLOHMANN_JSON_SERIALIZE_ENUM(ThemeKind, {{ThemeKind::dark, "dark"}, {ThemeKind::light, "light"}})
NLOHMANN_JSON_SERIALIZE_ENUM(HistogramArea, {{HistogramArea::image, "image"}, {HistogramArea::visible, "visible"}})
}  // namespace ui
namespace fs = std::filesystem;
namespace {

constexpr int kVersion = 1;
constexpr int kMaxWindowSide_px = 32768;
constexpr auto kQuietBeforeSave = std::chrono::milliseconds(1200);

/// Hands each setting and its place in the file to `field`.
void each_setting(Json& json, auto& settings, const auto& field) {
    field(json["theme"], settings.theme);
    field(json["scale"], settings.scale);
    field(json["left_width"], settings.left_width);
    field(json["right_width"], settings.right_width);
    field(json["panels_shown"], settings.panels_shown);
    field(json["clipping_shown"], settings.clipping_shown);
    field(json["kernels_shown"], settings.kernels_shown);
    field(json["frame_shown"], settings.frame_shown);
    field(json["variant_shown"], settings.variant_shown);
    field(json["presets_shown"], settings.presets_shown);
    field(json["grid_panes"], settings.grid_panes);
    field(json["grid_rows"], settings.grid_rows);
    field(json["grid_image"], settings.grid_image);
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
        if (!place.is_null()) place.get_to(setting);
    });
    settings.scale = settings.scale > 0 ? std::clamp(settings.scale, ui::kMinScale, ui::kMaxScale) : 0;
    for (float* width : {&settings.left_width, &settings.right_width})
        *width = std::clamp(*width, ui::kPanelMin, ui::kPanelMax);
    settings.histogram.clip = {std::clamp(settings.histogram.clip.low, 0, 127),
                               std::clamp(settings.histogram.clip.high, 128, 255)};
    for (int* count : {&settings.grid_panes, &settings.grid_rows}) *count = std::clamp(*count, 2, ui::kMaxPanes);
    if (ui::find_view_mode(settings.view_mode) == nullptr) settings.view_mode.clear();
    return settings;
}

Json choice_json(const Choice& choice) {
    Json json = preset_json({{}, choice.op, choice.params});
    json.erase("name");
    json["memory"] = kMemoryModeIds[size_t(choice.memory)];
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
    choice.variant = find_variant(choice.op->id, json.value("variant", ""));
    if (choice.variant == nullptr) return choice;
    choice.backend = choice.variant->backend;
    choice.variant_params = default_values(choice.variant->params);
    const Json values = json.value("variant_parameters", Json::object());
    for (const auto& [id, value] : values.items()) {
        const ParamInfo* info = find_param(choice.variant->params, id);
        if (info != nullptr && value.is_number_integer())
            choice.variant_params.set(*info, clamp_value(*info, value.get<int64_t>()));
    }
    return choice;
}

}  // namespace

std::string saved_state_path(bool is_screenshot) {
    if (const char* file = std::getenv("TONESCOPE_STATE")) return std::string_view(file) == "none" ? "" : file;
    const std::string folder = user_folder("XDG_STATE_HOME", "/.local/state");
    return is_screenshot || folder.empty() ? "" : folder + "/state.json";
}

Json state_json(const SavedState& state) {
    Json settings;
    each_setting(settings, state.settings, [](Json& place, const auto& setting) { place = setting; });
    Json json = {{"version", kVersion},
                 {"settings", settings},
                 {"recent", state.recent},
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
    const int version = json.at("version").get<int>();
    if (version != kVersion) throw UserError("it is of version " + std::to_string(version));
    SavedState state;
    state.settings = settings_from_json(json.value("settings", Json::object()));
    state.recent = json.value("recent", std::vector<std::string>());
    state.recent_folders = json.value("recent_folders", std::vector<std::string>());
    if (const auto place = json.find("window"); place != json.end()) {
        const auto side = [&](const char* key, int low) {
            return std::clamp(place->at(key).get<int>(), low, kMaxWindowSide_px);
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

SavedState read_saved_state(const std::string& path, std::string& problem) {
    std::error_code error;
    if (path.empty() || !fs::exists(path, error)) return {};
    std::string why;
    try {
        return state_from_json(read_json_file(path));
    } catch (const UserError& wrong) {
        why = wrong.what();
    } catch (const Json::exception&) {
        why = path + ": is not JSON as this program writes it";
    }
    const std::string aside = path + ".damaged";
    fs::rename(path, aside, error);
    problem = "The saved window state was not used (" + why + ")" +
              (error ? std::string("; it cannot be set aside") : "; it is now " + aside);
    return {};
}

StateWriter::StateWriter(std::string path, std::function<void()> wake)
    : path_(std::move(path)), wake_(std::move(wake)), thread_([this](std::stop_token quit) { work(quit); }) {}

void StateWriter::put(SavedState state) {
    {
        const std::lock_guard lock(mutex_);
        waiting_ = std::move(state);
    }
    changed_.notify_one();
}

std::string StateWriter::take_problem() {
    const std::lock_guard lock(mutex_);
    return std::exchange(problem_, {});
}

void StateWriter::work(std::stop_token quit) {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, quit, [&] { return waiting_.has_value(); });
        if (!waiting_) return;
        // The first change starts the clock: a state that keeps changing is written all the same.
        changed_.wait_for(lock, quit, kQuietBeforeSave, [] { return false; });
        const SavedState state = *std::exchange(waiting_, std::nullopt);
        lock.unlock();
        std::string problem;
        try {
            write_json_file(path_, state_json(state));
        } catch (const std::exception& error) {
            problem = error.what();
        }
        lock.lock();
        if (problem.empty() || std::exchange(failed_, true)) continue;
        problem_ = problem;
        wake_();
    }
}

}  // namespace tonescope
