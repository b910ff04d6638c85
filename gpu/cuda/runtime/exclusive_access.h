// Turns at something that a device has only one of for the whole program, such as a __constant__ variable.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>

#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/stream.h"

namespace tonescope {

/// One for each such thing. Sessions on other threads and streams queue behind each other on the device; the host waits
/// only while another one is queueing its work.
class ExclusiveAccess {
  public:
    /// What is queued on `stream` while this exists comes after everything that was queued in the turns before.
    class [[nodiscard]] Turn {
      public:
        /// `device` is the calling thread's. Throws DeviceError.
        Turn(ExclusiveAccess& turns, int device, cudaStream_t stream)
            : lock_(turns.mutex_), last_use_(turns.last_uses_[device]), stream_(stream) {
            TONESCOPE_CUDA(cudaStreamWaitEvent(stream, last_use_, 0));
        }
        ~Turn() { TONESCOPE_CUDA_LOG(cudaEventRecord(last_use_, stream_)); }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

      private:
        std::scoped_lock<std::mutex> lock_;
        Event& last_use_;
        cudaStream_t stream_;
    };

  private:
    std::mutex mutex_;
    std::map<int, Event> last_uses_;
};

}  // namespace tonescope
