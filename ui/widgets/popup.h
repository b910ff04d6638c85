// Small dialogs in the middle of the window.
#pragma once

#include "ui/widgets/widgets.h"

namespace tonescope::ui {

/// A small dialog over the window.
struct PopupState {
    bool requested = false;
    bool open = false;
};

/// Opens it where that was asked for; true while it is shown: draw into it, then call end_popup(). Escape and the cross
/// beside the title close it. `size`: pixels, cut to the window.
bool begin_popup(Frame& ui, PopupState& state, const char* title, ImVec2 size);
void end_popup(PopupState& state, bool close = false);

}  // namespace tonescope::ui
