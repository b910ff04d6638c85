// Tables in constant memory: a program has one such variable a device, so runs on several streams take turns at it.
#pragma once

#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {

/// For a pixel.
inline Amounts look_up_constant(const WorkCase& c) {
    return {.bytes = 2, .operations = 35, .constant_reads = c.values.different};
}

}  // namespace tonescope::he

#ifdef __CUDACC__
#include <map>
#include <mutex>

#include "gpu/cuda/runtime/stream.h"

namespace tonescope::he {

/// Guards something that a device has only one of for the whole program. Sessions on other threads and streams queue
/// behind each other on the device; the host waits only while another session is queueing its work.
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
        ~Scope() { TONESCOPE_CUDA_LOG(last_use_.try_to_record(stream_)); }
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

namespace {  // a variable of its own in each file that includes this one

__constant__ uint8_t c_tables[3 * 256];

__global__ void he_apply_constant_kernel(const uint8_t* d_in, size_t in_pitch, uint8_t* d_out, size_t out_pitch,
                                         int width, int height, int plane) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    d_out[size_t(y) * out_pitch + x] = c_tables[plane * 256 + d_in[size_t(y) * in_pitch + x]];
}

ExclusiveAccess& access_to_tables() {
    static auto* const instance = new ExclusiveAccess;  // never freed: the driver may be gone before it
    return *instance;
}

/// Queues the tables' copy.
void tables_to_constant_memory(const CudaJob& job, const Planes& planes, const HostTables& tables) {
    TONESCOPE_CUDA(
        cudaMemcpyToSymbolAsync(c_tables, tables.tables, planes.all().size() * 256, 0, cudaMemcpyDefault, job.stream));
}

}  // namespace
}  // namespace tonescope::he
#endif
