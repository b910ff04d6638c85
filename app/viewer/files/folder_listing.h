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
    explicit FolderListing(Tasks& tasks) : tasks_(tasks) {}

    /// Lists images, or preset files. The list that was there before stays until the new one is known.
    void browse(const std::string& folder, bool presets = false) {
        folder_ = absolute_path(folder);
        presets_ = presets;
        loading_ = true;
        error_.clear();
        search_.request_stop();  // which may end later than this one
        search_ = tasks_.start(
            [folder = folder_, presets](std::stop_token) { return list_folder(folder, presets ? ".json" : ""); },
            [this](Outcome<std::vector<FolderEntry>> outcome) {
                loading_ = false;
                error_ = outcome.error;
                listed_folder_ = folder_;
                entries_ = std::move(outcome.value).value_or(std::vector<FolderEntry>());
                ++revision_;
            });
    }
    /// Lists the folder again where this file, which has been written, belongs to it.
    void written(const std::string& path) {
        if (std::filesystem::path(path).parent_path() == folder_) browse(folder_, presets_);
    }
    /// The paths of the entries.
    std::vector<std::string> paths() const {
        std::vector<std::string> paths;
        for (const FolderEntry& entry : entries_) paths.push_back((listed_folder_ / entry.name).string());
        return paths;
    }
    /// Makes the entries anew only when there is something new in them: the model must be the same each time.
    void fill(ui::BrowserModel& model, const Thumbnails& thumbnails) {
        model.folder = folder_;
        model.loading = loading_;
        model.error = error_;
        const uint64_t revision = revision_ + thumbnails.revision();
        if (std::exchange(filled_revision_, revision) == revision) return;
        model.entries.clear();
        for (const FolderEntry& entry : entries_)
            model.entries.push_back({entry.name, entry.is_folder, entry.size_bytes, entry.modified,
                                     thumbnails.of((listed_folder_ / entry.name).string())});
    }

  private:
    Tasks& tasks_;
    std::string folder_;                   // asked for
    std::filesystem::path listed_folder_;  // that entries_ are of
    bool presets_ = false, loading_ = false;
    std::string error_;
    std::vector<FolderEntry> entries_;
    std::stop_source search_;
    uint64_t revision_ = 1, filled_revision_ = 0;
};

}  // namespace tonescope
