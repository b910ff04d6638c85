// Made-up comparisons of variants.
#pragma once

#include "tests/ui/scenes/scenes.h"

namespace tonescope::ui {

/// A finished comparison of an operator: every variant a little faster than the one before, the third slower.
ComparisonModel made_up_comparison(std::string_view op, bool with_gpu);

/// `base`: a model with an image.
void add_comparison_scenes(std::vector<Scene>& scenes, const Model& base);

}  // namespace tonescope::ui
