// Whether images are filtered on the CPU or on a device: by the times that small images take on both, and the images
// that have been filtered.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "gpu/core/backend.h"

namespace tonescope {

/// For runs that differ by their images alone. What a run takes whatever the image, and for each pixel, is measured
/// once for each format of pixels, and corrected by what images have taken.
class BackendChooser {
  public:
    /// Milliseconds that a run on an image of this size takes, copies to the device and back included.
    using Measure = std::function<double(BackendKind kind, const ImageSpec& image)>;
    struct Choice {
        BackendKind backend;
        std::string why;  // "about 4.2 ms on the device, about 31 ms on the CPU"
    };

    /// Whether to start a device pays for so many images like this one: `cuda`, or `cpu` with the reason. What
    /// `measure` throws ends it, here and below; it is asked for the CPU alone.
    Choice start(const ImageSpec& image, int64_t images, const Measure& measure);
    /// Where an image is filtered, once a device has been started.
    Choice choose(const ImageSpec& image, const Measure& measure);
    /// An image was filtered there. `ms`: what all of the CPU's threads would have taken together, or a device's wall
    /// time.
    void learn(BackendKind kind, const ImageSpec& image, double ms);

    /// What a device takes to start and to load its kernels, about.
    static constexpr double kStart_ms = 450;

  private:
    struct Times {
        double run_ms, ms_per_pixel;  // of small images
        /// Of the images that were filtered, all together: what they took, and what the small ones promised.
        double measured_ms = 0, predicted_ms = 0;
        double of(const ImageSpec& image) const { return run_ms + ms_per_pixel * double(image.pixels()); }
    };
    const Times& times(BackendKind kind, const ImageSpec& image, const Measure& measure);
    double expected_ms(BackendKind kind, const ImageSpec& image, const Measure& measure);

    std::map<std::pair<BackendKind, PixelFormat>, Times> times_;
};

}  // namespace tonescope
