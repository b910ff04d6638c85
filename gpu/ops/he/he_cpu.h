// Histogram equalization on the CPU, fast: what the parallel variant and the preview share.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/core/image.h"
#include "gpu/core/luma.h"
#include "gpu/cpu/rows.h"

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

/// Counts the values that `color` equalizes, for one thread.
class ValueCounter {
  public:
    ValueCounter(PixelFormat format, ColorMode color) : format_(format), color_(color) {}
    void add(const uint8_t* pixels, int n);
    void add_to(std::array<Counts, 3>& total) const {
        for (size_t c = 0; c < 3; ++c) counters_[c].add_to(total[c]);
    }

  private:
    PixelFormat format_;
    ColorMode color_;
    ByteCounter counters_[3];  // the first one of gray and luma
};

/// Counts of the channels that need a table each; the sum of every used one is `pixels`.
Tables make_tables(const std::array<Counts, 3>& counts, uint64_t pixels, ColorMode color);

/// Looks n pixels up. `in` and `out` have the given formats; gray input goes to gray output only.
void apply_row(const Tables& tables, ColorMode color, PixelFormat in_format, PixelFormat out_format, const uint8_t* in,
               uint8_t* out, int n);

}  // namespace tonescope::he
