// What the program needs to know about a GPU.
#pragma once

#include <cuda_runtime_api.h>

namespace tonescope {

struct DeviceProperties : cudaDeviceProp {
    int index = 0;  // CUDA's
    int compute_capability() const { return major * 10 + minor; }
    /// Without concurrent access the host may not touch it while any kernel runs, another session's too.
    bool has_managed_memory() const { return managedMemory != 0 && concurrentManagedAccess != 0; }
};

/// Makes `device` (-1: the first one) the calling thread's and reads its properties. Throws DeviceError of one clear
/// line where there is no driver, no GPU, no such GPU or one that this program is not built for. For tests, the
/// environment variable TONESCOPE_LESSER_GPU (7.5 or 8.6) makes it look like an older one.
DeviceProperties select_device(int device);

}  // namespace tonescope
