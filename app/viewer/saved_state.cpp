#include "app/viewer/saved_state.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/options/preset.h"
#include "app/system/user_folders.h"
#include "gpu/core/error.h"
#include "ui/model/model.h"
#include "ui/views/view_modes.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr int kVersion = 1;
constexpr size_t kMaxSavedRecent = 24;
constexpr int kMaxWindowSide_px = 32768;
constexpr auto kQuietBeforeSave = std::chrono::milliseconds(1200);
constexpr std::array<const char*, 2> kThemeIds = {"dark", "light"};
constexpr std::array<const char*, 2> kHistogramAreaIds = {"image", "visible"};

float number(const Json& json, const char* key, float fallback, float low, float high) {
    const double value = json.value(key, double(fallback));
    return std::isfinite(value) ? std::clamp(float(value), low, high) : fallback;
}

Json histogram_json(const ui::HistogramAppearance& look) {
    return {{"overlaid", look.overlaid},
            {"cumulative", look.cumulative},
            {"fine", look.fine},
            {"area", kHistogramAreaIds[size_t(look.area)]}};
}

ui::HistogramAppearance histogram_from_json(const Json& json) {
    ui::HistogramAppearance look;
    look.overlaid = json.value("overlaid", false);
    look.cumulative = json.value("cumulative", false);
    look.fine = json.value("fine", false);
    if (json.value("area", "") == kHistogramAreaIds[1]) look.area = ui::HistogramArea::visible;
    return look;
}

Json settings_json(const ui::Settings& settings) {
    return {{"theme", kThemeIds[size_t(settings.theme)]},
            {"scale", settings.scale},
            {"left_width", settings.left_width},
            {"right_width", settings.right_width},
            {"panels_shown", settings.panels_shown},
            {"kernels_shown", settings.kernels_shown},
            {"frame_shown", settings.frame_shown},
            {"variant_shown", settings.variant_shown},
            {"grid_panes", settings.grid_panes},
            {"grid_image", settings.grid_image},
            {"explains", settings.explains},
            {"view_mode", settings.view_mode},
            {"histogram", histogram_json(settings.histogram)}};
}

ui::Settings settings_from_json(const Json& json) {
    ui::Settings settings;
    if (json.value("theme", "") == kThemeIds[1]) settings.theme = ui::ThemeKind::light;
    const float scale = number(json, "scale", 0, 0, ui::kMaxScale);
    settings.scale = scale == 0 ? 0 : std::max(scale, ui::kMinScale);
    settings.left_width = number(json, "left_width", settings.left_width, ui::kPanelMin, ui::kPanelMax);
    settings.right_width = number(json, "right_width", settings.right_width, ui::kPanelMin, ui::kPanelMax);
    settings.panels_shown = json.value("panels_shown", true);
    settings.kernels_shown = json.value("kernels_shown", true);
    settings.grid_panes = std::clamp(json.value("grid_panes", settings.grid_panes), 2, ui::kMaxPanes);
    settings.grid_image = json.value("grid_image", false);
    settings.explains = json.value("explains", false);
    settings.frame_shown = json.value("frame_shown", false);
    settings.variant_shown = json.value("variant_shown", false);
    const std::string mode = json.value("view_mode", "");
    if (ui::find_view_mode(mode) != nullptr) settings.view_mode = mode;
    settings.histogram = histogram_from_json(json.value("histogram", Json::object()));
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
    const std::string folder = state_folder();
    return is_screenshot || folder.empty() ? "" : folder + "/state.json";
}

Json state_json(const SavedState& state) {
    Json json = {{"version", kVersion},
                 {"settings", settings_json(state.settings)},
                 {"histogram_log", state.histogram_log},
                 {"recent", state.recent}};
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
    state.histogram_log = json.value("histogram_log", false);
    state.recent = json.value("recent", std::vector<std::string>());
    if (state.recent.size() > kMaxSavedRecent) state.recent.resize(kMaxSavedRecent);
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

StateWriter::StateWriter(std::string path)
    : path_(std::move(path)), thread_([this](std::stop_token quit) { work(quit); }) {}

StateWriter::~StateWriter() {
    thread_.request_stop();
}

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
        if (!problem.empty() && !std::exchange(failed_, true)) problem_ = problem;
    }
}

}  // namespace tonescope
