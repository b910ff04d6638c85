// How much two images of the same size differ.
#pragma once

#include <cstdint>
#include <optional>

namespace tonescope {

/// Over the colour channels; alpha does not count, and a gray image counts as one with three equal channels beside a
/// coloured one.
struct DifferenceStatistics {
    int64_t pixels = 0;
    int64_t changed = 0;  // pixels in which any channel differs
    double mean = 0;      // of the channels' absolute differences, levels
    int largest = 0;      // absolute difference, levels
    double psnr_db = 0;   // 10 log10(255^2 / mean squared difference); infinite where nothing differs
    /// Structural similarity of the lumas, the mean over all positions of a window that lie inside the image. Empty
    /// where a side is below the window's 11 pixels.
    std::optional<double> ssim = {};
};

}  // namespace tonescope
