#include "app/viewer/live/histogram_counts.h"

#include <algorithm>
#include <utility>

#include "gpu/cpu/display_histogram.h"
#include "gpu/cpu/fine_histogram.h"

namespace tonescope {
namespace {

Rect inside(const Rect& region, const ImageSpec& spec) {
    if (region.width <= 0 || region.height <= 0) return {0, 0, spec.width, spec.height};
    Rect part;
    part.x = std::clamp(region.x, 0, spec.width - 1);
    part.y = std::clamp(region.y, 0, spec.height - 1);
    part.width = std::clamp(region.width, 1, spec.width - part.x);
    part.height = std::clamp(region.height, 1, spec.height - part.y);
    return part;
}

}  // namespace

HistogramCounts::HistogramCounts(const Pipeline& pipeline, std::function<void()> wake)
    : pipeline_(pipeline), worker_(1, std::move(wake)) {}

bool HistogramCounts::update(const Part& part, const std::shared_ptr<const HostImage>& result) {
    changed_ |= worker_.drain();
    if (image_ != pipeline_.image()) {
        image_ = pipeline_.image();
        ++generation_;
        before_.forget();
        after_.forget();
    }
    of_part_ = part.needs_result();
    const bool is_reference = pipeline_.compared() != image_;
    const auto request = [&](const std::shared_ptr<const HostImage>& image) {
        return Request{image, part.region, part.fine};
    };
    want(before_, request(of_part_ || is_reference ? pipeline_.compared() : nullptr));
    if (!of_part_ || !image_) {
        want(after_, {});
    } else if (!result) {
        want(after_, request(after_.wanted.image));  // a newer result is on its way
    } else {
        const bool linked = result->width() == image_->width() && result->height() == image_->height();
        want(after_, request(linked ? result : nullptr));
    }
    return std::exchange(changed_, false);
}

void HistogramCounts::Side::forget() {
    wanted = counted = {};
    counts.reset();
}

void HistogramCounts::want(Side& side, Request request) {
    if (!request.image) {
        side.forget();
        return;
    }
    side.wanted = std::move(request);
    if (!side.running && !(side.counts && side.wanted == side.counted)) start(side);
}

void HistogramCounts::start(Side& side) {
    side.running = true;
    worker_.start([request = side.wanted](std::stop_token stop) { return count(request, stop); },
                  [this, &side, request = side.wanted, generation = generation_](Outcome<Counts> outcome) {
                      side.running = false;
                      if (!side.wanted.image || generation != generation_) return;
                      side.counted = request;
                      side.counts = std::move(outcome.value);
                      changed_ = true;
                  });
}

HistogramCounts::Counts HistogramCounts::count(const Request& request, const std::stop_token& stop) {
    const ImageView part = part_of(request.image->view(), inside(request.region, request.image->spec()));
    Counts counts{count_display_histogram(part, default_cpu_threads(), stop), {}};
    if (request.fine) counts.fine = count_fine_histogram(part, default_cpu_threads(), stop);
    if (stop.stop_requested()) throw Cancelled{};
    return counts;
}

void HistogramCounts::fill(ui::HistogramModel& model) const {
    model.before = pipeline_.histogram_before();
    model.after = pipeline_.histogram_after();
    model.fine_before.reset();
    model.fine_after.reset();
    const auto take = [](const Side& side, auto& histogram, auto& fine) {
        histogram.reset();
        if (!side.counts) return;
        histogram = side.counts->histogram;
        fine = side.counts->fine;
    };
    if (before_.wanted.image) take(before_, model.before, model.fine_before);
    if (of_part_) take(after_, model.after, model.fine_after);
}

}  // namespace tonescope
