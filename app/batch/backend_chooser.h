// Whether an image is filtered on the CPU or on a device: by the times that parts of a first image take on both.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "gpu/core/backend.h"

namespace tonescope {

/// For runs that differ by their images alone. A run takes some time whatever the image, and a time for each pixel,
/// which are measured once for each format of pixels: on a device with two parts of different sizes, on the CPU, where
/// a run begins at once, with one.
class BackendChooser {
  public:
    /// Milliseconds that a run on the first `rows` rows of the image takes, copies to the device and back included.
    using Measure = std::function<double(BackendKind kind, int rows)>;
    struct Choice {
        BackendKind backend;
        std::string why;  // "about 4.2 ms, on the CPU 31 ms, by runs on parts of an image"
    };

    /// What `measure` throws ends it.
    Choice choose(const ImageSpec& image, const Measure& measure);

    /// Smaller images run on the device, unmeasured: either takes a few milliseconds at most.
    static constexpr int64_t kLeastPixels = int64_t{1} << 18;

  private:
    struct Times {
        double device_ms = 0, device_ns_per_pixel = 0, cpu_ns_per_pixel = 0;
    };
    static Times measured(const ImageSpec& image, const Measure& measure);

    std::map<PixelFormat, Times> times_;
};

}  // namespace tonescope
