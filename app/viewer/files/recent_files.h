// What the start page offers to open: files opened lately, and samples.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "app/system/resources.h"
#include "app/system/tasks.h"
#include "app/viewer/files/thumbnails.h"
#include "ui/model/files.h"

namespace tonescope {

class RecentFiles {
  public:
    /// `find_samples` runs on a worker.
    explicit RecentFiles(Tasks& tasks,
                         std::function<std::vector<std::string>()> find_samples = tonescope::sample_images);

    /// In place of what was remembered; the newest first.
    void set(std::vector<std::string> paths);
    void remember(const std::string& path);
    /// The newest first.
    const std::vector<std::string>& paths() const { return paths_; }
    /// Recent files and samples, without those that are missing.
    std::vector<std::string> offered() const;
    void fill(ui::StartPageModel& model, const Thumbnails& thumbnails) const;

  private:
    void look_for_missing();

    Tasks& tasks_;
    std::vector<std::string> paths_, samples_;
    std::set<std::string> missing_;
    bool is_looking_ = false, asked_again_ = false;
};

}  // namespace tonescope
