// What lies under everything that the interface draws.
#pragma once

#include <cstdint>

#include "gpu/core/image.h"

namespace tonescope::ui {

/// An opaque part of the window without anything in it.
struct BackgroundFill {
    Rect area;       // pixels
    uint32_t color;  // 0xAABBGGRR
};

}  // namespace tonescope::ui
