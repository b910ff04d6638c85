// A quick look at part of the Kuwahara filter's result.
#include <algorithm>
#include <cstring>

#include "gpu/ops/kuwahara/kuwahara.h"

namespace tonescope::kuwahara {
namespace {

constexpr int64_t kMaxExact_px = 1 << 20;  // larger regions are filtered on a reduced copy

/// Positions first, first + step, ... of one axis: those that are shown, and up to `margin` more on either side, inside
/// the image.
struct Samples {
    Samples(int begin, int shown_px, int step, int margin, int size_px)
        : before(std::min(margin, begin / step)),
          first(begin - before * step),
          count(std::min((begin + shown_px - 1 - first) / step + 1 + margin, (size_px - 1 - first) / step + 1)) {}
    int before;  // samples before the first one that is shown
    int first;   // pixels
    int count;
};

HostImage reduced(const ImageView& image, const Samples& xs, const Samples& ys, int step) {
    HostImage small({xs.count, ys.count, image.spec.format, image.spec.has_alpha});
    const auto pixel_bytes = size_t(bytes_per_pixel(image.spec.format));
    for (int j = 0; j < ys.count; ++j)
        for (int i = 0; i < xs.count; ++i)
            std::memcpy(small.mutable_view().pixel(i, j), image.pixel(xs.first + i * step, ys.first + j * step),
                        pixel_bytes);
    return small;
}

}  // namespace

/// Small regions are filtered exactly and then sampled. Larger ones are sampled first, and the radius shrinks with
/// them.
void preview(const PreviewJob& job) {
    const int radius = job.params.as<Params>().radius;
    const Rect& region = job.region;
    const auto pixel_bytes = size_t(bytes_per_pixel(job.input.spec.format));

    const int64_t exact_px = (int64_t{region.width} + 2 * radius) * (int64_t{region.height} + 2 * radius);
    const bool exact = job.step == 1 || exact_px <= kMaxExact_px;
    const int sample_step = exact ? 1 : job.step;  // of what is filtered
    const int pick_step = exact ? job.step : 1;    // of what is shown, in samples
    const int sample_radius = exact ? radius : std::max(1, (radius + job.step / 2) / job.step);

    const Samples xs(region.x, region.width, sample_step, sample_radius, job.input.spec.width);
    const Samples ys(region.y, region.height, sample_step, sample_radius, job.input.spec.height);
    HostImage small;
    ImageView samples;
    if (exact) {
        samples = {job.input.pixel(xs.first, ys.first), job.input.pitch_bytes, job.input.spec};
        samples.spec.width = xs.count;
        samples.spec.height = ys.count;
    } else {
        small = reduced(job.input, xs, ys, sample_step);
        samples = small.view();
    }
    HostImage filtered(samples.spec);
    filter(samples, sample_radius, filtered.mutable_view(), job.threads, job.stop);
    for (int j = 0; j < job.output.spec.height; ++j)
        for (int i = 0; i < job.output.spec.width; ++i)
            std::memcpy(job.output.pixel(i, j),
                        filtered.view().pixel(xs.before + i * pick_step, ys.before + j * pick_step), pixel_bytes);
}

}  // namespace tonescope::kuwahara
