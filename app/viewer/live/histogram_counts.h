// The histograms that the panels show: as the session counts them of whole results, or counted here, of a part of the
// image, in 1024 bins, or of a reference.
#pragma once

#include <memory>
#include <optional>

#include "app/viewer/live/newest_job.h"
#include "app/viewer/live/pipeline.h"
#include "ui/model/views.h"

namespace tonescope {

class HistogramCounts {
  public:
    /// What the histograms are to be of.
    struct Part {
        Rect region;  // pixels; empty: the whole image
        bool fine = false;
        bool operator==(const Part&) const = default;
        /// The result's pixels are needed on the host.
        bool needs_result() const { return region.width > 0 || fine; }
    };

    HistogramCounts(const Pipeline& pipeline, Tasks& tasks);

    /// Between frames. `result`: the pixels of the result on screen, null while they are not known.
    void update(const Part& part, const std::shared_ptr<const HostImage>& result);
    void fill(ui::HistogramModel& model) const;
    /// Something that is shown is being counted.
    bool busy() const { return before_.busy() || after_.busy(); }

  private:
    struct Request {
        std::shared_ptr<const HostImage> image;
        Part part;
        bool operator==(const Request&) const = default;
    };
    struct Counts {
        DisplayHistogram histogram;
        std::optional<FineHistogram> fine;
    };
    static Counts count(const Request& request, const std::stop_token& stop);

    const Pipeline& pipeline_;
    std::shared_ptr<const HostImage> image_;  // that both sides belong to
    bool of_part_ = false;                    // both sides are counted here
    NewestJob<Request, Counts> before_, after_;
};

}  // namespace tonescope
