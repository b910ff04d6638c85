// What the CPU can do at most.
#pragma once

#include <stop_token>

#include "gpu/core/limits/roofs.h"

namespace tonescope {

/// Of `threads` threads together, all but `mhz`. Takes some tenths of a second on the calling thread; what is left is 0
/// where `stop` was set meanwhile.
Roofs measure_cpu_roofs(int threads, std::stop_token stop);

}  // namespace tonescope
