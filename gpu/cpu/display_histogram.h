// Histograms for the panels, counted on the CPU.
#pragma once

#include <stop_token>

#include "gpu/core/histogram.h"
#include "gpu/core/image.h"

namespace tonescope {

/// Counts red, green, blue and luma (gray: luma alone) with `threads` threads. Garbage once `stop` is set.
DisplayHistogram count_display_histogram(const ImageView& image, int threads, std::stop_token stop = {});

}  // namespace tonescope
