// The options of the view modes.
#pragma once

#include <functional>

#include "ui/state.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

struct Options {
    float width = 0;
    std::function<void(ImVec2)> draw;  // from the left end
};

/// Of the mode that is shown; empty where it has none. `room`: the width there is at most.
Options options_of(Ui& ui, float room);
Options grid_options(Ui& ui, float room);

/// A button that is on or off; true when it was clicked.
bool toggle(Ui& ui, const char* label, const char* text, bool on, float width, const char* help, bool enabled = true);

}  // namespace tonescope::ui
