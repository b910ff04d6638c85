// How sure medians and their ratios are, by resampling the rounds in which they were measured.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tonescope {

/// Where a figure lies with 95 %.
struct Interval {
    double low = 0, high = 0;
    bool holds(double value) const { return low <= value && value <= high; }
    bool operator==(const Interval&) const = default;
};

/// One time divided by another: how many times as fast.
struct Ratio {
    double value = 1;
    std::optional<Interval> interval = {};  // empty where there are too few runs for one
    /// None was measured: the interval holds 1.
    bool is_no_difference() const { return interval && interval->holds(1); }
    bool operator==(const Ratio&) const = default;
};

/// What was measured of one thing by round; NaN in rounds in which it took no part.
using RoundTimes = std::vector<double>;

/// Draws rounds with replacement, the same ones for everything that took part in at least half of them, so that what
/// disturbs a whole round disturbs both sides of a ratio. What took part in fewer is drawn by itself. The percentile
/// method as in B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
class Bootstrap {
  public:
    /// Fewer values have no interval.
    static constexpr size_t kMinValues = 5;
    static constexpr int kResamples = 1000;

    explicit Bootstrap(size_t rounds, uint32_t seed = 1);
    /// The median of each resample; empty where `times` holds fewer than kMinValues. `times` has no more than `rounds`
    /// entries.
    std::vector<double> medians(const RoundTimes& times) const;

  private:
    size_t rounds_;
    uint32_t seed_;
    std::vector<uint32_t> draws_;  // kResamples times `rounds`
};

/// From the 2.5th to the 97.5th percentile; empty where `figures` is.
std::optional<Interval> interval_of(std::vector<double> figures);
/// `over` / `under`, both above 0, with the medians of both in the same resamples.
Ratio ratio_of(double over, double under, std::span<const double> over_medians, std::span<const double> under_medians);

/// Of values in any order, interpolated between neighbors: `part` 0.5 is the median. `values` holds one or more, which
/// change places.
double quantile(std::vector<double>& values, double part);

}  // namespace tonescope
