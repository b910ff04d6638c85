// Histograms for the panels, counted on the CPU.
#pragma once

#include <stop_token>

#include "gpu/core/histogram.h"
#include "gpu/core/image.h"

namespace tonescope {

/// The pixels of `part` as an image of their own, in place. The part lies inside the image.
ImageView part_of(const ImageView& image, const Rect& part);
/// What of a region lies inside an image, one pixel at least; the whole image where the region is empty.
Rect region_inside(const Rect& region, const ImageSpec& spec);

/// Counts red, green, blue and luma (gray: luma alone) with `threads` threads. Garbage once `stop` is set.
DisplayHistogram count_display_histogram(const ImageView& image, int threads, std::stop_token stop = {});
/// Counts each sample of a deep image, likewise.
SampleHistogram count_samples(const ImageView& image, int threads, std::stop_token stop = {});
/// Counts 10-bit luma, likewise.
FineHistogram count_fine_histogram(const ImageView& image, int threads, std::stop_token stop = {});

}  // namespace tonescope
