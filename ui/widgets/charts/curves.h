// Filled curves, as histograms draw them.
#pragma once

#include <span>

#include "ui/widgets/style.h"

namespace tonescope::ui {

/// The strip between a curve, its points from left to right, and a level line; drawn into the current window. The
/// curve itself is not drawn.
void fill_to_level(std::span<const ImVec2> curve, float level_y, ImU32 fill);

}  // namespace tonescope::ui
