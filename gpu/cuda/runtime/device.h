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

/// Held by those who have objects of CUDA's: streams, events, memory, textures. An error that stays, such as that of a
/// kernel that wrote where no memory is, makes every later call fail until the device is reset, which destroys all
/// objects: so the first who holds one behind such an error resets it.
class DeviceUse {
  public:
    DeviceUse();
    /// The same, and sees to it that the device (-1: the first one) works if nobody else holds one.
    explicit DeviceUse(int device);
    ~DeviceUse();
    DeviceUse(const DeviceUse&) = delete;
    DeviceUse& operator=(const DeviceUse&) = delete;
};

/// Makes `device` (-1: the first one) the calling thread's and reads its properties. Throws DeviceError of one clear
/// line where there is no driver, no GPU, no such GPU or one that this program is not built for. For tests, the
/// environment variable TONESCOPE_LESSER_GPU (7.5 or 8.6) makes it look like an older one.
DeviceProperties select_device(int device);

}  // namespace tonescope
