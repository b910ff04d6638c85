// Middle: what is shown in place of an image that is not there, or not yet.
#pragma once

#include "ui/model/files.h"
#include "ui/model/run.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

void draw_empty_state(Frame& ui, const ImagesModel& images, const WorkModel& work, const Area& area);

}  // namespace tonescope::ui
