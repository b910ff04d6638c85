// Statistics of measured times, of histograms and of differences.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <vector>

#include "gpu/core/image.h"

namespace tonescope {

/// Median and spread over the runs, milliseconds.
struct TimeSummary {
    double median_ms = 0, p10_ms = 0, p90_ms = 0;
};

/// Percentiles are interpolated between neighboring values. `values_ms` holds one value or more.
TimeSummary summarize(std::vector<double> values_ms);

/// Amdahl's law: how many times as fast a program can get on `workers` when the share `sequential` (0 to 1) of its time
/// cannot be spread: 1 / (f + (1 - f) / N). By default on any number of them: 1 / f, infinite where f is 0.
double amdahl_bound(double sequential, double workers = std::numeric_limits<double>::infinity());

/// What a histogram of 8-bit values says in numbers. Of an empty one everything is 0. A value is clipped where it is 0
/// (shadows) or 255 (highlights).
struct HistogramStatistics {
    uint64_t pixels = 0;
    double mean = 0, deviation = 0;      // levels; the deviation divides by the number of pixels
    double entropy_bits = 0;             // Shannon's: sum of -p log2 p, 0 to 8
    int min = 0, max = 0;                // the least and the largest value that occurs
    double shadows = 0, highlights = 0;  // share of the pixels that is clipped, 0 to 1
};

HistogramStatistics statistics_of(const std::array<uint32_t, 256>& counts);

/// How much two images of the same size differ, over the color channels; alpha does not count, and a gray image counts
/// as one with three equal channels beside a colored one.
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

/// On the CPU (gpu/cpu). Both images have the same sides. SSIM as Z. Wang, A. C. Bovik, H. R. Sheikh and E. P.
/// Simoncelli define it ("Image quality assessment: from error visibility to structural similarity", IEEE Transactions
/// on Image Processing 13(4), 2004): an 11x11 Gaussian window with a standard deviation of 1.5 pixels, K1 = 0.01, K2 =
/// 0.03, L = 255, at full size. Uses `threads` threads. Garbage once `stop` is set.
DifferenceStatistics measure_difference(const ImageView& before, const ImageView& after, int threads,
                                        std::stop_token stop = {});

}  // namespace tonescope
