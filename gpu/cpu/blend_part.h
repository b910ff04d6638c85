// What is left of the image in a result that takes the place of a part of it.
#pragma once

#include <stop_token>

#include "gpu/core/part/result_part.h"

namespace tonescope {

/// Blends a result with the image that it was made from, `threads` threads at a time. The pixel (i, j) of the result
/// stands for the image's pixel (x + i * step, y + j * step). Of a color image whose result is gray, the luma stays.
/// Incomplete once `stop` is set.
void blend_part(const ImageView& image, const ResultPart& part, const MutableImageView& result, int threads,
                const std::stop_token& stop, int x = 0, int y = 0, int step = 1);

}  // namespace tonescope
