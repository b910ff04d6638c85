// Parts of the view that compares variants.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ui/model/benchmark.h"
#include "ui/state.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

/// Of the kernels alone or of everything, as the user chose.
const TimeFigures& figures(const Ui& ui, const ComparedVariant& variant);

/// "0.0123", "12.3", "46,588": about three significant digits.
std::string figure_text(double value);

ImU32 backend_color(const Palette& colors, BackendKind backend);

/// The mouse over a variant's row or bar: highlights it, explains the variant, and a click chooses it in the left
/// panel. Takes the place of an item at `area`.
void variant_row(Ui& ui, const ComparedVariant& variant, const Area& area, const char* label);

/// Heights that both need at least, pixels.
float comparison_table_height(const Ui& ui);
float comparison_chart_height(const Ui& ui);
/// The table over `area`; scrolls where it is too high.
void draw_comparison_table(Ui& ui, const Area& area);
/// The chart that is chosen, over `area`; scrolls where it is too high.
void draw_comparison_chart(Ui& ui, const Area& area);

}  // namespace tonescope::ui
