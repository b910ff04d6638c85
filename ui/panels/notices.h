// Messages over the views: errors and warnings stay until they are dismissed, others for a few seconds.
#pragma once

#include <map>
#include <vector>

#include "ui/model/notices.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

class Notices {
  public:
    /// `keeps_top_free`: the messages stand at the bottom of the views.
    void draw(Frame& ui, const std::vector<Notice>& notices, const Area& views, bool keeps_top_free);

  private:
    /// Returns the height of the notice, the one at `place` from above.
    float draw_one(Frame& ui, const Notice& notice, int place, ImVec2 at, float width, float alpha);

    std::map<uint64_t, double> first_seen_s_;
    uint64_t copied_ = 0;  // the last one whose text was taken; 0: none
};

}  // namespace tonescope::ui
