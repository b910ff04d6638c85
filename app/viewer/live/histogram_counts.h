// The histograms that the panels show, and the clipped pixels. The session counts histograms of whole results; those of
// a part of the image, in 1024 bins, or of a pinned result or another image are counted here, and all clipped pixels.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "app/viewer/live/newest_job.h"
#include "app/viewer/live/pipeline.h"
#include "gpu/core/window/sample_window.h"
#include "gpu/cpu/display_histogram.h"
#include "ui/model/views.h"

namespace tonescope {

class HistogramCounts {
  public:
    /// What the histograms are to be of.
    struct Part {
        Rect region;  // pixels; empty: the whole image
        bool fine = false;
        bool shown = true;  // else only before is counted, of which windows may be made
        bool operator==(const Part&) const = default;
        /// The session does not count it. It counts 256 bins, which are too few for deep images.
        bool is_own(bool is_deep_image) const { return region.width > 0 || fine || is_deep_image; }
    };
    /// What is to be counted.
    struct Wanted {
        Part part;
        std::optional<ClipThresholds> clipping;  // empty: clipped pixels are not
        /// The result's pixels are needed on the host.
        bool needs_result(bool is_deep_image) const { return (part.is_own(is_deep_image) && part.shown) || clipping; }
    };

    HistogramCounts(const Pipeline& pipeline, Tasks& tasks)
        : pipeline_(pipeline), before_(tasks, count), after_(tasks, count), clipping_(tasks, count_clipped) {}

    /// To be called between frames. `result`: the pixels of the result on screen, null while they are not known.
    void update(const Wanted& wanted, const std::shared_ptr<const HostImage>& result) {
        const Part& part = wanted.part;
        if (image_ != pipeline_.image()) {
            image_ = pipeline_.image();
            before_.forget();
            after_.forget();
            clipping_.forget();
        }
        is_deep_ = image_ && is_deep(image_->spec().format);
        of_part_ = part.is_own(is_deep_);
        const auto want = [&](auto& counts, const std::shared_ptr<const HostImage>& image) {
            if (image)
                counts.want({image, {part.region, part.fine && !is_deep_, true}});
            else
                counts.forget();
        };
        want(before_, of_part_ || pipeline_.compared() != image_ ? pipeline_.compared() : nullptr);
        // Until a newer result is there, the one before it.
        const auto newest = [&](const std::shared_ptr<const HostImage>& known) {
            const std::shared_ptr<const HostImage>& after = result ? result : known;
            return after && image_ && ui::same_size(after->spec(), image_->spec()) ? after : nullptr;
        };
        want(after_, of_part_ && part.shown ? newest(after_.wanted() ? after_.wanted()->image : nullptr) : nullptr);
        if (!wanted.clipping || !image_) return clipping_.forget();
        awaits_result_ = !result;
        clipping_.want({pipeline_.compared(), newest(clipping_.wanted() ? clipping_.wanted()->after : nullptr),
                        part.region, *wanted.clipping});
    }
    void fill(ui::HistogramModel& model) const {
        model.before = pipeline_.histogram_before();
        model.after = pipeline_.histogram_after();
        model.fine_before.reset();
        model.fine_after.reset();
        model.deep_before.reset();
        model.deep_after.reset();
        const auto take = [](const auto& counts, auto& histogram, auto& fine, auto& deep) {
            histogram.reset();
            if (!counts.result()) return;
            histogram = counts.result()->histogram;
            fine = counts.result()->fine;
            deep = counts.result()->deep;
        };
        if (before_.wanted()) take(before_, model.before, model.fine_before, model.deep_before);
        if (of_part_) take(after_, model.after, model.fine_after, model.deep_after);
        model.clipping = clipping_.result();
        model.clipping_is_stale = awaits_result_ || !clipping_.is_up_to_date();
    }
    /// The samples of before, as far as they are known.
    std::optional<std::vector<uint64_t>> samples_before() const {
        if (is_deep_ && before_.result() && before_.result()->deep) return sample_counts(*before_.result()->deep);
        if (is_deep_) return {};
        if (!pipeline_.histogram_before()) return {};
        return sample_counts(*pipeline_.histogram_before());
    }
    /// Something that is shown is being counted.
    bool busy() const { return before_.busy() || after_.busy() || clipping_.busy(); }

  private:
    struct Request {
        std::shared_ptr<const HostImage> image;
        Part part;
        bool operator==(const Request&) const = default;
    };
    struct Counts {
        std::optional<DisplayHistogram> histogram = {};
        std::optional<FineHistogram> fine = {};
        std::shared_ptr<const SampleHistogram> deep = {};  // in place of the others
    };
    struct ClippingRequest {
        std::shared_ptr<const HostImage> before, after;  // after: null while there is none
        Rect region;
        ClipThresholds thresholds;
        bool operator==(const ClippingRequest&) const = default;
    };
    static Counts count(const Request& request, const std::stop_token& stop) {
        const ImageView part =
            part_of(request.image->view(), region_inside(request.part.region, request.image->spec()));
        if (is_deep(part.spec.format))
            return {.deep = std::make_shared<SampleHistogram>(count_samples(part, default_cpu_threads(), stop))};
        Counts counts{.histogram = count_display_histogram(part, default_cpu_threads(), stop)};
        if (request.part.fine) counts.fine = count_fine_histogram(part, default_cpu_threads(), stop);
        return counts;
    }
    static Clipping count_clipped(const ClippingRequest& request, const std::stop_token& stop) {
        const Rect part = region_inside(request.region, request.before->spec());
        ImageView after;
        if (request.after) after = part_of(request.after->view(), part);
        return measure_clipping(part_of(request.before->view(), part), request.after ? &after : nullptr,
                                request.thresholds, default_cpu_threads(), stop);
    }

    const Pipeline& pipeline_;
    std::shared_ptr<const HostImage> image_;  // that both sides belong to
    bool is_deep_ = false;
    bool of_part_ = false;        // both sides are counted here
    bool awaits_result_ = false;  // clipped pixels are of an older one, or of none
    NewestJob<Request, Counts> before_, after_;
    NewestJob<ClippingRequest, Clipping> clipping_;
};

}  // namespace tonescope
