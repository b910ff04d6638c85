#include "gpu/cuda/session/session.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"

namespace tonescope {
namespace {

int device_for(const ResultTextures* textures, int device) {
    return device < 0 && textures != nullptr ? textures->device() : device;
}

/// TONESCOPE_FAIL_DEVICE_AFTER=N: the device fails once it has done N live runs.
int forced_failure() {
    const char* runs = std::getenv("TONESCOPE_FAIL_DEVICE_AFTER");
    return runs == nullptr ? -1 : std::atoi(runs);
}

}  // namespace

CudaSession::CudaSession(std::function<void()> wake, ResultTextures* textures, int device)
    : wake_(std::move(wake)),
      textures_(textures),
      device_(select_device(device_for(textures_, device))),
      runs_until_failure_(forced_failure()),
      upload_(device_.index, wake_),
      download_(device_.index),
      round_trip_(device_.index, wake_) {
    if (textures_ != nullptr && textures_->device() != device_.index) textures_ = nullptr;
}

CudaSession::~CudaSession() {
    upload_.stop();
    download_.stop();
    round_trip_.stop();
    TONESCOPE_CUDA_LOG(cudaStreamSynchronize(stream_));
    for (auto& promise : downloads_wanted_) promise.set_value(nullptr);
}

void CudaSession::set_image(std::shared_ptr<const HostImage> image, uint64_t image_serial) {
    image_serial_ = image_serial;
    pending_.reset();
    front_.reset();
    probe_wanted_.reset();
    probe_in_flight_.reset();
    probed_.reset();
    drop_run();
    const ImageSpec spec = image ? image->spec() : ImageSpec{};
    if (!(spec == image_spec_)) known_times_.clear();
    image_spec_ = spec;
    image_ = image;
    try {
        TONESCOPE_CUDA(cudaSetDevice(device_.index));
        upload_.start(std::move(image), stream_);
    } catch (const DeviceError&) {
        // The device is lost: the next request runs into it, and its result says so.
        upload_.start(nullptr, stream_);
    }
}

void CudaSession::cancel() {
    pending_.reset();
    if (!shows_run()) drop_run();
}

/// What has been given to the presenter's textures is on screen already, though front_ is of the run before.
bool CudaSession::shows_run() const {
    return run_ && (run_->into_texture || run_->phase == Phase::presenting);
}

void CudaSession::drop_run() {
    if (!run_) return;
    run_->dropped = true;
    if (run_->phase == Phase::round_trip) round_trip_.give_up();
}

bool CudaSession::busy() const {
    return run_ || pending_ || probe_in_flight_ || (probe_wanted_ && front_) || !downloads_wanted_.empty();
}

std::optional<LiveResult> CudaSession::poll() {
    if (!busy()) return {};
    try {
        TONESCOPE_CUDA(cudaSetDevice(device_.index));
        if (run_) {
            if (std::optional<LiveResult> result = advance()) return result;
        }
        serve_probe();
        serve_downloads();
        if (!run_ && pending_) start_pending();
    } catch (const DeviceMemoryError& error) {
        // A round trip has memory of its own: the session's is as it was.
        return failure(error.what(), !run_ || run_->phase != Phase::round_trip);
    } catch (const DeviceError& error) {
        return failure(error.what(), true);
    } catch (const std::bad_alloc&) {
        return failure("not enough memory for the result", false);
    } catch (const std::exception& error) {
        return failure(error.what(), false);
    }
    return {};
}

LiveResult CudaSession::failure(const std::string& error, bool device_failed) {
    LiveResult result{.serial = run_       ? run_->request.serial
                                : pending_ ? pending_->serial
                                           : last_serial_,
                      .image_serial = image_serial_,
                      .error = error,
                      .device_failed = device_failed};
    // A newer request than the one that failed still has its turn, unless the device is gone.
    if (!run_ || device_failed) pending_.reset();
    run_.reset();
    probe_wanted_.reset();
    probe_in_flight_.reset();
    if (device_failed) {
        front_.reset();
        scratch_.clear();
        for (auto& promise : std::exchange(downloads_wanted_, {}))
            promise.set_exception(std::make_exception_ptr(DeviceError(error)));
    }
    return result;
}

int CudaSession::free_buffer() const {
    for (int i = 0; i < int(results_.size()); ++i) {
        const bool is_front = front_ && front_->buffer == i;
        const bool is_written = run_ && run_->buffer == i;
        if (!is_front && !is_written && results_[size_t(i)].readers == 0) return i;
    }
    return kNoBuffer;
}

void CudaSession::probe(int x, int y) {
    probe_wanted_.reset();
    if (x < 0 || y < 0 || x >= image_spec_.width || y >= image_spec_.height) {
        probed_.reset();
    } else {
        probe_wanted_ = Point{x, y};
    }
}

/// A result that stands in a texture only is computed once more, into memory. False when that cannot be now.
bool CudaSession::bring_front_to_memory() {
    if (front_->image || front_->buffer != kNoBuffer) return true;
    const int buffer = run_ ? kNoBuffer : free_buffer();
    if (buffer == kNoBuffer) return false;
    ResultBuffer& result = results_[size_t(buffer)];
    result.image.reshape(front_->output_spec);
    again_stages_.reset();
    launch(front_->spec, {result.image.d_data(), result.image.pitch_bytes, 0, front_->output_spec}, again_stages_);
    result.written.record(stream_);
    front_->buffer = buffer;
    return true;
}

void CudaSession::serve_probe() {
    if (probe_in_flight_ && probe_done_.done()) {
        PixelProbe& answer = probed_.emplace(PixelProbe{probe_in_flight_->x, probe_in_flight_->y, {}});
        std::ranges::copy(host_counts().pixel, answer.value);
        probe_in_flight_.reset();
    }
    if (probe_in_flight_ || !probe_wanted_ || !front_ || shows_run() || !bring_front_to_memory()) return;
    if (front_->image) {
        const auto [x, y] = *std::exchange(probe_wanted_, {});
        PixelProbe& answer = probed_.emplace(PixelProbe{x, y, {}});
        std::copy_n(front_->image->view().pixel(x, y), bytes_per_pixel(front_->output_spec.format), answer.value);
        return;
    }
    const DeviceImage& image = results_[size_t(front_->buffer)].image;
    const size_t pixel_bytes = size_t(bytes_per_pixel(image.spec.format));
    const uint8_t* d_pixel =
        image.d_data() + size_t(probe_wanted_->y) * image.pitch_bytes + size_t(probe_wanted_->x) * pixel_bytes;
    TONESCOPE_CUDA(cudaMemcpyAsync(host_counts().pixel, d_pixel, pixel_bytes, cudaMemcpyDeviceToHost, stream_));
    probe_done_.record(stream_);
    probe_in_flight_ = std::exchange(probe_wanted_, {});
}

std::future<std::shared_ptr<const HostImage>> CudaSession::download() {
    std::promise<std::shared_ptr<const HostImage>> promise;
    auto future = promise.get_future();
    if (front_ || shows_run()) {
        downloads_wanted_.push_back(std::move(promise));  // poll() sends it on its way
    } else {
        promise.set_value(nullptr);
    }
    return future;
}

void CudaSession::serve_downloads() {
    if (downloads_wanted_.empty() || shows_run()) return;
    if (front_ && !bring_front_to_memory()) return;
    for (auto& wanted : std::exchange(downloads_wanted_, {})) {
        if (!front_) {
            wanted.set_value(nullptr);
            continue;
        }
        if (front_->image) {
            wanted.set_value(front_->image);
            continue;
        }
        auto promise = std::make_shared<std::promise<std::shared_ptr<const HostImage>>>(std::move(wanted));
        download_.fetch(results_[size_t(front_->buffer)],
                        [this, promise](auto image, double, std::exception_ptr error) {
                            if (error) {
                                promise->set_exception(error);
                            } else {
                                promise->set_value(std::move(image));
                            }
                            wake_();
                        });
    }
}

std::unique_ptr<LiveSession> make_cuda_session(std::function<void()> wake, ResultTextures* textures, int device) {
    return std::make_unique<CudaSession>(std::move(wake), textures, device);
}

}  // namespace tonescope
