// For tests: an interop presenter with small tiles.
#pragma once

#include <memory>
#include <string>

#include "gpu/present/presenter.h"

namespace tonescope {

/// As make_interop_presenter(device, reason). `max_tile_px`: 0 takes OpenGL's limit; else a power of two.
std::unique_ptr<Presenter> make_interop_presenter(int device, int max_tile_px, std::string* reason);

}  // namespace tonescope
