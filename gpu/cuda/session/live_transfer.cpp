#include "gpu/cuda/session/live_transfer.h"

#include <chrono>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/timing.h"
#include "gpu/cuda/runtime/check.h"

namespace tonescope {

void LiveUpload::start(std::shared_ptr<const HostImage> image, cudaStream_t stream) {
    stop_.request_stop();
    stop_ = {};
    sent_ = {};
    is_timed_ = false;
    if (!image) return;
    idle_.record(stream);
    sent_ = worker_.post([this, image, stop = stop_.get_token()] {
        if (stop.stop_requested()) return;
        TONESCOPE_CUDA(cudaSetDevice(device_));
        d_image_.reshape(image->spec());
        copier_.upload(image->view(), d_image_, idle_, begin_, done_, stop);
    });
    // A job of its own: where other threads keep all cores busy, the worker wakes up milliseconds after the copy's end,
    // and nobody waits for that.
    worker_.post([this, image = std::move(image)] { done_.synchronize(); });
}

bool LiveUpload::is_sent() const {
    if (!sent_.valid()) throw DeviceError("CUDA: the image could not be brought to the GPU");
    if (!is_ready(sent_)) return false;
    sent_.get();
    return true;
}

std::optional<double> LiveUpload::take_ms() {
    if (is_timed_ || !is_sent() || !done_.done()) return {};
    is_timed_ = true;
    return done_.ms_since(begin_);
}

void LiveUpload::stop() {
    stop_.request_stop();
    worker_.stop();
}

void LiveDownload::start(std::shared_ptr<ResultBuffer> buffer, Promise promise) {
    worker_.post([this, buffer = std::move(buffer), promise = std::move(promise)]() mutable {
        try {
            std::shared_ptr<const HostImage> image = fetch(*buffer);
            buffer.reset();  // before the promise says that it is read
            promise.set_value(std::move(image));
        } catch (...) {
            buffer.reset();
            promise.set_exception(std::current_exception());
        }
    });
}

std::shared_ptr<const HostImage> LiveDownload::fetch(ResultBuffer& buffer) {
    TONESCOPE_CUDA(cudaSetDevice(device_));
    const auto begin = std::chrono::steady_clock::now();
    const std::shared_ptr<HostImage> image = free_image(buffer.image.spec);
    copier_.download(buffer.image, image->mutable_view(), buffer.written);
    buffer.download_ms = ms_since(begin);
    return image;
}

std::shared_ptr<HostImage> LiveDownload::free_image(const ImageSpec& spec) {
    std::erase_if(images_, [&](const std::shared_ptr<HostImage>& image) {
        return image.use_count() == 1 && !(image->spec() == spec);
    });
    for (const std::shared_ptr<HostImage>& image : images_) {
        if (image.use_count() > 1) continue;
        std::atomic_thread_fence(std::memory_order_acquire);  // the last reader, on another thread, is done with it
        return image;
    }
    images_.push_back(std::make_shared<HostImage>(spec));
    return images_.back();
}

}  // namespace tonescope
