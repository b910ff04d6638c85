// Streams and events that free themselves.
#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "gpu/cuda/runtime/check.h"

namespace tonescope {

/// A stream that does not wait for the default stream. Destroying it lets queued work finish.
class Stream {
  public:
    Stream() { TONESCOPE_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Stream() {
        if (stream_ != nullptr) TONESCOPE_CUDA_LOG(cudaStreamDestroy(stream_));
    }
    Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
    Stream& operator=(Stream&& other) noexcept {
        std::swap(stream_, other.stream_);
        return *this;
    }
    operator cudaStream_t() const { return stream_; }
    void synchronize() const { TONESCOPE_CUDA(cudaStreamSynchronize(stream_)); }

  private:
    cudaStream_t stream_ = nullptr;
};

class Event {
  public:
    enum class Kind { timed, untimed };
    explicit Event(Kind kind = Kind::untimed) {
        const unsigned flags =
            kind == Kind::timed ? cudaEventBlockingSync : cudaEventBlockingSync | cudaEventDisableTiming;
        TONESCOPE_CUDA(cudaEventCreateWithFlags(&event_, flags));
    }
    ~Event() {
        if (event_ != nullptr) TONESCOPE_CUDA_LOG(cudaEventDestroy(event_));
    }
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event& operator=(Event&& other) noexcept {
        std::swap(event_, other.event_);
        return *this;
    }
    operator cudaEvent_t() const { return event_; }

    void record(cudaStream_t stream) const { TONESCOPE_CUDA(cudaEventRecord(event_, stream)); }
    /// Blocks the calling thread without spinning.
    void synchronize() const { TONESCOPE_CUDA(cudaEventSynchronize(event_)); }
    /// Never waits. True as well when nothing has been recorded yet.
    bool done() const {
        const cudaError_t status = cudaEventQuery(event_);
        if (status == cudaErrorNotReady) {
            cudaGetLastError();  // a later launch check would take it for its own
            return false;
        }
        TONESCOPE_CUDA(status);
        return true;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace tonescope
