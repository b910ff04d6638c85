#include "app/batch/backend_chooser.h"

#include <algorithm>

#include "app/options/report.h"

namespace tonescope {

BackendChooser::Times BackendChooser::measured(const ImageSpec& image, const Measure& measure) {
    // Rows of about so many pixels.
    const auto rows_of = [&](int64_t pixels) {
        return int(std::clamp<int64_t>(pixels / image.width, 1, image.height));
    };
    const int few = rows_of(kLeastPixels / 2), many = rows_of(8 * kLeastPixels);
    const auto pixels_of = [&](int rows) { return double(rows) * image.width; };
    measure(BackendKind::cuda, many);  // the first run loads kernels and takes memory
    const double few_ms = measure(BackendKind::cuda, few), many_ms = measure(BackendKind::cuda, many);
    measure(BackendKind::cpu, few);
    const double ms_per_pixel = many > few ? std::max(0.0, many_ms - few_ms) / pixels_of(many - few) : 0;
    return {.device_ms = std::max(0.0, few_ms - ms_per_pixel * pixels_of(few)),
            .device_ns_per_pixel = 1e6 * ms_per_pixel,
            .cpu_ns_per_pixel = 1e6 * measure(BackendKind::cpu, few) / pixels_of(few)};
}

BackendChooser::Choice BackendChooser::choose(const ImageSpec& image, const Measure& measure) {
    if (image.pixels() < kLeastPixels)
        return {BackendKind::cuda, "small images take a few milliseconds at most, wherever they run"};
    const auto known = times_.find(image.format);
    const Times times = known != times_.end() ? known->second : measured(image, measure);
    times_[image.format] = times;
    const double pixels = double(image.pixels());
    const double on_device = times.device_ms + 1e-6 * times.device_ns_per_pixel * pixels;
    const double on_cpu = 1e-6 * times.cpu_ns_per_pixel * pixels;
    const bool takes_device = on_device <= on_cpu;
    const std::string device = "about " + number_text(on_device) + " ms on the device",
                      cpu = "about " + number_text(on_cpu) + " ms on the CPU";
    return {takes_device ? BackendKind::cuda : BackendKind::cpu,
            (takes_device ? device + ", " + cpu : cpu + ", " + device) + ", by runs on parts of an image"};
}

}  // namespace tonescope
