// Situations of working with the window: palette, presets, settings, themes, the start page.
#pragma once

#include "tests/ui/scenes/scenes.h"

namespace tonescope::ui {

/// `base` shows an image, `empty` none.
void add_working_scenes(std::vector<Scene>& scenes, const Model& base, Model empty);

}  // namespace tonescope::ui
