// Statistics of the difference of two images, on the CPU.
#pragma once

#include <stop_token>

#include "gpu/core/difference.h"
#include "gpu/core/image.h"

namespace tonescope {

/// Both images have the same sides. SSIM as Z. Wang, A. C. Bovik, H. R. Sheikh and E. P. Simoncelli define it ("Image
/// quality assessment: from error visibility to structural similarity", IEEE Transactions on Image Processing 13(4),
/// 2004): an 11x11 Gaussian window with a standard deviation of 1.5 pixels, K1 = 0.01, K2 = 0.03, L = 255, at full
/// size. Uses `threads` threads. Garbage once `stop` is set.
DifferenceStatistics measure_difference(const ImageView& before, const ImageView& after, int threads,
                                        std::stop_token stop = {});

}  // namespace tonescope
