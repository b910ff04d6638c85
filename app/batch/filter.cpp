#include "app/batch/filter.h"

#include <chrono>
#include <system_error>
#include <utility>

#include "app/system/text_file.h"
#include "gpu/core/timing.h"

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

HostImage BatchFilter::make_image(const ImageSpec& image) {
    std::unique_lock lock(mutex_);
    if (!backend_ || spec_.variant->backend == BackendKind::cpu) return {};
    const auto make = [image, backend = backend_, mode = spec_.memory_mode()] {
        try {
            return backend->make_image(image, mode);
        } catch (const UserError&) {  // short of such memory
            return HostImage();
        }
    };
    if (!spec_.op->makes_bins && image.size_bytes() > prepared_bytes_) {
        prepared_bytes_ = image.size_bytes();
        try {
            prepared_ = std::async(std::launch::async, [make] { make(); });  // and leaves it to the run
        } catch (const std::system_error&) {                                 // which makes it then
        }
    }
    lock.unlock();
    return make();
}

/// Until the memory of the first result is there.
void BatchFilter::wait_until_prepared() {
    std::future<void> prepared;
    {
        const std::lock_guard lock(mutex_);
        prepared = std::move(prepared_);
    }
    if (prepared.valid()) prepared.wait();
}

void BatchFilter::take_faster(const ImageView& image, int threads, const std::stop_token& stop, Filtered& done) {
    const VariantInfo* variant = preferred_variant(*done.spec.op, BackendKind::cpu, done.spec.params, image.spec);
    if (variant == nullptr) return;
    const RunSpec on_cpu = run_.with_variant(*variant);
    const auto measure = [&](BackendKind kind, int rows) {
        ImageView part = image;
        part.spec.height = rows;
        const auto begin = std::chrono::steady_clock::now();
        if (kind == BackendKind::cpu)
            make_cpu_backend(threads)->run(part, on_cpu, stop);
        else
            backend_->run(part, done.spec, stop);
        return ms_since(begin);
    };
    const BackendChooser::Choice choice = chooser_.choose(image.spec, measure);
    done.why = choice.why;
    if (choice.backend == BackendKind::cpu) done.spec = on_cpu;
}

BatchFilter::Filtered BatchFilter::run(const ImageView& image, int threads, const std::stop_token& stop) {
    const auto run_on_cpu = [&](Filtered& done) {
        done.device = cpu_device_name(default_cpu_threads());
        done.result = make_cpu_backend(threads)->run(image, done.spec, stop);
    };
    while (true) {
        Filtered done{.result = {}, .spec = spec_for(image.spec), .device = {}, .why = {}};
        if (done.spec.variant->backend == BackendKind::cpu) {
            run_on_cpu(done);
            return done;
        }
        std::unique_lock lock(device_);
        if (backend_ == nullptr) continue;  // given up meanwhile
        try {
            wait_until_prepared();
            if (run_.takes_faster) take_faster(image, threads, stop, done);
            if (done.spec.variant->backend == BackendKind::cpu) {
                lock.unlock();
                run_on_cpu(done);
                return done;
            }
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
