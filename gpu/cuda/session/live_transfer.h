// Transfers of a live session, each on a thread and streams of its own, so that the UI thread neither copies nor waits.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stream.h"
#include "gpu/cuda/runtime/worker.h"
#include "gpu/cuda/session/staged_copier.h"

namespace tonescope {

/// Brings the session's image to the device. The newest image replaces one that is still on its way.
class LiveUpload {
  public:
    /// `wake` is called from the worker when an upload is sent or has failed. Throws DeviceError.
    LiveUpload(int device, std::function<void()> wake);
    ~LiveUpload() { stop(); }

    /// Begins to replace the image, once `stream` has done what is queued on it now. Null: no image.
    void start(std::shared_ptr<const HostImage> image, cudaStream_t stream);
    enum class State { none, copying, sent, failed };
    State state() const { return current_ ? current_->state.load() : State::none; }
    /// In one line; state failed.
    const std::string& error() const { return current_->error; }
    /// The image on the device; state sent. Valid for work on streams that called make_wait.
    const DeviceImage& image() const { return d_image_; }
    void make_wait(cudaStream_t stream) const { TONESCOPE_CUDA(cudaStreamWaitEvent(stream, done_, 0)); }
    /// How long the upload took, once for each image and only after it is done.
    std::optional<double> take_ms();
    void stop();

  private:
    struct Upload {
        std::shared_ptr<const HostImage> image;
        std::stop_source stop;
        std::atomic<State> state = State::copying;
        std::string error;
        bool timed = false;
    };
    void copy(Upload& upload);

    int device_;
    std::function<void()> wake_;
    StagedCopier copier_;
    DeviceImage d_image_;  // the worker's while an upload is copying
    Event idle_, begin_{Event::Kind::timed}, done_{Event::Kind::timed};
    std::shared_ptr<Upload> current_;
    Worker worker_;
};

/// A result in device memory. It is not written again while anybody reads it.
struct ResultBuffer {
    DeviceImage image;
    Event written;
    std::atomic<int> readers = 0;
};

/// Fetches results into host images.
class LiveDownload {
  public:
    /// Called on the worker: the image and how long it took, or what went wrong.
    using Done = std::function<void(std::shared_ptr<const HostImage>, double ms, std::exception_ptr)>;

    explicit LiveDownload(int device) : device_(device) {}
    ~LiveDownload() { stop(); }
    /// Fetches the buffer after its event `written`. The buffer outlives the call to `done`.
    void fetch(ResultBuffer& buffer, Done done);
    void stop() { worker_.stop(); }

  private:
    std::shared_ptr<HostImage> free_image(const ImageSpec& spec);

    int device_;
    StagedCopier copier_;
    std::vector<std::shared_ptr<HostImage>> images_;  // handed out; used again when nobody else holds them
    Worker worker_;
};

}  // namespace tonescope
