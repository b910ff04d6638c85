// --info: what there is on this machine and in this build.
#pragma once

#include "app/options/options.h"

namespace tonescope {

/// Prints "key: value" lines. Returns 0, also where there is no display and no GPU.
int run_info(const Options& options);

}  // namespace tonescope
