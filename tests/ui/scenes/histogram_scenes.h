// Made-up situations of the histograms, the selected rectangle and clipped pixels.
#pragma once

#include "tests/ui/scenes/scenes.h"

namespace tonescope::ui {

void add_histogram_scenes(std::vector<Scene>& scenes, const Model& base);

}  // namespace tonescope::ui
