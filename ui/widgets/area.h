// A rectangle of the window.
#pragma once

#include <imgui.h>

#include <algorithm>

namespace tonescope::ui {

/// A part of the window, pixels.
struct Area {
    float x = 0, y = 0, width = 0, height = 0;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
    ImVec2 min() const { return {x, y}; }
    ImVec2 max() const { return {right(), bottom()}; }
    bool contains(ImVec2 p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
};

/// Its sides are negative where the two lie apart.
inline Area common_part(const Area& a, const Area& b) {
    const float x = std::max(a.x, b.x);
    const float y = std::max(a.y, b.y);
    return {x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
}

}  // namespace tonescope::ui
