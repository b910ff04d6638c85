// Steps from the one open image to the next and the previous ones of its folder.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "app/system/file_watch.h"
#include "app/system/folder.h"
#include "app/system/tasks.h"
#include "app/viewer/files/notices.h"
#include "app/viewer/files/open_images.h"

namespace tonescope {

/// What to say where a step leads past the last or the first image.
inline std::string end_of_steps(int by, const std::string& name) {
    return name + (by > 0 ? " is the last image" : " is the first image");
}

class FolderSteps {
  public:
    /// Does what neighbor_image() does; runs on a worker.
    using Skips = std::function<bool(const std::string& path)>;
    using Neighbor = std::function<std::string(const std::string& path, int by, const Skips& is_skipped)>;

    /// `show` brings an image on screen that has come in the place of another, and reads it where it has no pixels.
    FolderSteps(OpenImages& images, Tasks& tasks, Notices& notices, std::function<void(OpenImage&)> show,
                Neighbor neighbor = neighbor_image)
        : images_(images), tasks_(tasks), notices_(notices), show_(std::move(show)), neighbor_(std::move(neighbor)) {}

    /// Steps that come while a neighbor is looked for are taken together when it is found.
    void step(int by) {
        const bool is_looking = tasks_.looks_up(kStepping);
        waiting_ = is_looking ? waiting_ + by : by;  // a search that was canceled takes its steps along
        if (!is_looking) find_neighbor();
    }
    /// To be called when the current image is on screen.
    void arrived() {
        before_.reset();
        failed_.clear();
    }
    /// Where the current image was stepped to and is not read, because it cannot be (`failed`) or shall not be, the one
    /// that was on screen comes back; from one that cannot be read the step goes on. False: it was not stepped to.
    bool go_back(bool failed) {
        if (!before_ || !is_current(current_)) return false;
        const OpenImage& current = *images_.current();
        failed_ = failed ? current.path : "";
        if (failed) broken_[current.path] = current.stamp;
        images_.put_back(*std::exchange(before_, std::nullopt));
        if (!failed) return true;
        waiting_ += direction_;
        if (!tasks_.looks_up(kStepping)) find_neighbor();
        return true;
    }

  private:
    static constexpr const char* kStepping = "Looking for the next image";

    bool is_current(uint64_t id) const {
        const OpenImage* current = std::as_const(images_).current();
        return current != nullptr && current->id == id;
    }
    void find_neighbor() {
        const int by = std::exchange(waiting_, 0);
        const OpenImage* current = images_.current();
        if (by == 0 || current == nullptr || images_.all().size() > 1) return;
        direction_ = by > 0 ? 1 : -1;
        const std::string from = failed_.empty() ? current->path : failed_;
        // A damaged file is not tried again before it has changed.
        const auto is_skipped = [broken = broken_](const std::string& path) {
            const auto known = broken.find(path);
            return known != broken.end() && known->second == file_stamp(path);
        };
        tasks_.look_up(
            kStepping,
            [from, by, is_skipped, neighbor = neighbor_](std::stop_token) { return neighbor(from, by, is_skipped); },
            [this, from, by, id = current->id](const Outcome<std::string>& outcome) {
                if (!outcome.error.empty()) notices_.error(outcome.error);
                // Where the image that the step began at has turned out broken meanwhile, the one before it is back.
                const bool is_due = images_.all().size() == 1 && (is_current(id) || failed_ == from);
                if (!outcome.value || !is_due) {
                    waiting_ = 0;
                    failed_.clear();
                    return;
                }
                if (outcome.value->empty() && failed_ != from)
                    notices_.info(end_of_steps(by, images_.current()->name()));
                show_neighbor(*outcome.value);
                find_neighbor();
            });
    }
    void show_neighbor(const std::string& path) {
        failed_.clear();
        const OpenImage& current = *images_.current();
        if (path.empty() || path == current.path) return;
        if (current.image) before_ = current;
        OpenImage& next = images_.replace_current(path);
        current_ = next.id;
        show_(next);
    }

    OpenImages& images_;
    Tasks& tasks_;
    Notices& notices_;
    std::function<void(OpenImage&)> show_;
    Neighbor neighbor_;
    int waiting_ = 0;                  // steps asked for since the search for a neighbor began
    std::optional<OpenImage> before_;  // was on screen before the steps
    uint64_t current_ = 0;             // the image that has come in its place
    int direction_ = 1;                // of the newest search
    std::string failed_;               // path of an image that cannot be read: the step goes on from there
    std::map<std::string, std::optional<FileStamp>> broken_;  // files that could not be read, as they were
};

}  // namespace tonescope
