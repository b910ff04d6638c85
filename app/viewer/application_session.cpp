// What lasts from run to run: recent files, what was chosen last; and presets.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/system/json_file.h"
#include "app/system/resources.h"
#include "app/viewer/application.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxRecent = 24;

ui::FileEntry file_entry(const std::string& path) {
    const fs::path file(path);
    return {path, file.filename().string(), file.parent_path().string(), false, {}};
}

}  // namespace

void Application::restore(const SavedState& state) {
    recent_ = state.recent;
    model_.histogram.logarithmic = state.histogram_log;
    look_for_recent();
    chosen_backend_ = state.backend;
    if (!state.choice || options_.run_given) return;
    document_.choose(state.choice->document);
    if (options_.memory) document_.set_memory(*options_.memory);
    const bool is_free = options_.backend == BackendChoice::automatic && chosen_backend_;
    if (is_free && (chosen_backend_ == BackendKind::cpu || pipeline_.cuda_available())) use_backend(*chosen_backend_);
}

void Application::keep(SavedState& state) const {
    state.recent = recent_;
    state.histogram_log = model_.histogram.logarithmic;
    state.choice = choice();
    state.backend = chosen_backend_;
}

void Application::remember(const std::string& path) {
    if (path.starts_with(clipboard_folder())) return;
    std::erase(recent_, path);
    recent_.insert(recent_.begin(), path);
    if (recent_.size() > kMaxRecent) recent_.resize(kMaxRecent);
    look_for_recent();
}

/// Disks may be slow, and networks down: one search at a time, or the workers would soon all hang.
void Application::look_for_recent() {
    fill_recent({});
    recent_asked_ = true;
    if (recent_running_) return;
    recent_running_ = true;
    recent_asked_ = false;
    background_.start(
        [paths = recent_](std::stop_token stop) {
            std::set<std::string> missing;
            std::error_code error;
            for (const std::string& path : paths)
                if (!stop.stop_requested() && !fs::exists(path, error) && !error) missing.insert(path);
            return missing;
        },
        [this](const Outcome<std::set<std::string>>& outcome) {
            recent_running_ = false;
            if (recent_asked_) return look_for_recent();
            if (outcome.value) fill_recent(*outcome.value);
        });
}

void Application::fill_recent(const std::set<std::string>& missing) {
    model_.start_page.recent.clear();
    for (const std::string& path : recent_) {
        ui::FileEntry& entry = model_.start_page.recent.emplace_back(file_entry(path));
        entry.missing = missing.contains(path);
        if (const auto known = thumbnails_.find(path); known != thumbnails_.end()) entry.thumbnail = known->second;
    }
    changed_ = true;
}

void Application::find_samples() {
    background_.start([](std::stop_token) { return sample_images(); },
                      [this](const Outcome<std::vector<std::string>>& outcome) {
                          if (!outcome.value) return;
                          for (const std::string& path : *outcome.value)
                              model_.start_page.samples.push_back(file_entry(path));
                          changed_ = true;
                      });
}

void Application::find_presets() {
    struct Found {
        std::vector<Preset> presets;
        std::vector<std::string> problems;
    };
    const uint64_t search = ++newest_preset_search_;
    background_.start(
        [](std::stop_token) {
            Found found;
            found.presets = list_presets(found.problems);
            return found;
        },
        [this, search](const Outcome<Found>& outcome) {
            if (!outcome.value || search != newest_preset_search_) return;
            for (const std::string& problem : outcome.value->problems) notify(ui::Severity::warning, problem);
            model_.presets.entries.clear();
            for (const Preset& preset : outcome.value->presets)
                model_.presets.entries.push_back({preset.name, preset.op, preset.params, preset_path(preset.name)});
            changed_ = true;
        });
}

void Application::save_preset(const std::string& name, bool overwrite) {
    const bool known =
        std::ranges::any_of(model_.presets.entries, [&](const auto& preset) { return preset.name == name; });
    if (known && !overwrite) return;
    const Preset preset{name, document_.op(), choice().document.params};
    background_.start(
        [preset](std::stop_token) {
            write_json_file(preset_path(preset.name), preset_json(preset));
            return true;
        },
        [this, name](const Outcome<bool>& outcome) {
            if (outcome.value) {
                notify(ui::Severity::info, "Saved the preset " + name + ": tonescope --preset finds it by this name");
            } else {
                notify(ui::Severity::error, outcome.error);
            }
            find_presets();
        });
}

void Application::delete_preset(const std::string& name) {
    background_.start([path = preset_path(name)](std::stop_token) { return fs::remove(path); },
                      [this](const Outcome<bool>& outcome) {
                          if (!outcome.value) notify(ui::Severity::error, outcome.error);
                          find_presets();
                      });
}

void Application::export_preset(const std::string& name, const std::string& path) {
    const auto preset = std::ranges::find(model_.presets.entries, name, &ui::PresetEntry::name);
    if (preset == model_.presets.entries.end()) return;
    unless_in_the_way(path, [this, path, exported = Preset{name, preset->op, preset->params}] {
        write_file(path, [exported, path](std::stop_token) { write_json_file(path, preset_json(exported)); });
    });
}

/// Files that someone has handed on. The last one's settings are taken.
void Application::import_presets(const std::vector<std::string>& paths) {
    struct Imported {
        std::optional<Preset> preset;
        bool is_new = false;
        std::string error;
    };
    const auto import = [](const std::string& path) -> Imported {
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
    };
    background_.start(
        [paths, import](std::stop_token) {
            std::vector<Imported> all;
            for (const std::string& path : paths) all.push_back(import(path));
            return all;
        },
        [this](const Outcome<std::vector<Imported>>& outcome) {
            if (!outcome.value) {
                notify(ui::Severity::error, outcome.error);
                return;
            }
            for (const auto& [preset, is_new, error] : *outcome.value) {
                if (!preset) {
                    notify(ui::Severity::error, error);
                    continue;
                }
                perform(ui::SetPreset{preset->op, preset->params});
                notify(ui::Severity::info, is_new ? "Loaded and kept the preset " + preset->name
                                                  : "Loaded the preset " + preset->name + "; yours of this name stays");
            }
            find_presets();
        });
}

}  // namespace tonescope
