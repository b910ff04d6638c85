// Statistics of measured times, of histograms, of clipped pixels and of differences.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
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

/// What a histogram with a bin a sample says in numbers. Of an empty one everything is 0.
struct HistogramStatistics {
    uint64_t pixels = 0;
    double mean = 0, deviation = 0;  // levels; the deviation divides by the number of pixels
    double entropy_bits = 0;         // Shannon's: sum of -p log2 p
    int min = 0, max = 0;            // the least and the largest value that occurs
    bool operator==(const HistogramStatistics&) const = default;
};

HistogramStatistics statistics_of(std::span<const uint32_t> counts);

/// A channel is clipped where its value is `low` or less, or `high` or more: detail may be lost there. A pixel is
/// clipped where any of its channels (of a gray image: its value) is; alpha does not count.
struct ClipThresholds {
    int low = 0, high = 255;  // samples: 0 <= low < high <= the greatest that the image can have
    bool operator==(const ClipThresholds&) const = default;
};

/// Pixels that are clipped at one end of the range.
struct ClippedPixels {
    std::array<uint64_t, 3> channels{};  // in red, green and blue; of a gray image all three count its value
    uint64_t any = 0;                    // in at least one channel
    uint64_t added = 0;                  // of these, the ones that no channel of the image before clips at this end
    bool operator==(const ClippedPixels&) const = default;
};
struct ClippingCounts {
    bool has_color = false;
    uint64_t pixels = 0;  // all that were looked at
    ClippedPixels low, high;
    uint64_t either = 0, either_added = 0;  // pixels that are clipped, or newly so, at one end or at both
    bool operator==(const ClippingCounts&) const = default;
};
/// Of two images, pixel for pixel.
struct Clipping {
    ClippingCounts before;
    std::optional<ClippingCounts> after;  // empty where there is none
    bool operator==(const Clipping&) const = default;
};

/// On the CPU (gpu/cpu), with `threads` threads. `after` may be null, and has otherwise the sides of `before`. The
/// thresholds are in samples of `before`, and are scaled for an `after` with another range. Garbage once `stop` is set.
Clipping measure_clipping(const ImageView& before, const ImageView* after, const ClipThresholds& thresholds,
                          int threads, std::stop_token stop = {});

/// How much two images of the same size differ, over the color channels; alpha does not count, and a gray image counts
/// as one with three equal channels beside a colored one.
struct DifferenceStatistics {
    int64_t pixels = 0;
    int64_t changed = 0;  // pixels in which any channel differs
    double mean = 0;      // of the channels' absolute differences, samples
    int largest = 0;      // absolute difference, samples
    double psnr_db = 0;   // 10 log10(M^2 / mean squared difference); infinite where nothing differs
    /// Structural similarity of the lumas, the mean over all positions of a window that lie inside the image. Empty
    /// where a side is below the window's 11 pixels.
    std::optional<double> ssim = {};
    /// The least difference that the largest channel difference of at least 99.9 % of the changed pixels does not
    /// exceed: what a picture of the difference should tell apart. 0 where nothing differs.
    int nearly_largest = 0;
    int max_sample = 255;  // M, the greatest sample of `after`
};

/// On the CPU (gpu/cpu). Both images have the same sides; samples of `before` are scaled to the range of `after` where
/// they have another one. SSIM as Z. Wang, A. C. Bovik, H. R. Sheikh and E. P.
/// Simoncelli define it ("Image quality assessment: from error visibility to structural similarity", IEEE Transactions
/// on Image Processing 13(4), 2004): an 11x11 Gaussian window with a standard deviation of 1.5 pixels, K1 = 0.01, K2 =
/// 0.03, L = M, at full size. Uses `threads` threads. Garbage once `stop` is set.
DifferenceStatistics measure_difference(const ImageView& before, const ImageView& after, int threads,
                                        std::stop_token stop = {});

}  // namespace tonescope
