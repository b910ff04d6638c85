// Histogram equalization on the CPU, fast: what the parallel variant and the preview share.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/core/image.h"
#include "gpu/core/luma.h"

namespace tonescope::he_cpu {

using Counts = std::array<uint32_t, 256>;
using Table = std::array<uint8_t, 256>;

/// Tables of an image: one for gray images, luma and gray; three for channels.
struct Tables {
    std::array<Table, 3> lut{};
    /// Mode luma on color images: lut[0][v] - v for red, green and blue, and 0 for alpha, as the pixel's four 16-bit
    /// lanes.
    std::array<std::array<int16_t, 4>, 256> delta{};
};

/// Counts of the channels that need a table each; the sum of every used one is `pixels`.
Tables make_tables(const std::array<Counts, 3>& counts, uint64_t pixels, ColorMode color);

/// Looks n pixels up. `in` and `out` have the given formats; gray input goes to gray output only.
void apply_row(const Tables& tables, ColorMode color, PixelFormat in_format, PixelFormat out_format, const uint8_t* in,
               uint8_t* out, int n);

}  // namespace tonescope::he_cpu
