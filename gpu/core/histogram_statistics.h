// What a histogram of 8-bit values says in numbers.
#pragma once

#include <array>
#include <cstdint>

namespace tonescope {

/// Of an empty histogram everything is 0. A value is clipped where it is 0 (shadows) or 255 (highlights).
struct HistogramStatistics {
    uint64_t pixels = 0;
    double mean = 0, deviation = 0;      // levels; the deviation divides by the number of pixels
    double entropy_bits = 0;             // Shannon's: sum of -p log2 p, 0 to 8
    int min = 0, max = 0;                // the least and the largest value that occurs
    double shadows = 0, highlights = 0;  // share of the pixels that is clipped, 0 to 1
};

HistogramStatistics statistics_of(const std::array<uint32_t, 256>& counts);

}  // namespace tonescope
