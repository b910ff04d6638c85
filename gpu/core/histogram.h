// Counts that operators and panels share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/core/statistics.h"

namespace tonescope {

/// What is counted of an image: one channel, or luma.
enum class Curve : uint8_t { red, green, blue, luma };
inline constexpr size_t kCurves = 4;

/// What the histogram panels show of an image: 256 bins a curve. Luma is the design's Y; of a gray image it is the
/// value. Of a deep image value v lies in bin floor(256 v / (M + 1)), M being the greatest sample that it can have.
struct DisplayHistogram {
    bool has_color = false;  // false: only luma is filled
    std::array<std::array<uint32_t, 256>, 3> rgb{};
    std::array<uint32_t, 256> luma{};
    const std::array<uint32_t, 256>& curve(Curve c) const { return c == Curve::luma ? luma : rgb[size_t(c)]; }
    bool operator==(const DisplayHistogram&) const = default;
};

/// Shown from black (`low` and what is below) to white (`high` and what is above), in hundredths of a sample.
struct SampleRange {
    static constexpr int kScale = 100;  // of a sample's parts
    static constexpr int32_t kMaxWidth = 65535 * kScale;
    int32_t low = 0, high = 0;  // 0 < high - low <= kMaxWidth

    constexpr int32_t width() const { return high - low; }
    bool operator==(const SampleRange&) const = default;
};

/// Counts of a deep image: a bin for each sample from 0 to its greatest. Of a gray image only luma is filled.
struct SampleHistogram {
    bool has_color = false;
    std::array<std::vector<uint32_t>, kCurves> curves;
    std::array<HistogramStatistics, kCurves> statistics;  // of the curves
    SampleRange used, automatic;                          // used_range() and auto_range() of all color channels
    bool operator==(const SampleHistogram&) const = default;
};

inline constexpr int kFineBins = 1024;

/// Luma in 10 bits, Y10 = (77 R + 150 G + 29 B) >> 6, of a gray image 4 v: the words of the histogram lab. Of deep
/// images floor(4 (77 R + 150 G + 29 B) / (M + 1)) and floor(1024 v / (M + 1)).
using FineHistogram = std::array<uint32_t, kFineBins>;

/// Result of the histogram lab (report D).
struct BinsResult {
    std::vector<uint8_t> bins;     // kFineBins counters that saturate at 255 (version 1: wrap)
    std::vector<uint32_t> counts;  // kFineBins true counts
    bool operator==(const BinsResult&) const = default;
};

}  // namespace tonescope
