// The list of zooms over the figure in the status bar.
#pragma once

#include "ui/model/views.h"
#include "ui/widgets/popup.h"

namespace tonescope::ui {

class ZoomMenu {
  public:
    void open() { popup_.requested = true; }
    bool is_open() const { return popup_.open; }
    void draw(Frame& ui, const View& view, const Area& figure);

  private:
    PopupState popup_;
};

}  // namespace tonescope::ui
