// Steps from the one open image to the next and the previous ones of its folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/system/folder.h"
#include "app/system/tasks.h"
#include "app/viewer/files/notices.h"
#include "app/viewer/files/open_images.h"

namespace tonescope {

class FolderSteps {
  public:
    /// Does what neighbor_image() does; runs on a worker.
    using Neighbor = std::function<std::string(const std::string& path, int by)>;

    /// `load` reads an image that has come in the place of another.
    FolderSteps(OpenImages& images, Tasks& tasks, Notices& notices, std::function<void(OpenImage&)> load,
                Neighbor neighbor = neighbor_image)
        : images_(images), tasks_(tasks), notices_(notices), load_(std::move(load)), neighbor_(std::move(neighbor)) {}

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
    /// that was on screen comes back. False: it was not stepped to.
    bool go_back(bool failed) {
        if (!before_ || !is_current(current_)) return false;
        failed_ = failed ? images_.current()->path : "";
        images_.put_back(*std::exchange(before_, std::nullopt));
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
        const std::string from = failed_.empty() ? current->path : failed_;
        tasks_.look_up(
            kStepping, [from, by, neighbor = neighbor_](std::stop_token) { return neighbor(from, by); },
            [this, from, id = current->id](const Outcome<std::string>& outcome) {
                if (!outcome.error.empty()) notices_.error(outcome.error);
                // Where the image that the step began at has turned out broken meanwhile, the one before it is back.
                const bool is_due = images_.all().size() == 1 && (is_current(id) || failed_ == from);
                if (!outcome.value || !is_due) {
                    waiting_ = 0;
                    return;
                }
                show_neighbor(*outcome.value);
                find_neighbor();
            });
    }
    void show_neighbor(const std::string& path) {
        const OpenImage& current = *images_.current();
        if (path.empty() || path == current.path) return;
        if (current.image) before_ = current;
        OpenImage& next = images_.replace_current(path);
        current_ = next.id;
        failed_.clear();
        load_(next);
    }

    OpenImages& images_;
    Tasks& tasks_;
    Notices& notices_;
    std::function<void(OpenImage&)> load_;
    Neighbor neighbor_;
    int waiting_ = 0;                  // steps asked for since the search for a neighbor began
    std::optional<OpenImage> before_;  // was on screen before the steps
    uint64_t current_ = 0;             // the image that has come in its place
    std::string failed_;               // path of an image that cannot be read: the next step goes on from there
};

}  // namespace tonescope
