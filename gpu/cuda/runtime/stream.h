// Streams and events that free themselves.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

#include "gpu/cuda/runtime/check.h"

namespace tonescope {

/// A stream that does not wait for the default stream. Destroying it lets queued work finish.
class Stream {
  public:
    Stream() {
        cudaStream_t stream = nullptr;
        TONESCOPE_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        stream_.reset(stream);
    }
    operator cudaStream_t() const { return stream_.get(); }
    void synchronize() const { TONESCOPE_CUDA(cudaStreamSynchronize(*this)); }

  private:
    struct Destroy {
        void operator()(cudaStream_t stream) const { TONESCOPE_CUDA_LOG(cudaStreamDestroy(stream)); }
    };
    std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> stream_;
};

class Event {
  public:
    enum class Kind { timed, untimed };
    explicit Event(Kind kind = Kind::untimed) {
        const unsigned flags =
            kind == Kind::timed ? cudaEventBlockingSync : cudaEventBlockingSync | cudaEventDisableTiming;
        cudaEvent_t event = nullptr;
        TONESCOPE_CUDA(cudaEventCreateWithFlags(&event, flags));
        event_.reset(event);
    }
    operator cudaEvent_t() const { return event_.get(); }

    void record(cudaStream_t stream) const { TONESCOPE_CUDA(try_to_record(stream)); }
    /// Where that fails, it waits for the stream, so that nothing still runs that somebody waits for by this event.
    cudaError_t try_to_record(cudaStream_t stream) const noexcept {
        const cudaError_t status = cudaEventRecord(*this, stream);
        if (status != cudaSuccess) cudaStreamSynchronize(stream);
        return status;
    }
    /// Blocks the calling thread without spinning.
    void synchronize() const { TONESCOPE_CUDA(cudaEventSynchronize(*this)); }
    /// Never waits. True as well when nothing has been recorded yet.
    bool done() const {
        const cudaError_t status = cudaEventQuery(*this);
        if (status == cudaErrorNotReady) {
            cudaGetLastError();  // a later launch check would take it for its own
            return false;
        }
        TONESCOPE_CUDA(status);
        return true;
    }
    /// Milliseconds from `begin` to this event; both are timed and done.
    double ms_since(const Event& begin) const {
        float ms = 0;
        TONESCOPE_CUDA(cudaEventElapsedTime(&ms, begin, *this));
        return double(ms);
    }

  private:
    struct Destroy {
        void operator()(cudaEvent_t event) const { TONESCOPE_CUDA_LOG(cudaEventDestroy(event)); }
    };
    std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> event_;
};

}  // namespace tonescope
