#include "app/viewer/files/recent_files.h"

#include <filesystem>

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxRecent = 24;

ui::FileEntry file_entry(const std::string& path, bool missing, const Thumbnails& thumbnails) {
    const fs::path file(path);
    return {path, file.filename().string(), file.parent_path().string(), missing, thumbnails.of(path)};
}

}  // namespace

RecentFiles::RecentFiles(Tasks& tasks, std::function<std::vector<std::string>()> find_samples) : tasks_(tasks) {
    tasks_.start([find_samples = std::move(find_samples)](std::stop_token) { return find_samples(); },
                 [this](Outcome<std::vector<std::string>> outcome) {
                     if (outcome.value) samples_ = std::move(*outcome.value);
                 });
}

void RecentFiles::set(std::vector<std::string> paths) {
    paths_ = std::move(paths);
    look_for_missing();
}

void RecentFiles::remember(const std::string& path) {
    std::erase(paths_, path);
    paths_.insert(paths_.begin(), path);
    if (paths_.size() > kMaxRecent) paths_.resize(kMaxRecent);
    look_for_missing();
}

/// Disks may be slow, and networks down: one search at a time, or the workers would soon all hang.
void RecentFiles::look_for_missing() {
    missing_.clear();
    asked_again_ = is_looking_;
    if (is_looking_) return;
    is_looking_ = true;
    tasks_.start(
        [paths = paths_](std::stop_token stop) {
            std::set<std::string> missing;
            std::error_code error;
            for (const std::string& path : paths)
                if (!stop.stop_requested() && !fs::exists(path, error) && !error) missing.insert(path);
            return missing;
        },
        [this](Outcome<std::set<std::string>> outcome) {
            is_looking_ = false;
            if (asked_again_) return look_for_missing();
            if (outcome.value) missing_ = std::move(*outcome.value);
        });
}

std::vector<std::string> RecentFiles::offered() const {
    std::vector<std::string> offered = samples_;
    for (const std::string& path : paths_)
        if (!missing_.contains(path)) offered.push_back(path);
    return offered;
}

void RecentFiles::fill(ui::StartPageModel& model, const Thumbnails& thumbnails) const {
    model.recent.clear();
    for (const std::string& path : paths_)
        model.recent.push_back(file_entry(path, missing_.contains(path), thumbnails));
    model.samples.clear();
    for (const std::string& path : samples_) model.samples.push_back(file_entry(path, false, thumbnails));
}

}  // namespace tonescope
