// What the start page offers to open: files opened lately, and samples.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/system/folder.h"
#include "app/system/tasks.h"
#include "app/viewer/files/thumbnails.h"
#include "ui/model/files.h"

namespace tonescope {

class RecentFiles {
  public:
    static constexpr size_t kMaxFiles = 24, kMaxFolders = 12;

    explicit RecentFiles(Tasks& tasks) : tasks_(tasks) {
        tasks_.start([](std::stop_token) { return sample_images(); },
                     [this](Outcome<std::vector<std::string>> outcome) {
                         if (outcome.value) samples_ = std::move(*outcome.value);
                     });
    }

    /// Replaces the recent files; the newest comes first.
    void set(std::vector<std::string> paths) {
        paths_ = std::move(paths);
        if (paths_.size() > kMaxFiles) paths_.resize(kMaxFiles);
        look_for_missing();
    }
    void remember(const std::string& path) {
        std::vector<std::string> paths = paths_;
        std::erase(paths, path);
        paths.insert(paths.begin(), path);
        set(std::move(paths));
    }
    /// Which page of a recent file was shown last, from 0.
    void remember_page(const std::string& path, int page) {
        if (page > 0 && std::ranges::find(paths_, path) != paths_.end())
            pages_[path] = page;
        else
            pages_.erase(path);
    }
    int page_of(const std::string& path) const {
        const auto found = pages_.find(path);
        return found == pages_.end() ? 0 : found->second;
    }
    /// Of the recent files of which that is not the first one.
    void set_pages(std::map<std::string, int> pages) { pages_ = std::move(pages); }
    std::map<std::string, int> pages() const {
        std::map<std::string, int> pages = pages_;
        std::erase_if(pages, [&](const auto& page) { return std::ranges::find(paths_, page.first) == paths_.end(); });
        return pages;
    }
    /// Replaces the folders that were used in dialogs; the newest comes first.
    void set_folders(std::vector<std::string> paths) {
        folders_ = std::move(paths);
        if (folders_.size() > kMaxFolders) folders_.resize(kMaxFolders);
    }
    void remember_folder(const std::string& path) {
        std::vector<std::string> folders = folders_;
        std::erase(folders, path);
        folders.insert(folders.begin(), path);
        set_folders(std::move(folders));
    }
    const std::vector<std::string>& used_folders() const { return folders_; }
    /// Folders used in dialogs and those of the recent files, the newest first.
    std::vector<std::string> folders() const {
        std::vector<std::string> all = folders_;
        for (const std::string& path : paths_) {
            std::string folder = std::filesystem::path(path).parent_path().string();
            if (std::ranges::find(all, folder) == all.end()) all.push_back(std::move(folder));
        }
        if (all.size() > kMaxFolders) all.resize(kMaxFolders);
        return all;
    }
    /// The recent files, the newest first.
    const std::vector<std::string>& paths() const { return paths_; }
    /// Recent files and samples, without those that are missing.
    std::vector<std::string> offered() const {
        std::vector<std::string> offered = samples_;
        for (const std::string& path : paths_)
            if (!missing_.contains(path)) offered.push_back(path);
        return offered;
    }
    void fill(ui::StartPageModel& model, const Thumbnails& thumbnails) const {
        const auto entries_of = [&](const std::vector<std::string>& paths) {
            std::vector<ui::FileEntry> entries;
            for (const std::string& path : paths) {
                const std::filesystem::path file(path);
                entries.push_back({path, file.filename().string(), file.parent_path().string(), missing_.contains(path),
                                   thumbnails.of(path), thumbnails.is_too_large(path)});
            }
            return entries;
        };
        model = {entries_of(paths_), entries_of(samples_)};
    }

  private:
    /// Disks may be slow, and networks down: one search at a time, or the workers would soon all hang.
    void look_for_missing() {
        missing_.clear();
        asked_again_ = is_looking_;
        if (is_looking_) return;
        is_looking_ = true;
        tasks_.start(
            [paths = paths_](std::stop_token stop) {
                std::set<std::string> missing;
                std::error_code error;
                for (const std::string& path : paths)
                    if (!stop.stop_requested() && !std::filesystem::exists(path, error) && !error) missing.insert(path);
                return missing;
            },
            [this](Outcome<std::set<std::string>> outcome) {
                is_looking_ = false;
                if (asked_again_) return look_for_missing();
                if (outcome.value) missing_ = std::move(*outcome.value);
            });
    }

    Tasks& tasks_;
    std::vector<std::string> paths_, folders_, samples_;
    std::map<std::string, int> pages_;
    std::set<std::string> missing_;
    bool is_looking_ = false, asked_again_ = false;
};

}  // namespace tonescope
