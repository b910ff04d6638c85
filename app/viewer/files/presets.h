// The user's named presets: found, kept, handed on, deleted.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/options/preset.h"
#include "app/system/folder_lock.h"
#include "app/system/text_file.h"
#include "app/viewer/files/notices.h"
#include "app/viewer/files/saves.h"
#include "gpu/core/error.h"
#include "ui/model/run.h"

namespace tonescope {

class Presets {
  public:
    /// `choose` takes the settings of a preset that was imported.
    Presets(Tasks& tasks, Saves& saves, Notices& notices, std::function<void(const Preset&)> choose)
        : tasks_(tasks), saves_(saves), notices_(notices), choose_(std::move(choose)) {
        find();
    }

    /// Keeps a preset. Nothing happens where there is one of this name, unless `overwrite`.
    void save(const Preset& preset, bool overwrite) {
        if (!overwrite && std::ranges::find(all_, preset.name, &Preset::name) != all_.end()) return;
        change(
            [preset, overwrite](std::stop_token) {
                if (overwrite)
                    write_json_file(preset_path(preset.name), preset_json(preset));
                else if (!keep_new(preset))
                    throw UserError("another window has saved a preset " + preset.name +
                                    ": save this one again to replace it, or under another name");
                return true;
            },
            [this, name = preset.name](bool) {
                notices_.info("Saved the preset " + name + ": tonescope --preset finds it by this name");
            });
    }
    void remove(const std::string& name) {
        change([name](std::stop_token) { return std::filesystem::remove(preset_path(name)); }, [](bool) {});
    }
    void export_file(const std::string& name, const std::string& path) {
        const auto found = std::ranges::find(all_, name, &Preset::name);
        if (found == all_.end()) return;
        saves_.export_file(path, [preset = *found](const std::string& to, std::stop_token stop, FileProgress*) {
            write_json_file(to, preset_json(preset), std::move(stop));
        });
    }
    /// Takes files that someone has handed on; the settings of the last one are chosen. The user's own preset of the
    /// same name stays.
    void import_files(const std::vector<std::string>& paths) {
        change(
            [paths](std::stop_token) {
                std::vector<Imported> all;
                for (const std::string& path : paths) all.push_back(import_preset(path));
                return all;
            },
            [this](const std::vector<Imported>& all) {
                for (const auto& [preset, is_new, error] : all) {
                    if (!preset) {
                        notices_.error(error);
                        continue;
                    }
                    choose_(*preset);
                    notices_.info(is_new ? "Loaded and kept the preset " + preset->name
                                         : "Loaded the preset " + preset->name + "; yours of this name stays");
                }
            });
    }
    /// The presets, sorted by name.
    const std::vector<Preset>& all() const { return all_; }

  private:
    struct Imported {
        std::optional<Preset> preset;
        bool is_new = false;
        std::string error;
    };
    /// False: there is one of this name, which stays.
    static bool keep_new(const Preset& preset) {
        const std::string path = preset_path(preset.name);
        make_folder_of(path);
        const FolderLock lock(path);
        std::error_code error;
        const bool is_new = !std::filesystem::exists(path, error);
        if (error) throw UserError(path + ": " + error.message());
        if (is_new) write_json_file(path, preset_json(preset));
        return is_new;
    }
    static Imported import_preset(const std::string& path) {
        try {
            const Preset preset = load_preset(path);
            return {preset, keep_new(preset), {}};
        } catch (const UserError& error) {
            return {{}, false, error.what()};
        }
    }
    /// Looks for all presets, on a worker.
    void find() {
        struct Found {
            std::vector<Preset> presets;
            std::vector<std::string> problems;
        };
        search_.request_stop();  // which may end later than this one
        search_ = tasks_.start(
            [](std::stop_token) {
                Found found;
                found.presets = list_presets(found.problems);
                return found;
            },
            [this](Outcome<Found> outcome) {
                if (!outcome.value) return;
                for (const std::string& problem : outcome.value->problems) notices_.warning(problem);
                all_ = std::move(outcome.value->presets);
            });
    }
    /// Runs `work` on a worker, and then `done` with what it has returned.
    template <class Work, class Done>
    void change(Work work, Done done) {
        tasks_.start(std::move(work), [this, done = std::move(done)](const auto& outcome) {
            if (outcome.value)
                done(*outcome.value);
            else
                notices_.error(outcome.error);
            find();
        });
    }

    Tasks& tasks_;
    Saves& saves_;
    Notices& notices_;
    std::function<void(const Preset&)> choose_;
    std::vector<Preset> all_;
    std::stop_source search_;
};

}  // namespace tonescope
