// Histogram lab (report D): 1024 bins of 8-bit counters that saturate at 255, and their plot.
#pragma once

#include "gpu/core/registry.h"
#include "gpu/ops/no_data_param.h"

namespace tonescope::histogram {

inline constexpr int kPlotWidth_px = 1280;
inline constexpr int kPlotHeight_px = 720;

struct Params {
    NoDataParams no_data = {};

    /// The value, luma of colors, that is not counted, or kNothingLeftOut.
    int32_t left_out(const ImageSpec& image) const { return no_data.left_out(image, color_luma); }
};

/// The plot that stands for a BinsResult as an image: the saturated counters over the true counts.
HostImage draw_plot(const BinsResult& bins);

}  // namespace tonescope::histogram
