#include "app/batch/filter.h"

#include <utility>

#include "app/system/text_file.h"

namespace tonescope {

BatchFilter::BatchFilter(BatchRun run, std::unique_ptr<Backend> backend)
    : run_(std::move(run)),
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

/// Another variant where the chosen one does not take the image, on the CPU if need be.
RunSpec BatchFilter::spec_for(const ImageSpec& image) const {
    const RunSpec usual = spec();
    if (!run_.with_variant || refusal(*usual.op, *usual.variant, usual.params, image).empty()) return usual;
    const VariantInfo* other = preferred_variant(*usual.op, usual.variant->backend, usual.params, image);
    if (other == nullptr && run_.may_use_cpu)
        other = preferred_variant(*usual.op, BackendKind::cpu, usual.params, image);
    return other != nullptr ? run_.with_variant(*other) : usual;
}

BatchFilter::Filtered BatchFilter::run(const ImageView& image, int threads, const std::stop_token& stop) {
    while (true) {
        Filtered done{.result = {}, .spec = spec_for(image.spec), .device = {}};
        if (done.spec.variant->backend == BackendKind::cpu) {
            done.device = cpu_device_name(default_cpu_threads());
            done.result = make_cpu_backend(threads)->run(image, done.spec, stop);
            return done;
        }
        const std::lock_guard lock(device_);
        if (backend_ == nullptr) continue;  // given up meanwhile
        try {
            done.device = backend_->device_name();
            done.result = backend_->run(image, done.spec, stop);
            return done;
        } catch (const DeviceError& error) {
            if (!run_.may_use_cpu || !run_.with_variant) throw;
            give_up_device(error);
        }
    }
}

/// For this image and those that follow.
void BatchFilter::give_up_device(const DeviceError& error) {
    print_error(std::string("the GPU failed, continuing on the CPU: ") + error.what());
    const std::lock_guard lock(mutex_);
    const VariantInfo* variant = preferred_variant(spec_.op->id, BackendKind::cpu);
    if (variant == nullptr) throw error;
    spec_ = run_.with_variant(*variant);
    failure_ = error.what();
    device_name_ = cpu_device_name(default_cpu_threads());
    backend_.reset();
}

}  // namespace tonescope
