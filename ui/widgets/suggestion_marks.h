// Marks on a slider, and the curves behind them.
#pragma once

#include "gpu/core/figures/suggestions.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

/// Above the line of the slider on `track`, whose grab has this radius in pixels; to be called before the slider's own
/// item. Returns the value of a mark that was clicked. A tooltip has its reason and its curve.
std::optional<int32_t> suggestion_marks(Frame& ui, const ParamSuggestions& suggestions, int32_t value,
                                        const Area& track, float grab_px);

}  // namespace tonescope::ui
