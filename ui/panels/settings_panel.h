// How the window looks: theme, scale, presentation.
#pragma once

#include "ui/widgets/popup.h"

namespace tonescope::ui {

class SettingsPanel {
  public:
    void open() { popup_.requested = true; }
    void draw(Frame& ui);

  private:
    PopupState popup_;
};

/// By one step of the scales on offer.
void step_scale(Frame& ui, int by);

}  // namespace tonescope::ui
