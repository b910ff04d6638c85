#include "app/viewer/files/presets.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/system/json_file.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

struct Imported {
    std::optional<Preset> preset;
    bool is_new = false;
    std::string error;
};

Imported import_preset(const std::string& path) {
    try {
        const Preset preset = load_preset(path);
        const std::string own = preset_path(preset.name);
        std::error_code error;
        const bool is_new = !fs::exists(own, error);
        if (error) throw UserError(own + ": " + error.message());
        if (is_new) write_json_file(own, preset_json(preset));
        return {preset, is_new, {}};
    } catch (const UserError& error) {
        return {{}, false, error.what()};
    }
}

}  // namespace

Presets::Presets(Tasks& tasks, Saves& saves, Notices& notices, std::function<void(const Preset&)> choose)
    : tasks_(tasks), saves_(saves), notices_(notices), choose_(std::move(choose)) {
    find();
}

void Presets::find() {
    struct Found {
        std::vector<Preset> presets;
        std::vector<std::string> problems;
    };
    tasks_.start(
        [](std::stop_token) {
            Found found;
            found.presets = list_presets(found.problems);
            return found;
        },
        [this, search = ++newest_search_](Outcome<Found> outcome) {
            if (!outcome.value || search != newest_search_) return;
            for (const std::string& problem : outcome.value->problems) notices_.add(ui::Severity::warning, problem);
            all_ = std::move(outcome.value->presets);
        });
}

void Presets::save(const Preset& preset, bool overwrite) {
    if (!overwrite && std::ranges::find(all_, preset.name, &Preset::name) != all_.end()) return;
    tasks_.start(
        [preset](std::stop_token) {
            write_json_file(preset_path(preset.name), preset_json(preset));
            return true;
        },
        [this, name = preset.name](const Outcome<bool>& outcome) {
            if (outcome.value)
                notices_.add(ui::Severity::info,
                             "Saved the preset " + name + ": tonescope --preset finds it by this name");
            else
                notices_.add(ui::Severity::error, outcome.error);
            find();
        });
}

void Presets::remove(const std::string& name) {
    tasks_.start([name](std::stop_token) { return fs::remove(preset_path(name)); },
                 [this](const Outcome<bool>& outcome) {
                     if (!outcome.value) notices_.add(ui::Severity::error, outcome.error);
                     find();
                 });
}

void Presets::export_file(const std::string& name, const std::string& path) {
    const auto preset = std::ranges::find(all_, name, &Preset::name);
    if (preset == all_.end()) return;
    saves_.export_file(path,
                       [path, exported = *preset](std::stop_token) { write_json_file(path, preset_json(exported)); });
}

void Presets::import_files(const std::vector<std::string>& paths) {
    tasks_.start(
        [paths](std::stop_token) {
            std::vector<Imported> all;
            for (const std::string& path : paths) all.push_back(import_preset(path));
            return all;
        },
        [this](const Outcome<std::vector<Imported>>& outcome) {
            if (!outcome.value) return notices_.add(ui::Severity::error, outcome.error);
            for (const auto& [preset, is_new, error] : *outcome.value) {
                if (!preset) {
                    notices_.add(ui::Severity::error, error);
                    continue;
                }
                choose_(*preset);
                notices_.add(ui::Severity::info,
                             is_new ? "Loaded and kept the preset " + preset->name
                                    : "Loaded the preset " + preset->name + "; yours of this name stays");
            }
            find();
        });
}

void Presets::fill(ui::PresetsModel& model) const {
    model.entries.clear();
    for (const Preset& preset : all_)
        model.entries.push_back({preset.name, preset.op, preset.params, preset_path(preset.name)});
}

}  // namespace tonescope
