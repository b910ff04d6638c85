// Histograms of parts of images, and in 10 bits, counted on the CPU.
#pragma once

#include <stop_token>

#include "gpu/core/histogram.h"
#include "gpu/core/image.h"

namespace tonescope {

/// The pixels of `part` as an image of their own, in place. The part lies inside the image.
ImageView part_of(const ImageView& image, const Rect& part);

/// Counts 10-bit luma with `threads` threads. Garbage once `stop` is set.
FineHistogram count_fine_histogram(const ImageView& image, int threads, std::stop_token stop = {});

}  // namespace tonescope
