// The window.
#pragma once

#include "app/options/options.h"

namespace tonescope {

/// Opens the window (or draws it for --screenshot) and runs until it is closed. Returns the exit status.
int run_window(const Options& options);

}  // namespace tonescope
