// Backends of workers beside the live session's, for results that are shown next to its own.
#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

#include "app/options/report.h"
#include "app/system/device_answer.h"
#include "app/system/tasks.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/present/presenter.h"

namespace tonescope {

/// From any thread; runs take turns.
class WorkerBackends {
  public:
    struct Result {
        RunSpec spec = {};
        std::shared_ptr<const HostImage> image = {};
        double ms = 0;  // of the run, without copies to and from a GPU
    };
    /// `device`: CUDA's index, -1: the first one. A null variant stands for none on the GPU that takes it. Throws
    /// UserError, Canceled.
    Result run(const HostImage& image, const RunSpec& spec, int device, std::stop_token stop) {
        const std::lock_guard lock(mutex_);
        if (stop.stop_requested()) throw Canceled{};  // release() may have come before
        if (spec.variant == nullptr) throw UserError("no variant on the GPU takes the image with these values");
        const bool on_cpu = spec.variant->backend == BackendKind::cpu;
        std::unique_ptr<Backend>& backend = on_cpu ? cpu_ : cuda_;
        (on_cpu ? cuda_ : cpu_).reset();  // a device that has failed works again when nobody holds it
        try {
            if (!backend) backend = on_cpu ? make_cpu_backend() : make_answering_backend(device);
            const auto begin = std::chrono::steady_clock::now();
            RunResult result = backend->run(image.view(), spec, stop);
            const double ms = sum_ms(result.stages, false, ms_since(begin));
            if (stop.stop_requested()) throw Canceled{};
            return {spec, std::make_shared<const HostImage>(std::move(result.image)), ms};
        } catch (const DeviceError&) {
            cuda_.reset();  // it may not recover
            throw;
        }
    }
    /// Gives back what backends hold.
    void release() {
        const std::lock_guard lock(mutex_);
        cpu_.reset();
        cuda_.reset();
    }

  private:
    std::mutex mutex_;
    std::unique_ptr<Backend> cpu_, cuda_;  // made when they are first needed
};

/// Has a worker give back what they hold: that may wait for a run.
inline void release_on(Tasks& tasks, const std::shared_ptr<WorkerBackends>& backends) {
    tasks.start(
        [backends](std::stop_token) {
            backends->release();
            return true;
        },
        [](const Outcome<bool>&) {});
}

}  // namespace tonescope
