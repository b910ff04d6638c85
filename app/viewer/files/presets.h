// The user's named presets: found, kept, handed on, deleted.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/options/preset.h"
#include "app/viewer/files/notices.h"
#include "app/viewer/files/saves.h"
#include "ui/model/run.h"

namespace tonescope {

class Presets {
  public:
    /// `choose` takes the settings of a preset that was imported.
    Presets(Tasks& tasks, Saves& saves, Notices& notices, std::function<void(const Preset&)> choose);

    /// Nothing happens where there is one of this name, unless `overwrite`.
    void save(const Preset& preset, bool overwrite);
    void remove(const std::string& name);
    void export_file(const std::string& name, const std::string& path);
    /// Files that someone has handed on; the last one's settings are chosen. A preset of the same name stays.
    void import_files(const std::vector<std::string>& paths);
    /// By name.
    const std::vector<ui::PresetEntry>& all() const { return all_; }

  private:
    /// Looks for all, on a worker.
    void find();
    /// Runs `work` on a worker, and then `done` with what it has returned.
    template <class Work, class Done>
    void change(Work work, Done done);

    Tasks& tasks_;
    Saves& saves_;
    Notices& notices_;
    std::function<void(const Preset&)> choose_;
    std::vector<ui::PresetEntry> all_;
    std::stop_source search_;
};

}  // namespace tonescope
