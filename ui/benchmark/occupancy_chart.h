// Occupancy over the size of blocks, as NVIDIA's occupancy calculator draws it.
#pragma once

#include "gpu/core/timing.h"
#include "ui/benchmark/bar_chart.h"

namespace tonescope::ui {

/// Of a kernel whose occupancy is known: the curve, and the block that it was launched with as a mark on it.
void draw_occupancy(ChartPainter& painter, const KernelResources& kernel, const ChartRow& area);

}  // namespace tonescope::ui
