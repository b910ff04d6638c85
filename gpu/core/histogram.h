// Counts that operators and panels share.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tonescope {

/// What the histogram panels show of an image: 256 bins a curve. Luma is the design's Y; of a gray image it is the
/// value.
struct DisplayHistogram {
    bool has_color = false;  // false: only luma is filled
    std::array<std::array<uint32_t, 256>, 3> rgb{};
    std::array<uint32_t, 256> luma{};
    bool operator==(const DisplayHistogram&) const = default;
};

inline constexpr int kLabBins = 1024;

/// Result of the histogram lab (report D).
struct BinsResult {
    std::vector<uint8_t> bins;     // kLabBins counters that saturate at 255 (version 1: wrap)
    std::vector<uint32_t> counts;  // kLabBins true counts
    bool operator==(const BinsResult&) const = default;
};

}  // namespace tonescope
