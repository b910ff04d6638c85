#include "app/viewer/saved_state.h"

#include <algorithm>

#include "app/viewer/kept_json.h"
#include "gpu/core/error.h"

namespace tonescope {
// An unknown name means the first value.
namespace ui {
NLOHMANN_JSON_SERIALIZE_ENUM(ThemeKind, {{ThemeKind::dark, "dark"}, {ThemeKind::light, "light"}})
}  // namespace ui
namespace {

constexpr int kVersion = 1;
constexpr int kMaxWindowSide_px = 32768;

/// Hands each setting that is not part of the layout, and its place in the file, to `field`.
void each_setting(Json& json, auto& settings, const auto& field) {
    field(json["theme"], settings.theme);
    field(json["scale"], settings.scale);
    field(json["save_options"], settings.save_options);
    Json& folders = json["folders"];  // last, since another key of an ordered object moves this one
    field(folders["open"], settings.folders.open);
    field(folders["save"], settings.folders.save);
    field(folders["comparison"], settings.folders.comparison);
    field(folders["preset"], settings.folders.preset);
}

ui::Settings settings_from_json(Json json) {
    ui::Settings settings;
    read_layout(json, settings);
    each_setting(json, settings, read_field);
    settings.scale = settings.scale > 0 ? std::clamp(settings.scale, ui::kMinScale, ui::kMaxScale) : 0;
    return settings;
}

}  // namespace

Json state_json(const SavedState& state) {
    Json settings = Json::object();
    each_setting(settings, state.settings, write_field);
    write_layout(settings, state.settings);
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
    check_version(json, kVersion);
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
    state.backend = backend_from_json(json);
    try {
        if (const auto choice = json.find("choice"); choice != json.end())
            state.choice = choice_from_json(*choice, "state");
    } catch (const UserError&) {  // this build does not know the operator, or a parameter is not what it was
    }
    return state;
}

}  // namespace tonescope
