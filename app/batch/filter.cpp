#include "app/batch/filter.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "app/system/text_file.h"
#include "gpu/core/benchmark/contents.h"
#include "gpu/core/timing.h"

namespace tonescope {

BatchFilter::BatchFilter(BatchRun run, std::unique_ptr<Backend> backend)
    : run_(std::move(run)),
      images_left_(run_.images),
      backend_(std::move(backend)),
      spec_(run_.spec),
      device_name_(backend_ ? backend_->device_name() : std::string()) {}

RunSpec BatchFilter::spec() const {
    const std::lock_guard lock(mutex_);
    return spec_;
}

std::string BatchFilter::device() const {
    const std::lock_guard lock(mutex_);
    return device_name_;
}

std::string BatchFilter::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

std::shared_ptr<Backend> BatchFilter::backend() const {
    const std::lock_guard lock(mutex_);
    return backend_;
}

/// Another variant where the chosen one does not take the image, on the CPU if need be.
RunSpec BatchFilter::spec_for(const ImageSpec& image) const {
    const RunSpec usual = spec();
    if (!run_.with_variant || refusal(*usual.op, *usual.variant, usual.params, image).empty()) return usual;
    const VariantInfo* other = preferred_variant(*usual.op, usual.variant->backend, usual.params, image);
    if (other == nullptr && run_.may_use_cpu)
        other = preferred_variant(*usual.op, BackendKind::cpu, usual.params, image);
    return other != nullptr ? run_.with_variant(*other) : usual;
}

/// Of a run on noise of this size.
double BatchFilter::measure(BackendKind kind, const ImageSpec& image) {
    const HostImage noise = tonescope::make_image("noise", image, default_cpu_threads());
    const auto timed = [](Backend& backend, const ImageView& input, RunSpec spec) {
        spec.part = {};  // a mask fits its own image alone
        const auto begin = std::chrono::steady_clock::now();
        backend.run(input, spec);
        return ms_since(begin);
    };
    if (kind == BackendKind::cpu) {
        const VariantInfo* variant = preferred_variant(*run_.spec.op, kind, run_.spec.params, image);
        if (variant == nullptr) return std::numeric_limits<double>::infinity();
        return timed(*make_cpu_backend(), noise.view(), run_.with_variant(*variant));
    }
    const std::lock_guard lock(device_);
    const auto device = backend();
    const RunSpec spec = spec_for(image);
    if (device == nullptr || spec.variant->backend != kind) return std::numeric_limits<double>::infinity();
    HostImage input = device->make_image(image, spec.memory_mode());
    for (int y = 0; y < input.height(); ++y)
        std::memcpy(input.mutable_view().row(y), noise.view().row(y), image.row_bytes());
    return timed(*device, input.empty() ? noise.view() : input.view(), spec);
}

/// Starts the device where that pays. `choices_` is locked.
BackendChooser::Choice BatchFilter::start(const ImageSpec& image) {
    const auto times = [this](BackendKind kind, const ImageSpec& part) { return measure(kind, part); };
    const BackendChooser::Choice choice = chooser_.start(image, std::max<int64_t>(images_left_, 1), times);
    if (choice.backend == BackendKind::cpu) return choice;
    is_started_ = true;
    const VariantInfo* variant = preferred_variant(run_.spec.op->id, BackendKind::cuda);
    try {
        std::shared_ptr<Backend> device = run_.start_device();
        const std::lock_guard lock(mutex_);
        backend_ = std::move(device);
        device_name_ = backend_->device_name();
        spec_ = run_.with_variant(*variant);
    } catch (const DeviceError& error) {
        const std::lock_guard lock(mutex_);
        failure_ = error.what();
    }
    return choice;
}

/// Where an image is filtered. Throws DeviceError where the device fails meanwhile.
BackendChooser::Choice BatchFilter::choose(const ImageSpec& image) {
    const std::lock_guard lock(choices_);
    if (run_.start_device && !is_started_) {
        BackendChooser::Choice choice = start(image);
        if (!is_started_) return choice;
    }
    const BackendKind kind = spec().variant->backend;
    if (!run_.start_device || kind == BackendKind::cpu) return {kind, {}};
    return chooser_.choose(image, [this](BackendKind on, const ImageSpec& part) { return measure(on, part); });
}

/// Begins to make ready what a run on such an image takes, where none before it did.
void BatchFilter::prepare(const ImageSpec& image) {
    constexpr size_t kMostPrepared_bytes = size_t{1} << 29;  // backends keep no more for long
    const std::lock_guard lock(mutex_);
    // What is not prepared is made when it is needed.
    if (prepared_.valid() && prepared_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    const bool is_new = prepared_formats_.insert(image.format).second;
    const size_t bytes = image.size_bytes();
    const bool is_larger = !spec_.op->makes_bins && bytes > prepared_bytes_ && bytes <= kMostPrepared_bytes;
    if (!is_new && !is_larger) return;
    prepared_bytes_ = std::max(prepared_bytes_, bytes);
    const auto work = [this, image, is_new, is_larger] {
        try {
            if (const auto device = backend(); device != nullptr && is_larger)
                device->make_image(image, spec().memory_mode());  // which goes back to the backend
            if (!is_new) return;
            ImageSpec small = image;
            small.height = std::clamp((1 << 14) / image.width, 1, image.height);
            run_.start_device ? void(choose(image)) : void(measure(BackendKind::cuda, small));
        } catch (const UserError&) {  // the run tells
        } catch (const std::bad_alloc&) {
        }
    };
    try {
        prepared_ = std::async(std::launch::async, work);
    } catch (const std::system_error&) {  // it is done when it is needed
    }
}

HostImage BatchFilter::make_image(const ImageSpec& image) {
    if (run_.start_device) {
        const std::lock_guard lock(choices_);
        if (!is_started_) start(image);
    }
    const auto device = backend();
    const RunSpec usual = spec();
    if (device == nullptr || usual.variant->backend == BackendKind::cpu) return {};
    prepare(image);
    try {
        return device->make_image(image, usual.memory_mode());
    } catch (const UserError&) {  // there is none; a device that has failed says so in the run
        return {};
    }
}

BatchFilter::Filtered BatchFilter::run(const ImageView& image, const ResultPart& part, int threads,
                                       const std::stop_token& stop) {
    while (true) {
        try {
            std::shared_future<void> prepared;
            {
                const std::lock_guard lock(mutex_);
                prepared = prepared_;
            }
            if (prepared.valid()) prepared.wait();
            BackendChooser::Choice choice = choose(image.spec);
            Filtered done{.result = {}, .spec = spec_for(image.spec), .device = {}, .why = std::move(choice.why)};
            if (choice.backend == BackendKind::cpu && done.spec.variant->backend == BackendKind::cuda)
                if (const VariantInfo* variant =
                        preferred_variant(*run_.spec.op, BackendKind::cpu, run_.spec.params, image.spec))
                    done.spec = run_.with_variant(*variant);
            done.spec.part = part;
            auto begin = std::chrono::steady_clock::now();
            double share = 1;  // of the CPU's threads
            if (done.spec.variant->backend == BackendKind::cpu) {
                done.device = cpu_device_name(default_cpu_threads());
                if (threads > 0) share = std::min(1.0, double(threads) / default_cpu_threads());
                done.result = make_cpu_backend(threads)->run(image, done.spec, stop);
            } else {
                const std::lock_guard lock(device_);
                const auto device = backend();
                if (device == nullptr) continue;  // given up meanwhile
                begin = std::chrono::steady_clock::now();
                done.device = device->device_name();
                done.result = device->run(image, done.spec, stop);
            }
            const double ms = ms_since(begin) * share;
            const std::lock_guard lock(choices_);
            --images_left_;
            if (run_.start_device) chooser_.learn(done.spec.variant->backend, image.spec, ms);
            return done;
        } catch (const DeviceError& error) {
            if (!run_.may_use_cpu || !run_.with_variant) throw;
            give_up_device(error);
        }
    }
}

/// For this image and those that follow.
void BatchFilter::give_up_device(const DeviceError& error) {
    const std::lock_guard lock(mutex_);
    if (backend_ == nullptr) return;  // another thread has
    print_error(std::string("the GPU failed, continuing on the CPU: ") + error.what());
    const VariantInfo* variant = preferred_variant(spec_.op->id, BackendKind::cpu);
    if (variant == nullptr) throw error;
    spec_ = run_.with_variant(*variant);
    failure_ = error.what();
    device_name_ = cpu_device_name(default_cpu_threads());
    backend_.reset();
}

}  // namespace tonescope
