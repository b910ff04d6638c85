// Made-up comparisons of variants.
#pragma once

#include "tests/ui/scenes/scenes.h"

namespace tonescope::ui {

/// A finished comparison of an operator: every variant a little faster than the one before, the third slower.
BenchmarkModel made_up_benchmark(std::string_view op, bool with_gpu);

/// The same with roofs, and with what limits the variants, on the page "limits".
BenchmarkModel made_up_limits(std::string_view op, bool with_gpu = true);

/// Clicks on a chart's name, and moves the mouse out of the window.
void choose_chart(Driver& driver, const Model& model, const char* chart);

/// `base`: a model with an image.
void add_benchmark_scenes(std::vector<Scene>& scenes, const Model& base);

}  // namespace tonescope::ui
