// Made-up experiments on the page "Sweep".
#pragma once

#include "tests/ui/scenes/scenes.h"

namespace tonescope::ui {

/// `base`: a model with an image.
void add_sweep_scenes(std::vector<Scene>& scenes, const Model& base);

}  // namespace tonescope::ui
