// Copies between host memory and the device: from pinned memory at once, from and to other memory in bands of rows,
// through a ring of pinned buffers on two streams: while one band travels, the host copies the next one.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <stop_token>

#include "gpu/core/image.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stream.h"

namespace tonescope {

/// For one thread at a time. Images on both sides have the same shape.
class StagedCopier {
  public:
    StagedCopier() = default;
    /// The device is done with the buffers then.
    ~StagedCopier() { wait(); }
    StagedCopier(const StagedCopier&) = delete;
    StagedCopier& operator=(const StagedCopier&) = delete;

    /// Copies an image to the device, after the device has reached `after` (may be null). Returns when all of it is on
    /// its way; pinned memory, which is_pinned(), is read until `done`. `begin` and `done` are recorded before and
    /// behind the copies. Once `stop` is set, no more bands are sent, and `done` is recorded behind what had been.
    /// Throws DeviceError; nothing is under way then.
    void upload(const ImageView& from, const DeviceImage& to, cudaEvent_t after, const Event& begin, const Event& done,
                std::stop_token stop = {});
    /// Copies from the device, after it has reached `after` (may be null), and waits for the end. Throws
    /// DeviceError; nothing is under way then.
    void download(const DeviceImage& from, const MutableImageView& to, cudaEvent_t after);

  private:
    static constexpr size_t kBuffers = 4;
    struct BandBuffer {
        PinnedMemory memory;
        Event copied;  // the device is done with it
    };
    /// For both streams.
    void wait() const noexcept;
    /// Waits where its scope is left by an exception.
    class [[nodiscard]] WaitOnFailure {
      public:
        explicit WaitOnFailure(const StagedCopier& copier) : copier_(copier) {}
        ~WaitOnFailure() {
            if (std::uncaught_exceptions() > exceptions_) copier_.wait();
        }
        WaitOnFailure(const WaitOnFailure&) = delete;
        WaitOnFailure& operator=(const WaitOnFailure&) = delete;

      private:
        const StagedCopier& copier_;
        const int exceptions_ = std::uncaught_exceptions();
    };
    cudaStream_t stream_of(size_t band) const { return streams_[band % streams_.size()]; }
    /// Both streams wait for this; null: for nothing.
    void await(cudaEvent_t after);
    /// Makes the buffers large enough and gives the rows of a band.
    int reserve(const ImageSpec& spec);

    std::array<Stream, 2> streams_;
    std::array<BandBuffer, kBuffers> buffers_;
    Event joined_;
};

}  // namespace tonescope
