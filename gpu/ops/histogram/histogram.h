// Histogram lab (report D): 1024 bins of 8-bit counters that saturate at 255, and their plot.
#pragma once

#include <cstdint>

#include "gpu/core/histogram.h"
#include "gpu/core/image.h"

namespace tonescope {

inline constexpr int kPlotWidth_px = 1280;
inline constexpr int kPlotHeight_px = 720;

/// The plot that stands for a BinsResult as an image: the saturated counters over the true counts.
HostImage draw_bins_plot(const BinsResult& bins);

}  // namespace tonescope
