// What the histogram panel is made of.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "gpu/core/histogram.h"
#include "ui/panels/panels.h"

namespace tonescope::ui {

inline constexpr std::array<const char*, kCurves> kCurveLetters = {"R", "G", "B", "L"};
inline constexpr std::array<std::string_view, kCurves> kCurveNames = {"red", "green", "blue", "luma"};
ImU32 curve_color(const Palette& colors, Curve curve);

/// One of the two histograms.
struct HistogramSide {
    std::string_view title;          // "Before"
    std::string_view id;             // "before"
    const DisplayHistogram* counts;  // these are null while they are not known
    const FineHistogram* fine;
    const SampleHistogram* deep;  // in place of the others
    bool is_old = false;          // of an earlier result
    bool is_after = false;

    bool is_counted() const { return counts != nullptr || deep != nullptr; }
    bool has_color() const { return deep != nullptr ? deep->has_color : counts != nullptr && counts->has_color; }
    /// A bin a sample; where it is counted.
    std::span<const uint32_t> curve(Curve curve) const {
        if (deep != nullptr) return deep->curves[static_cast<size_t>(curve)];
        return counts->curve(curve);
    }
    HistogramStatistics statistics(Curve curve) const {
        return deep != nullptr ? deep->statistics[static_cast<size_t>(curve)] : statistics_of(counts->curve(curve));
    }
};

/// The part of the axis of values that is shown, in bins.
struct ShownBins {
    double begin = 0, end = 256;

    double length() const { return end - begin; }
    float x_of(double bin, const Area& area) const {
        return area.x + static_cast<float>((bin - begin) / length()) * area.width;
    }
    double at(float x, const Area& area) const {
        return begin + static_cast<double>((x - area.x) / area.width) * length();
    }
};

/// How the histograms are drawn.
struct HistogramLook {
    const HistogramAppearance& chosen;
    std::array<bool, kCurves> shown;
    const ViewsModel& views;  // whose windows are shown
    int max_sample = 255;
    bool fine = false;  // luma in 1024 bins
    ShownBins axis;
    size_t& read_bin;  // by keys

    size_t bin_count() const { return fine ? kFineBins : static_cast<size_t>(max_sample) + 1; }
    bool is_known(const HistogramSide& side) const {
        return fine ? side.fine != nullptr : side.is_counted() && side.curve(Curve::luma).size() == bin_count();
    }
    /// Of what is counted in color each curve may be hidden; a gray image has one. In 1024 bins luma stands alone.
    bool is_shown(const HistogramSide& side, Curve curve) const;
};

/// One or two histograms in one plot at the cursor, over the width that is left; of two, the first is a filled shape
/// and the second a line. The mouse over it and keys read values, move windows, and choose what is shown of the axis:
/// that is returned. `note`: at the top right.
ShownBins draw_histogram_plot(Frame& ui, const HistogramLook& look, const char* label,
                              std::span<const HistogramSide> sides, float height, const std::string& note);

/// Mean, deviation, entropy and range of a curve of both.
void draw_histogram_statistics(Frame& ui, Curve curve, std::span<const HistogramSide> sides);

}  // namespace tonescope::ui
