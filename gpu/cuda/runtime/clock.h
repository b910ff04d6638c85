// Small kernels that time needs: how fast multiprocessors run now, and one that holds a stream back for a moment.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/cuda/runtime/memory.h"

namespace tonescope {

/// The clock of the multiprocessors.
class DeviceClock {
  public:
    /// What one of them runs at, by 50 us of its own counter. Waits for the stream. Throws DeviceError.
    double mhz(cudaStream_t stream);
    /// What the driver gives as the highest. Throws DeviceError.
    static double nominal_mhz(int device);

  private:
    PinnedMemory measured_;
};

/// Holds a stream back while the host queues several things that are to run right behind each other. A gate that nobody
/// opens lets the stream pass after 50 us, so that nothing hangs where a launch waits for the device.
class StreamGate {
  public:
    /// What is queued on the stream next waits for open(). Throws DeviceError.
    void close(cudaStream_t stream);
    /// Opens all gates that have been closed.
    void open() noexcept;

  private:
    PinnedMemory opened_;
    unsigned closed_ = 0;
};

}  // namespace tonescope
