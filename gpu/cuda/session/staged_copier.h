// Copies between pageable host memory and the device in bands of rows, by several threads: each has pinned buffers and
// a stream of its own, and while one of its bands travels, it copies the next one.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <mutex>
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

    /// Copies an image to the device, after the device has reached `after` (may be null). Returns when every band is on
    /// its way; `begin` and `done` are recorded before and behind them. Once `stop` is set, no more bands are sent, and
    /// `done` is recorded behind what had been. Throws DeviceError; nothing is under way then.
    void upload(const ImageView& from, const DeviceImage& to, cudaEvent_t after, const Event& begin, const Event& done,
                std::stop_token stop = {});
    /// Copies from the device, after it has reached `after` (may be null), and waits for the end. Throws
    /// DeviceError; nothing is under way then.
    void download(const DeviceImage& from, const MutableImageView& to, cudaEvent_t after);

  private:
    /// More do not make memory faster.
    static constexpr int kLanes = 4;
    struct BandBuffer {
        PinnedMemory memory;
        Event copied;  // the device is done with it
    };
    /// What one thread copies through, two bands at a time.
    struct Lane {
        Stream stream;
        std::array<BandBuffer, 2> buffers;
        Event joined;
        bool is_taken = false;
    };
    class LaneUse;
    /// For all streams.
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
    /// All streams wait for `after`. Gives the rows of a band, after the buffers have been made large enough.
    int begin(const ImageSpec& spec, cudaEvent_t after);
    /// Calls copy(lane, pieces) on several threads, each with a lane of its own, for this many bands.
    template <class Copy>
    void run_lanes(int bands, Copy&& copy);

    std::array<Lane, kLanes> lanes_;
    std::mutex mutex_;  // Lane::is_taken
};

}  // namespace tonescope
