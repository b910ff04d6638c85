// What a GPU can do at most, by small kernels that do one thing.
#pragma once

#include <stop_token>

#include "gpu/core/limits/roofs.h"
#include "gpu/cuda/runtime/device.h"

namespace tonescope {

/// All but `mhz`. Takes some tenths of a second on the calling thread; what is left is 0 where `stop` was set
/// meanwhile. Throws DeviceError.
Roofs measure_roofs(const DeviceProperties& device, std::stop_token stop);

}  // namespace tonescope
