// The operator of a batch, for any number of images at the same time.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "app/batch/backend_chooser.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"

namespace tonescope {

/// What is computed of each image.
struct BatchRun {
    RunSpec spec;  // `op` null: images stay as they are
    /// The same with another variant, for images that `spec.variant` does not take; empty: such an image fails.
    std::function<RunSpec(const VariantInfo& variant)> with_variant = {};
    bool may_use_cpu = false;  // for such images, and for all once the device has failed
    /// Whether each image runs where it takes less time (BackendChooser), on the CPU or the device of `spec`.
    bool takes_faster = false;
};

class BatchFilter {
  public:
    /// `backend` is that of `run.spec`; null where that has no operator.
    BatchFilter(BatchRun run, std::unique_ptr<Backend> backend);

    /// Memory from which the device takes an image by itself, for pixels that are about to be read; empty where any
    /// serves. The result will want as much, which is made meanwhile.
    HostImage make_image(const ImageSpec& image);

    struct Filtered {
        RunResult result;
        RunSpec spec;  // what has run
        std::string device;
        std::string why;  // there and not elsewhere; empty where nothing was to be chosen
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
    void wait_until_prepared();
    /// Where `done.spec` is on the device but the CPU is faster, that becomes what is to run; `device_` is locked.
    void take_faster(const ImageView& image, int threads, const std::stop_token& stop, Filtered& done);
    void give_up_device(const DeviceError& error);

    const BatchRun run_;
    std::mutex device_;  // for whoever runs on backend_
    BackendChooser chooser_;
    mutable std::mutex mutex_;  // what follows
    std::shared_ptr<Backend> backend_;
    RunSpec spec_;
    std::string device_name_, failure_;
    size_t prepared_bytes_ = 0;  // of a result
    std::future<void> prepared_;
};

}  // namespace tonescope
