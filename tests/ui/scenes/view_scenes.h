// The view modes and what lies over the views, as situations.
#pragma once

#include "tests/ui/scenes/scenes.h"

namespace tonescope::ui {

/// `base`: an image with its result. `plot`: the picture of a plot, which has sides of its own.
void add_view_scenes(std::vector<Scene>& scenes, const Model& base, const Picture& plot);

}  // namespace tonescope::ui
