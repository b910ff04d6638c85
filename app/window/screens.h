// On which screen a window is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "app/viewer/saved_state.h"

namespace tonescope {

/// Index of the screen that holds most of the window; 0 where none does.
inline size_t screen_of(const WindowPlace& window, std::span<const WindowPlace> screens) {
    const auto overlap = [&](const WindowPlace& screen) {
        const int width = std::min(window.x + window.width, screen.x + screen.width) - std::max(window.x, screen.x);
        const int height = std::min(window.y + window.height, screen.y + screen.height) - std::max(window.y, screen.y);
        return int64_t{std::max(width, 0)} * std::max(height, 0);
    };
    return size_t(std::ranges::max_element(screens, {}, overlap) - screens.begin());
}

}  // namespace tonescope
