// "How it works": what the explained pixel becomes, the histogram with its curves, the figures.
#pragma once

#include "ui/model/views.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

class ExplanationPanel {
  public:
    /// At the top of the right panel.
    void draw(Frame& ui, const ViewsModel& views);
    /// As a card over the panes, which take `area`, where that panel is not shown.
    void draw_card(Frame& ui, const ViewsModel& views, const Area& area);

  private:
    void draw_section(Frame& ui, const ViewsModel& views);

    size_t plot_ = 0;  // which of the histograms is shown
};

}  // namespace tonescope::ui
