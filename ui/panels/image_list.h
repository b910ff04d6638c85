// Left, on top: the open images.
#pragma once

#include <string>
#include <vector>

#include "ui/model/files.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

class ImageList {
  public:
    void draw(Frame& ui, const ImagesModel& images);

  private:
    /// Scrolls to the current image when another one becomes it.
    void follow_current(int current, float row, float height);

    int current_ = -1;                 // as of the last frame
    std::vector<std::string> wanted_;  // what the last WantThumbnails said
};

}  // namespace tonescope::ui
