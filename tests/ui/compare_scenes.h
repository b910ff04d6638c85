// Made-up comparisons of rungs.
#pragma once

#include "tests/ui/scenes.h"

namespace tonescope::ui {

/// A finished comparison of an operator: every rung a little faster than the one before, the third slower.
ComparisonModel made_up_comparison(std::string_view op, bool with_gpu);

/// `base`: a model with an image.
void add_comparison_scenes(std::vector<Scene>& scenes, const Model& base);

}  // namespace tonescope::ui
