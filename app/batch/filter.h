// The operator of a batch, for any number of images at the same time.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <set>
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
    /// Starts a device, where that takes less time than the CPU needs for the images (BackendChooser); from then on
    /// each image runs where it takes less. `spec` is on the CPU, and `with_variant` is set. Throws DeviceError.
    std::function<std::unique_ptr<Backend>()> start_device = {};
    int64_t images = 1;  // that are to come
};

class BatchFilter {
  public:
    /// `backend` is that of `run.spec`; null where that has no operator.
    BatchFilter(BatchRun run, std::unique_ptr<Backend> backend);

    /// Memory from which the device takes an image by itself, for pixels that are about to be read; empty where there
    /// is none, or any serves. What a run on the device takes longest for the first time is done meanwhile: its kernels
    /// are loaded, and as much memory is made for the result.
    HostImage make_image(const ImageSpec& image);

    struct Filtered {
        RunResult result;
        RunSpec spec;  // what has run
        std::string device;
        std::string why;  // there and not elsewhere; empty where nothing was to be chosen
    };
    /// Filters this part of the image, whatever that of `spec` is. On the CPU it runs beside others with so many
    /// threads; a GPU takes one image after the other. Throws UserError, Canceled.
    Filtered run(const ImageView& image, const ResultPart& part, int threads, const std::stop_token& stop);

    /// What runs on usual images, and where: the CPU, once the device has failed.
    RunSpec spec() const;
    std::string device() const;
    /// Why the device was given up, or could not be started; empty: neither.
    std::string failure() const;

  private:
    std::shared_ptr<Backend> backend() const;
    RunSpec spec_for(const ImageSpec& image) const;
    BackendChooser::Choice choose(const ImageSpec& image);
    BackendChooser::Choice start(const ImageSpec& image);
    double measure(BackendKind kind, const ImageSpec& image);
    void prepare(const ImageSpec& image);
    void give_up_device(const DeviceError& error);

    const BatchRun run_;
    std::mutex device_;   // for whoever runs on the device
    std::mutex choices_;  // what follows; it is locked before the others
    BackendChooser chooser_;
    bool is_started_ = false;  // or it was tried in vain
    int64_t images_left_;
    mutable std::mutex mutex_;          // what follows
    std::shared_ptr<Backend> backend_;  // null: the device was given up
    RunSpec spec_;
    std::string device_name_, failure_;
    size_t prepared_bytes_ = 0;  // of a result
    std::set<PixelFormat> prepared_formats_;
    std::shared_future<void> prepared_;  // last: it uses what stands above
};

}  // namespace tonescope
