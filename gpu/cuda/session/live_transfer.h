// Transfers of a live session, each on a thread and streams of its own, so that the UI thread neither copies nor waits.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stream.h"
#include "gpu/cuda/runtime/worker.h"
#include "gpu/cuda/session/staged_copier.h"

namespace tonescope {

/// Brings the session's image to the device. The newest image replaces one that is still on its way.
class LiveUpload {
  public:
    /// `wake` is called from the worker when an upload is sent or has failed. Throws DeviceError.
    LiveUpload(int device, std::function<void()> wake) : device_(device), worker_(std::move(wake)) {}
    ~LiveUpload() { stop(); }

    /// Begins to replace the image, once `stream` has done what is queued on it now. Null: no image.
    void start(std::shared_ptr<const HostImage> image, cudaStream_t stream);
    /// Whether the image is on its way to the device. Throws DeviceError where there is no image or the upload failed.
    bool is_sent() const;
    /// The image on the device, once it is sent. Valid for work on streams that called make_wait.
    const DeviceImage& image() const { return d_image_; }
    void make_wait(cudaStream_t stream) const { TONESCOPE_CUDA(cudaStreamWaitEvent(stream, done_, 0)); }
    /// How long the upload took, once for each image and only after it is done.
    std::optional<double> take_ms();
    void stop();

  private:
    int device_;
    StagedCopier copier_;
    DeviceImage d_image_;  // the worker's while an upload is copying
    Event idle_, begin_{Event::Kind::timed}, done_{Event::Kind::timed};
    std::stop_source stop_;
    std::shared_future<void> sent_;  // of the newest image; invalid where there is none
    bool is_timed_ = false;
    Worker worker_;
};

/// A result in device memory. It is not written again while anybody else holds it.
struct ResultBuffer {
    DeviceOutput output() const { return {image.d_data(), image.pitch_bytes, 0, image.spec}; }

    DeviceImage image;
    Event written;
    double download_ms = 0;  // of the last download
};

/// Fetches results into host images.
class LiveDownload {
  public:
    using Promise = std::promise<std::shared_ptr<const HostImage>>;

    /// `wake` is called from the worker when a download is done or has failed.
    LiveDownload(int device, std::function<void()> wake) : device_(device), worker_(std::move(wake)) {}
    /// Fetches the buffer after its event `written`.
    void start(std::shared_ptr<ResultBuffer> buffer, Promise promise);
    void stop() { worker_.stop(); }

  private:
    std::shared_ptr<const HostImage> fetch(ResultBuffer& buffer);
    std::shared_ptr<HostImage> free_image(const ImageSpec& spec);

    int device_;
    StagedCopier copier_;
    std::vector<std::shared_ptr<HostImage>> images_;  // handed out; used again when nobody else holds them
    Worker worker_;
};

}  // namespace tonescope
