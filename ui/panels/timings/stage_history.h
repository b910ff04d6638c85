// The last runs of a stage as a curve.
#pragma once

#include "ui/model/timings.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

/// A small curve without axes; the mouse over it tells the run's time.
void draw_curve(Frame& ui, const StageRow& row, const Area& area);
/// At the cursor: a larger curve with its range, throughput and share of the memory's bandwidth (`copy_gb_s`; 0: not
/// known).
void draw_stage_details(Frame& ui, const StageRow& row, double copy_gb_s);

}  // namespace tonescope::ui
