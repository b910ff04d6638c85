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
    std::string_view title;  // "Before"
    std::string_view id;     // "before"
    const std::optional<DisplayHistogram>& counts;
    const std::optional<FineHistogram>& fine;
    bool is_old = false;  // of an earlier result
    bool is_after = false;
};

/// How the histograms are drawn.
struct HistogramLook {
    const HistogramAppearance& chosen;
    std::array<bool, kCurves> shown;
    const ViewsModel& views;  // whose windows are shown

    bool is_known(const HistogramSide& side) const { return side.counts && (!chosen.fine || side.fine); }
    /// Of what is counted in color each curve may be hidden; a gray image has one. In 1024 bins luma stands alone.
    bool is_shown(const HistogramSide& side, Curve curve) const;
};

/// One or two histograms in one plot at the cursor, over the width that is left; of two, the first is a filled shape
/// and the second a line. The mouse over it reads values. `note`: at the top right.
void draw_histogram_plot(Frame& ui, const HistogramLook& look, const char* label, std::span<const HistogramSide> sides,
                         float height, const std::string& note);

/// Mean, deviation, entropy and range of a curve of both.
void draw_histogram_statistics(Frame& ui, Curve curve, std::span<const HistogramSide> sides);

}  // namespace tonescope::ui
