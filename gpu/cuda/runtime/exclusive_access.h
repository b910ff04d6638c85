// Exclusive access to something that a device has only one of for the whole program, such as a __constant__ variable.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>

#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/stream.h"

namespace tonescope {

/// One object guards one such thing. Sessions on other threads and streams queue behind each other on the device; the
/// host waits only while another session is queueing its work.
class ExclusiveAccess {
  public:
    /// What is queued on `stream` while this exists comes after everything that was queued under earlier scopes.
    class [[nodiscard]] Scope {
      public:
        /// `device` is the calling thread's. Throws DeviceError.
        Scope(ExclusiveAccess& access, int device, cudaStream_t stream)
            : lock_(access.mutex_), last_use_(access.last_uses_[device]), stream_(stream) {
            TONESCOPE_CUDA(cudaStreamWaitEvent(stream, last_use_, 0));
        }
        ~Scope() { TONESCOPE_CUDA_LOG(cudaEventRecord(last_use_, stream_)); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

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
