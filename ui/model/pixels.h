// Values of pixels, as the panels show them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/core/image.h"

namespace tonescope::ui {

/// Values under the cursor: gray images have one, others three or four.
struct PixelInfo {
    int x = 0, y = 0;
    int channels_before = 0, channels_after = 0;  // 0: not known (yet)
    std::array<uint8_t, 4> before{}, after{};
};

/// Values of a part of the image, rows one after another.
struct PixelBlock {
    Rect region;       // pixels
    int channels = 0;  // 1, 3 or 4
    std::vector<std::array<uint8_t, 4>> values;
    /// Null outside the region.
    const std::array<uint8_t, 4>* at(int x, int y) const {
        if (x < region.x || y < region.y || x >= region.x + region.width || y >= region.y + region.height)
            return nullptr;
        return &values[static_cast<size_t>(y - region.y) * static_cast<size_t>(region.width) +
                       static_cast<size_t>(x - region.x)];
    }
};

}  // namespace tonescope::ui
