// The operator of a batch, for any number of images at the same time.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"

namespace tonescope {

/// What is computed of each image.
struct BatchRun {
    RunSpec spec;  // `op` null: images stay as they are
    /// The same with another variant, for images that `spec.variant` does not take; empty: such an image fails.
    std::function<RunSpec(const VariantInfo& variant)> with_variant = {};
    bool may_use_cpu = false;  // for such images, and for all once the device has failed
};

class BatchFilter {
  public:
    /// `backend` is that of `run.spec`; null where that has no operator.
    BatchFilter(BatchRun run, std::unique_ptr<Backend> backend);

    struct Filtered {
        RunResult result;
        RunSpec spec;  // what has run
        std::string device;
    };
    /// On the CPU it runs beside others with so many threads; a GPU takes one image after the other. Throws UserError,
    /// Canceled.
    Filtered run(const ImageView& image, int threads, const std::stop_token& stop);

    /// What runs on usual images, and where: the CPU, once the device has failed.
    RunSpec spec() const;
    std::string device() const;
    /// Why the device was given up; empty: it was not.
    std::string failure() const;

  private:
    RunSpec spec_for(const ImageSpec& image) const;
    void give_up_device(const DeviceError& error);

    const BatchRun run_;
    std::mutex device_;  // for whoever uses backend_
    std::unique_ptr<Backend> backend_;
    mutable std::mutex mutex_;  // what follows
    RunSpec spec_;
    std::string device_name_, failure_;
};

}  // namespace tonescope
