// Histogram equalization on the CPU, fast: what the parallel variant, the preview and the explanation share.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/core/luma.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {

using Counts = std::array<uint32_t, 256>;
using Table = std::array<uint8_t, 256>;

/// Tables of an image: one for gray images, luma and gray; three for channels.
struct Tables {
    std::array<Table, 3> lut{};
    /// Mode luma on color images: lut[0][v] - v for red, green and blue, and 0 for alpha, as the pixel's four 16-bit
    /// lanes.
    std::array<std::array<int16_t, 4>, 256> delta{};
};

/// What is equalized: gray images have one value whatever the parameter says.
inline ColorMode color_of(const ImageSpec& input, const ParamBlock& params) {
    return input.format == PixelFormat::gray8 ? color_luma : ColorMode(params.as<Params>().color);
}

/// Counts of the channels that need a table each; the sum of every used one is `pixels`.
Tables make_tables(const std::array<Counts, 3>& counts, uint64_t pixels, ColorMode color);

}  // namespace tonescope::he
