#include "app/batch/backend_chooser.h"

#include <algorithm>
#include <utility>

#include "app/options/report.h"

namespace tonescope {
namespace {

constexpr int64_t kFewPixels = int64_t{1} << 17, kManyPixels = int64_t{1} << 21;
/// About what a run on the larger image takes.
constexpr double kTrial_ms = 5;
/// The best run counts: where threads are many, one of them is often late. An image is run until its runs have taken so
/// long together, and often enough that one of them is on time, unless that takes too long.
constexpr double kRuns_ms = 3 * kTrial_ms, kMostRuns_ms = 100;
constexpr int kLeastRuns = 5, kMostRuns = 10;

/// With about so many pixels, a kilopixel wide.
ImageSpec small_image(ImageSpec image, int64_t pixels) {
    image.width = 1024;
    image.height = int(pixels / image.width);
    return image;
}

std::string about(double ms, std::string_view where) {
    return "about " + number_text(ms) + " ms on the " + std::string(where);
}

}  // namespace

const BackendChooser::Times& BackendChooser::times(BackendKind kind, const ImageSpec& image, const Measure& measure) {
    auto known = times_.find({kind, image.format});
    if (known == times_.end()) {
        const auto best_ms = [&](const ImageSpec& small) {
            double best = measure(kind, small);  // the first run starts threads, loads kernels and takes memory
            double spent = best;
            const auto goes_on = [&](int runs) {
                return spent < kRuns_ms || (runs < kLeastRuns && spent < kMostRuns_ms);
            };
            for (int i = 1; i < kMostRuns && goes_on(i); ++i) {
                const double ms = measure(kind, small);
                spent += ms;
                best = std::min(best, ms);
            }
            return best;
        };
        const ImageSpec few = small_image(image, kFewPixels);
        const double few_ms = best_ms(few), most = double(kFewPixels) * kTrial_ms / std::max(few_ms, 1e-3);
        const int64_t least = (few_ms < 2 * kTrial_ms ? 8 : 2) * kFewPixels;
        const ImageSpec many = small_image(image, int64_t(std::clamp(most, double(least), double(kManyPixels))));
        const double many_ms = best_ms(many);
        double ms_per_pixel = std::max(0.0, many_ms - few_ms) / double(many.pixels() - few.pixels());
        if (kind == BackendKind::cpu)  // which has little to begin with: all runs on few pixels were late
            ms_per_pixel = std::max(ms_per_pixel, many_ms / 2 / double(many.pixels()));
        const double run_ms = std::max(0.0, few_ms - ms_per_pixel * double(few.pixels()));
        known = times_.emplace(std::pair(kind, image.format), Times{run_ms, ms_per_pixel}).first;
    }
    return known->second;
}

double BackendChooser::expected_ms(BackendKind kind, const ImageSpec& image, const Measure& measure) {
    const Times& known = times(kind, image, measure);
    return known.of(image) * (known.predicted_ms > 0 ? known.measured_ms / known.predicted_ms : 1);
}

void BackendChooser::learn(BackendKind kind, const ImageSpec& image, double ms) {
    const auto known = times_.find({kind, image.format});
    if (known == times_.end()) return;
    known->second.measured_ms += ms;
    known->second.predicted_ms += known->second.of(image);
}

BackendChooser::Choice BackendChooser::start(const ImageSpec& image, int64_t images, const Measure& measure) {
    const double ms = expected_ms(BackendKind::cpu, image, measure) * double(images);
    const std::string on_cpu = about(ms, "CPU") + (images > 1 ? " for " + std::to_string(images) + " such images" : "");
    // Small images can tell twice of what large ones take.
    if (images > 1 && ms > kStart_ms && ms < 2 * kStart_ms && times(BackendKind::cpu, image, measure).predicted_ms == 0)
        return {BackendKind::cpu, on_cpu + " by runs on small ones; the first tells more"};
    return {ms > kStart_ms ? BackendKind::cuda : BackendKind::cpu, on_cpu + "; a device takes longer to start"};
}

BackendChooser::Choice BackendChooser::choose(const ImageSpec& image, const Measure& measure) {
    const double on_cpu = expected_ms(BackendKind::cpu, image, measure);
    const double on_device = expected_ms(BackendKind::cuda, image, measure);
    const std::string cpu = about(on_cpu, "CPU"), device = about(on_device, "device");
    const bool takes_device = on_device <= on_cpu;
    return {takes_device ? BackendKind::cuda : BackendKind::cpu,
            takes_device ? device + ", " + cpu : cpu + ", " + device};
}

}  // namespace tonescope
