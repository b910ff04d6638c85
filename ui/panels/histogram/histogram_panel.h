// Right, on top: the histograms and their statistics.
#pragma once

#include <array>

#include "ui/model/views.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

class HistogramPanel {
  public:
    /// Says in `view` what is to be counted.
    void draw(Frame& ui, const HistogramModel& model, const ViewsModel& views, View& view, Selection& selection,
              ClippingMarks& clipping);
    /// What statistics and stripes are of: luma, or the one channel that is shown alone.
    Curve measured_curve(const HistogramAppearance& chosen, const HistogramModel& model) const;

  private:
    std::array<bool, kCurves> shown_ = {true, true, true, true};
};

}  // namespace tonescope::ui
