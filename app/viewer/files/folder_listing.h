// The folder that the file dialog shows.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/system/folder.h"
#include "app/system/tasks.h"
#include "app/viewer/files/thumbnails.h"
#include "ui/model/files.h"

namespace tonescope {

class FolderListing {
  public:
    /// Keeps folder and entries in `shown`.
    FolderListing(ui::BrowserModel& shown, Tasks& tasks) : shown_(shown), tasks_(tasks) {}

    /// Lists images, or preset files. The list that was there before stays until the new one is known.
    void browse(const std::string& folder, bool presets = false) {
        shown_.folder = absolute_path(folder);
        shown_.loading = true;
        shown_.error.clear();
        presets_ = presets;
        search_.request_stop();  // which may end later than this one
        search_ = tasks_.start(
            [folder = shown_.folder, presets](std::stop_token) { return list_folder(folder, presets ? ".json" : ""); },
            [this](Outcome<std::vector<ui::BrowserEntry>> outcome) {
                shown_.loading = false;
                shown_.error = outcome.error;
                shown_.entries = std::move(outcome.value).value_or(std::vector<ui::BrowserEntry>());
                listed_folder_ = shown_.folder;
                thumbnails_ = 0;
            });
    }
    /// Lists the folder again where this file, which has been written, belongs to it.
    void written(const std::string& path) {
        if (std::filesystem::path(path).parent_path() == shown_.folder) browse(shown_.folder, presets_);
    }
    /// The paths of the entries.
    std::vector<std::string> paths() const {
        std::vector<std::string> paths;
        for (const ui::BrowserEntry& entry : shown_.entries) paths.push_back(path_of(entry));
        return paths;
    }
    /// Gives the entries their thumbnails, where entries or thumbnails are new.
    void add_thumbnails(const Thumbnails& thumbnails) {
        if (std::exchange(thumbnails_, thumbnails.revision()) == thumbnails.revision()) return;
        for (ui::BrowserEntry& entry : shown_.entries) entry.thumbnail = thumbnails.of(path_of(entry));
    }

  private:
    std::string path_of(const ui::BrowserEntry& entry) const { return (listed_folder_ / entry.name).string(); }

    ui::BrowserModel& shown_;
    Tasks& tasks_;
    std::filesystem::path listed_folder_;  // that the entries are of
    bool presets_ = false;
    std::stop_source search_;
    uint64_t thumbnails_ = 0;  // their revision when the entries were given theirs
};

}  // namespace tonescope
