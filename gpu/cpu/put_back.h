// Puts the result of a part of an image back into the image.
#pragma once

#include <stop_token>

#include "gpu/core/part/result_part.h"

namespace tonescope {

/// Which pixels of an image an output holds: its pixel (i, j) is the image's pixel (x + i * step, y + j * step).
struct PixelRaster {
    int x = 0, y = 0, step = 1;
};

/// Writes `output`, `threads` threads at a time: the image outside of the part, blended with the result inside. `made`
/// holds the result of the output's pixels `at`, which are those inside the filtered rectangle; it may be these pixels
/// of `output` themselves. Of a color image whose result is gray, the luma stays. Incomplete once `stop` is set.
void put_back(const ImageView& image, const ResultPart& part, const ImageView& made, const Rect& at,
              const MutableImageView& output, int threads, const std::stop_token& stop, const PixelRaster& raster = {});

}  // namespace tonescope
