// The histograms that the panels show: as the session counts them of whole results, or counted here, of a part of the
// image, in 1024 bins, or of a reference. Runs on the UI thread and never waits; a worker counts.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/system/tasks.h"
#include "app/viewer/live/pipeline.h"
#include "ui/model/views.h"

namespace tonescope {

class HistogramCounts {
  public:
    /// What the histograms are to be of.
    struct Part {
        Rect region;  // pixels; empty: the whole image
        bool fine = false;
        /// The result's pixels are needed on the host.
        bool needs_result() const { return region.width > 0 || fine; }
    };

    /// `wake` may be called from any thread.
    HistogramCounts(const Pipeline& pipeline, std::function<void()> wake);

    /// Between frames. `result`: the pixels of the result on screen, null while they are not known. True when something
    /// that is shown has changed.
    bool update(const Part& part, const std::shared_ptr<const HostImage>& result);
    void fill(ui::HistogramModel& model) const;
    /// Something that is shown is being counted.
    bool busy() const { return worker_.open_jobs() > 0; }

  private:
    struct Request {
        std::shared_ptr<const HostImage> image;
        Rect region;
        bool fine = false;
        bool operator==(const Request&) const = default;
    };
    struct Counts {
        DisplayHistogram histogram;
        std::optional<FineHistogram> fine;
    };
    /// Of before and after each: one count at a time, the next one of what is wanted by then.
    struct Side {
        Request wanted, counted;
        std::optional<Counts> counts;  // of `counted`, shown until newer ones are there
        bool running = false;
        void forget();
    };
    static Counts count(const Request& request, const std::stop_token& stop);
    void want(Side& side, Request request);
    void start(Side& side);

    const Pipeline& pipeline_;
    std::shared_ptr<const HostImage> image_;  // that both sides belong to
    uint64_t generation_ = 0;                 // counts the images
    bool of_part_ = false;                    // both sides are counted here
    Side before_, after_;
    bool changed_ = false;
    Tasks worker_;  // last: its thread uses what stands above
};

}  // namespace tonescope
