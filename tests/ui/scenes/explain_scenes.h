// Made-up situations of "Explain".
#pragma once

#include "tests/ui/scenes/scenes.h"

namespace tonescope::ui {

/// `image`: the one that `base` shows.
void add_explain_scenes(std::vector<Scene>& scenes, const Model& base, const HostImage& image);

}  // namespace tonescope::ui
