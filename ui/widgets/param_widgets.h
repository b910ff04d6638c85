// Widgets made from a parameter's table entry.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "ui/widgets/frame.h"

namespace tonescope::ui {

/// Height of the widget, pixels: what param_widget() advances the cursor by.
float param_height(const Frame& ui, const ParamInfo& info);
/// Slider or choice. Returns the new value in the table's steps where the user changed it. `conversions`: lines of the
/// tooltip that tell what the value comes to.
std::optional<int32_t> param_widget(Frame& ui, const ParamInfo& info, int32_t value, float width,
                                    std::span<const std::string> conversions = {});

/// Where a value stands on its slider, 0 to 1, and back (rounded to what the mouse can hit; not clamped to the table's
/// step).
double slider_position(const ParamInfo& info, int32_t value);
int32_t slider_value(const ParamInfo& info, double position, bool fine);

}  // namespace tonescope::ui
