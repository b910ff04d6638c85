// The histogram of an explanation with its limit, its curves and the pixel's value on them.
#pragma once

#include "gpu/core/explanation.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

/// Into the current window.
void draw_explained_plot(Frame& ui, const ExplainedPlot& plot, const Area& area);
/// What the lines mean, in one row at the cursor, which goes below.
void draw_explained_legend(Frame& ui, const ExplainedPlot& plot);

}  // namespace tonescope::ui
