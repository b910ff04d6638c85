#include "app/viewer/files/folder_listing.h"

#include <filesystem>

namespace tonescope {
namespace fs = std::filesystem;

void FolderListing::browse(const std::string& folder, bool presets) {
    folder_ = absolute_path(folder);
    presets_ = presets;
    loading_ = true;
    error_.clear();
    tasks_.start([folder = folder_, presets](std::stop_token) { return list_folder(folder, presets ? ".json" : ""); },
                 [this, folder = folder_, search = ++newest_](Outcome<std::vector<FolderEntry>> outcome) {
                     if (search != newest_) return;
                     loading_ = false;
                     error_ = outcome.error;
                     listed_folder_ = folder;
                     entries_ = std::move(outcome.value).value_or(std::vector<FolderEntry>());
                     ++revision_;
                 });
}

void FolderListing::written(const std::string& path) {
    if (fs::path(path).parent_path() == folder_) browse(folder_, presets_);
}

std::vector<std::string> FolderListing::paths() const {
    std::vector<std::string> paths;
    for (const FolderEntry& entry : entries_) paths.push_back((fs::path(listed_folder_) / entry.name).string());
    return paths;
}

void FolderListing::fill(ui::BrowserModel& model, const Thumbnails& thumbnails) {
    model.folder = folder_;
    model.loading = loading_;
    model.error = error_;
    const uint64_t revision = revision_ + thumbnails.revision();
    if (std::exchange(filled_revision_, revision) == revision) return;
    model.entries.clear();
    for (const FolderEntry& entry : entries_) {
        const std::string path = (fs::path(listed_folder_) / entry.name).string();
        model.entries.push_back({entry.name, entry.is_folder, entry.size_bytes, entry.modified, thumbnails.of(path)});
    }
}

}  // namespace tonescope
