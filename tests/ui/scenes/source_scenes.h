// Situations with the source of a variant.
#pragma once

#include "tests/ui/scenes/scenes.h"

namespace tonescope::ui {

/// A variant on the GPU that builds on another, with what its kernels took in the last run.
Model make_source_model(const Model& base);
void show_source(Driver& driver, SourceLook look);

void add_source_scenes(std::vector<Scene>& scenes, const Model& base);

}  // namespace tonescope::ui
