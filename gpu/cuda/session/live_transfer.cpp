#include "gpu/cuda/session/live_transfer.h"

#include <algorithm>
#include <new>
#include <utility>

#include "gpu/core/timing.h"
#include "gpu/cuda/runtime/check.h"

namespace tonescope {

LiveUpload::LiveUpload(int device, std::function<void()> wake) : device_(device), wake_(std::move(wake)) {}

void LiveUpload::start(std::shared_ptr<const HostImage> image, cudaStream_t stream) {
    if (current_) current_->stop.request_stop();
    current_.reset();
    if (!image) return;
    idle_.record(stream);
    current_ = std::make_shared<Upload>();
    current_->image = std::move(image);
    worker_.post([this, upload = current_] {
        copy(*upload);
        wake_();
    });
}

void LiveUpload::copy(Upload& upload) {
    State state = State::failed;
    try {
        if (!upload.stop.stop_requested()) {
            TONESCOPE_CUDA(cudaSetDevice(device_));
            d_image_.reshape(upload.image->spec());
            copier_.upload(upload.image->view(), d_image_.d_data(), d_image_.pitch_bytes, idle_, begin_, done_,
                           upload.stop.get_token());
        }
        state = State::sent;
    } catch (const std::exception& error) {
        upload.error = error.what();
    }
    upload.image.reset();  // staged: the host image is no longer needed
    upload.state = state;
}

std::optional<double> LiveUpload::take_ms() {
    if (state() != State::sent || current_->timed || !done_.done()) return {};
    current_->timed = true;
    float ms = 0;
    TONESCOPE_CUDA(cudaEventElapsedTime(&ms, begin_, done_));
    return double(ms);
}

void LiveUpload::stop() {
    if (current_) current_->stop.request_stop();
    worker_.stop();
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

void LiveDownload::fetch(ResultBuffer& buffer, Done done) {
    ++buffer.readers;
    worker_.post([this, &buffer, done = std::move(done)] {
        std::shared_ptr<const HostImage> result;
        StageTimes time;
        std::exception_ptr error;
        try {
            TONESCOPE_CUDA(cudaSetDevice(device_));
            const ScopedStage stage(&time, "download");
            const std::shared_ptr<HostImage> image = free_image(buffer.image.spec);
            copier_.download(buffer.image.d_data(), buffer.image.pitch_bytes, image->mutable_view(), buffer.written);
            result = image;
        } catch (...) {
            error = std::current_exception();
        }
        --buffer.readers;
        done(std::move(result), time.empty() ? 0 : time[0].ms, error);
    });
}

}  // namespace tonescope
