// The timings panel as text.
#pragma once

#include <string>

#include "ui/model/timings.h"

namespace tonescope::ui {

/// Decimals that suit the largest number of a column, so that its points stand under each other.
int decimals_for(double largest_ms);
/// "21 %": of the measured bandwidth; empty where either is not known.
std::string share_text(double gb_s, double copy_gb_s);
/// What was measured, and aligned tables of the stages and of the frame.
std::string timings_text(const Timings& timings);

}  // namespace tonescope::ui
