// Times of runs and frames, as situations.
#pragma once

#include "tests/ui/scenes/scenes.h"

namespace tonescope::ui {

/// Completes Timings::stages with best times and histories, and adds frames, bandwidth and subject.
void add_times(Model& model, BackendKind backend);
/// `base`: a model with times.
void add_timings_scenes(std::vector<Scene>& scenes, const Model& base);

}  // namespace tonescope::ui
