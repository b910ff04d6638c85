// What runs, how far it is, and the button that ends it.
#pragma once

#include <string>

#include "ui/model/run.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

/// "40 %"
std::string progress_text(double done);
/// Fills up with what is done; a piece of it moves where nobody knows.
void progress_bar(Frame& ui, const WorkModel& work, const Area& bar);
void cancel_button(Frame& ui, float width, ButtonStyle style);
/// What runs, in the right part of a strip that busy_width() tells.
void draw_busy(Frame& ui, const WorkModel& work, const Area& strip);
float busy_width(const Frame& ui, const Area& strip);

}  // namespace tonescope::ui
