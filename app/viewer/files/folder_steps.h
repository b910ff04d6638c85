// Steps from the one open image to the next and the previous ones of its folder.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/system/folder.h"
#include "app/viewer/files/look_ups.h"
#include "app/viewer/files/notices.h"
#include "app/viewer/files/open_images.h"

namespace tonescope {

class FolderSteps {
  public:
    /// As neighbour_image(), on a worker.
    using Neighbour = std::function<std::string(const std::string& path, int by)>;

    /// `load` reads an image that has come in the place of another.
    FolderSteps(OpenImages& images, LookUps& look_ups, Notices& notices, std::function<void(OpenImage&)> load,
                Neighbour neighbour = neighbour_image);

    /// Steps that come while a neighbour is looked for are taken together when it is found.
    void step(int by);
    /// The current image is on screen.
    void arrived();
    /// Where the current image was stepped to and is not read, because it cannot be (`failed`) or shall not be, the one
    /// that was on screen comes back. False: it was not stepped to.
    bool go_back(bool failed);

  private:
    void find_neighbour();
    void show_neighbour(const std::string& path);

    OpenImages& images_;
    LookUps& look_ups_;
    Notices& notices_;
    std::function<void(OpenImage&)> load_;
    Neighbour neighbour_;
    int waiting_ = 0;                  // steps asked for since the search for a neighbour began
    std::optional<OpenImage> before_;  // was on screen before the steps
    uint64_t current_ = 0;             // the image that has come in its place
    std::string failed_;               // path of an image that cannot be read: the next step goes on from there
};

}  // namespace tonescope
