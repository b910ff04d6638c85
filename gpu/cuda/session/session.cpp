#include "gpu/cuda/session/session.h"

#include <algorithm>
#include <cstdlib>
#include <new>
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

CudaSession::CudaSession(const std::function<void()>& wake, ResultTextures* textures, int device)
    : textures_(textures),
      runner_(device_for(textures, device)),
      runs_until_failure_(forced_failure()),
      wake_(wake),
      upload_(runner_.device.index, wake),
      download_(runner_.device.index, wake),
      round_trips_(wake) {
    if (textures_ != nullptr && textures_->device() != runner_.device.index) textures_ = nullptr;
}

CudaSession::~CudaSession() {
    drop_run();
    upload_.stop();
    if (mask_upload_) mask_upload_->stop();
    download_.stop();
    round_trips_.stop();
    TONESCOPE_CUDA_LOG(cudaStreamSynchronize(runner_.stream));
    for (auto& promise : downloads_wanted_) promise.set_value(nullptr);
}

void CudaSession::set_image(std::shared_ptr<const HostImage> image, uint64_t image_serial) {
    image_serial_ = image_serial;
    pending_.reset();
    front_.reset();
    probe_wanted_.reset();
    probe_in_flight_.reset();
    probed_.reset();
    room_ = Room::enough;
    drop_run();
    const ImageSpec spec = image ? image->spec() : ImageSpec{};
    if (!(spec == image_spec_)) known_times_.clear();
    image_spec_ = spec;
    image_ = std::move(image);
    start_upload();
}

void CudaSession::start_upload() {
    try {
        TONESCOPE_CUDA(cudaSetDevice(runner_.device.index));
        upload_.start(image_, runner_.stream);
    } catch (const DeviceError&) {
        // The device is lost: the next request runs into it, and its result says so.
        upload_.start(nullptr, runner_.stream);
    }
}

/// Whether the part's mask, if it has one, is on its way to the device. Sets it on its way.
bool CudaSession::has_mask(const ResultPart& part) {
    if (part.mask == nullptr) return true;
    if (part.mask != mask_) {
        if (!mask_upload_) mask_upload_.emplace(runner_.device.index, wake_);
        mask_.reset();
        mask_upload_->start(part.mask, runner_.stream);
        mask_ = part.mask;
    }
    return mask_upload_->is_sent();
}

void CudaSession::cancel() {
    pending_.reset();
    room_ = Room::enough;
    if (!shows_run()) drop_run();
}

void CudaSession::drop_run() {
    if (!run_) return;
    run_->dropped = true;
    run_->stop.request_stop();
}

std::optional<LiveResult> CudaSession::poll() {
    std::optional<LiveResult> result = busy() ? move_on() : std::nullopt;
    if (!busy()) room_ = Room::enough;  // also where a probe or a download lacked it
    return result;
}

std::optional<LiveResult> CudaSession::move_on() {
    try {
        TONESCOPE_CUDA(cudaSetDevice(runner_.device.index));
        if (room_ == Room::lacking) make_room();
        if (run_) {
            if (std::optional<LiveResult> result = advance()) return result;
        }
        serve_probe();
        serve_downloads();
        if (!run_ && pending_) start_pending();
    } catch (const DeviceMemoryError& error) {
        // The device works on. A round trip has memory of its own: the session's is as it was.
        if (run_ && run_->phase == Phase::round_trip) return failure(error.what(), false);
        if (room_ == Room::made) return failure(error.what(), false);
        room_ = Room::lacking;  // the next call tries again
    } catch (const DeviceError& error) {
        return failure(error.what(), true);
    } catch (const std::bad_alloc&) {
        return failure("not enough memory for the result", false);
    } catch (const std::exception& error) {
        return failure(error.what(), false);
    }
    return {};
}

/// Frees what can be made anew; the run sets out once more.
void CudaSession::make_room() {
    room_ = Room::made;
    if (run_ && !run_->dropped && !pending_) pending_ = run_->request;
    run_.reset();
    runner_.release();
    for (const std::shared_ptr<ResultBuffer>& buffer : results_)
        if (buffer.use_count() == 1) buffer->image = {};
    mask_.reset();  // its upload too may be what had no room
    start_upload();
}

LiveResult CudaSession::failure(const std::string& error, bool device_failed) {
    room_ = Room::enough;
    LiveResult result{.serial = run_       ? run_->request.serial
                                : pending_ ? pending_->serial
                                           : last_serial_,
                      .image_serial = image_serial_,
                      .error = error,
                      .device_failed = device_failed};
    // A newer request than the one that failed still has its turn, unless the device is gone.
    const bool had_run = run_.has_value();
    if (!had_run || device_failed) pending_.reset();
    run_.reset();
    probe_wanted_.reset();
    probe_in_flight_.reset();
    if (device_failed) {
        front_.reset();
        runner_.release();
    }
    if (!had_run || device_failed)  // else the result before the run that failed is what they wait for
        for (auto& promise : std::exchange(downloads_wanted_, {}))
            promise.set_exception(std::make_exception_ptr(DeviceError(error)));
    return result;
}

/// A result that stands in a texture only is computed once more, into memory. False when that cannot be now.
bool CudaSession::bring_front_to_memory() {
    if (front_->image || front_->buffer) return true;
    if (pending_ && pending_->spec.part.mask != front_->spec.part.mask) return false;  // there is one mask at a time
    const bool is_ready = !run_ && upload_.is_sent() && has_mask(front_->spec.part);
    const std::shared_ptr<ResultBuffer> buffer = is_ready ? free_buffer() : nullptr;
    if (!buffer) return false;
    buffer->image.reshape(front_->output_spec);
    runner_.stages.set_enabled(false);
    launch(front_->spec, buffer->output());
    buffer->written.record(runner_.stream);
    front_->buffer = buffer;
    return true;
}

/// The image and the part's mask are sent.
void CudaSession::launch(const RunSpec& spec, const DeviceOutput& output) {
    upload_.make_wait(runner_.stream);
    DevicePixels mask;
    if (spec.part.mask != nullptr) {
        mask_upload_->make_wait(runner_.stream);
        const DeviceImage& image = mask_upload_->image();
        mask = {image.d_data(), image.pitch_bytes, image.spec};
    }
    runner_.launch(spec, {upload_.image().d_data(), upload_.image().pitch_bytes, image_spec_}, mask, output, true);
}

void CudaSession::probe(int x, int y) {
    probe_wanted_.reset();
    if (x < 0 || y < 0 || x >= image_spec_.width || y >= image_spec_.height) {
        probed_.reset();
    } else {
        probe_wanted_ = Pixel{x, y};
    }
}

void CudaSession::serve_probe() {
    if (probe_in_flight_ && probe_done_.done()) {
        const Pixel at = *std::exchange(probe_in_flight_, {});
        probed_ = probe_of(at.x, at.y, h_pixel_.as<uint8_t>(), probe_format_);
    }
    if (probe_in_flight_ || !probe_wanted_ || !front_ || shows_run() || !bring_front_to_memory()) return;
    const Pixel at = *std::exchange(probe_wanted_, {});
    probe_format_ = front_->output_spec.format;
    if (front_->image) {
        probed_ = probe_of(at.x, at.y, front_->image->view().pixel(at.x, at.y), probe_format_);
        return;
    }
    TONESCOPE_CUDA(cudaMemcpyAsync(h_pixel_.as<void>(), front_->buffer->image.pixel(at.x, at.y),
                                   size_t(bytes_per_pixel(probe_format_)), cudaMemcpyDeviceToHost, runner_.stream));
    probe_done_.record(runner_.stream);
    probe_in_flight_ = at;
}

std::future<std::shared_ptr<const HostImage>> CudaSession::download() {
    LiveDownload::Promise promise;
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
        if (!front_ || front_->image) {
            wanted.set_value(front_ ? front_->image : nullptr);
        } else {
            download_.start(front_->buffer, std::move(wanted));
        }
    }
}

std::unique_ptr<LiveSession> make_cuda_session(std::function<void()> wake, ResultTextures* textures, int device) {
    return std::make_unique<CudaSession>(wake, textures, device);
}

}  // namespace tonescope
