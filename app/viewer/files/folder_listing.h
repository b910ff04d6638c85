// The folder that the file dialog shows.
#pragma once

#include <string>
#include <vector>

#include "app/system/folder.h"
#include "app/system/tasks.h"
#include "app/viewer/files/thumbnails.h"
#include "ui/model/files.h"

namespace tonescope {

class FolderListing {
  public:
    explicit FolderListing(Tasks& tasks) : tasks_(tasks) {}

    /// Images are listed, or preset files. What was listed before stays until the answer is there.
    void browse(const std::string& folder, bool presets = false);
    /// A file has been written: it may belong to the list.
    void written(const std::string& path);
    /// Paths of what is listed.
    std::vector<std::string> paths() const;
    /// Into the same model each time: its entries are made anew only when there is something new in them.
    void fill(ui::BrowserModel& model, const Thumbnails& thumbnails);

  private:
    Tasks& tasks_;
    std::string folder_, listed_folder_;  // asked for; that entries_ are of
    bool presets_ = false, loading_ = false;
    std::string error_;
    std::vector<FolderEntry> entries_;
    uint64_t newest_ = 0;  // older searches may end later
    uint64_t revision_ = 1, filled_revision_ = 0;
};

}  // namespace tonescope
