// Right, below the histograms: what each stage cost.
#pragma once

#include <string>

#include "ui/model/timings.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

class TimingsPanel {
  public:
    void draw(Frame& ui, const Timings& now);
    /// What is shown stands still, or goes on. The measuring goes on.
    void pause(const Timings& now);
    /// Opens the details of the next stage; after the last one closes them.
    void open_next_stage(const Timings& now);
    /// What panel and copies show of the times.
    const Timings& shown(const Timings& now) const { return paused_ ? frozen_ : now; }

  private:
    bool paused_ = false;
    Timings frozen_;          // what is shown while paused
    std::string open_stage_;  // whose details are open; empty: none
};

}  // namespace tonescope::ui
