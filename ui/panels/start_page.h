// Middle, without an image: open, drop, recent files, samples.
#pragma once

#include "ui/model/files.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

class StartPage {
  public:
    void draw(Frame& ui, const StartPageModel& model, const std::string& opened_formats, const Area& area);
    /// In place of draw() where something else is shown.
    void hide() { shown_ = false; }

  private:
    bool shown_ = false;  // and its thumbnails have been asked for
};

}  // namespace tonescope::ui
