// The folder that the file dialog shows.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/system/folder.h"
#include "app/system/tasks.h"
#include "app/viewer/files/thumbnails.h"
#include "ui/model/actions.h"
#include "ui/model/files.h"

namespace tonescope {

class FolderListing {
  public:
    /// Keeps folder and entries in `shown`.
    FolderListing(ui::BrowserModel& shown, Tasks& tasks) : shown_(shown), tasks_(tasks) {}

    /// Lists the folder that `path` names, or the folder of the file that it names, which is chosen then. The list that
    /// was there before stays until the new one is known.
    void browse(const ui::BrowseTo& asked) {
        shown_.folder = absolute_path(asked.path);
        shown_.chosen.clear();
        ++shown_.visit;
        kinds_ = asked.kinds;
        list(asked.or_above);
    }
    /// Lists the folder again where this file, which has been written, belongs to it.
    void written(const std::string& path) {
        if (std::filesystem::path(path).parent_path() == shown_.folder) list(false);
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
    struct Found {
        std::filesystem::path folder;
        std::string chosen;
        std::vector<ui::BrowserEntry> entries;
    };
    static Found look(std::filesystem::path path, ui::FileKinds kinds, bool or_above) {
        std::error_code error;
        while (or_above && path.has_relative_path() && !is_folder(path.string(), error)) {
            if (error && error != std::errc::permission_denied) break;  // list_folder() tells why
            path = path.parent_path();
        }
        Found found{path, {}, {}};
        if (std::filesystem::is_regular_file(path, error)) {
            found.chosen = path.filename().string();
            found.folder = path.parent_path();
        }
        found.entries = list_folder(found.folder.string(), kinds, found.chosen);
        return found;
    }
    void list(bool or_above) {
        shown_.loading = true;
        shown_.error.clear();
        search_.request_stop();  // which may end later than this one
        search_ = tasks_.start([folder = shown_.folder, kinds = kinds_,
                                or_above](std::stop_token) { return look(folder, kinds, or_above); },
                               [this](Outcome<Found> outcome) {
                                   shown_.loading = false;
                                   shown_.error = outcome.error;
                                   Found found = std::move(outcome.value).value_or(Found{shown_.folder, {}, {}});
                                   shown_.entries = std::move(found.entries);
                                   shown_.chosen = found.chosen;
                                   if (found.folder != shown_.folder) ++shown_.visit;
                                   shown_.folder = found.folder.string();
                                   listed_folder_ = shown_.folder;
                                   thumbnails_ = 0;
                               });
    }
    std::string path_of(const ui::BrowserEntry& entry) const { return (listed_folder_ / entry.name).string(); }

    ui::BrowserModel& shown_;
    Tasks& tasks_;
    std::filesystem::path listed_folder_;  // that the entries are of
    ui::FileKinds kinds_ = ui::kImageFiles;
    std::stop_source search_;
    uint64_t thumbnails_ = 0;  // their revision when the entries were given theirs
};

}  // namespace tonescope
