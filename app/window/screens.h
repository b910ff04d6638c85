// On which screen a window is.
#pragma once

#include <span>

#include "app/viewer/saved_state.h"

namespace tonescope {

/// Index of the screen that holds most of the window; 0 where none does.
size_t screen_of(const WindowPlace& window, std::span<const WindowPlace> screens);

}  // namespace tonescope
