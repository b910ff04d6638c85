// Left: the parameters of operator and variant.
#pragma once

#include <optional>

#include "ui/model/run.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

/// Returns the parameter that the user has changed in this frame. `image`: what the operator runs on.
std::optional<ParamPlace> draw_parameters(Frame& ui, const RunModel& run, const ImageSpec& image);

}  // namespace tonescope::ui
