// Occupancy by the formulas of cuda_occupancy.h, which need no GPU.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/core/limits/occupancy.h"

namespace tonescope {

/// Of a kernel with these attributes whose blocks have `block_threads` threads and `dynamic_shared_bytes` beside the
/// shared memory that it declares. Nothing is known of devices and attributes that the formulas refuse.
Occupancy occupancy_of(const cudaDeviceProp& device, const cudaFuncAttributes& kernel, int block_threads,
                       size_t dynamic_shared_bytes);

}  // namespace tonescope
