// The rows of a comparison, as a table and as bar charts.
#pragma once

#include <algorithm>

#include "ui/benchmark/bar_chart.h"
#include "ui/benchmark/page.h"

namespace tonescope::ui {

struct RowsChoice {
    int tab = 0;  // 0: the table; then a chart for each figure
    bool logarithmic = false;
    bool unavailable_shown = false;    // rows of variants that cannot run here, in the table
    TimesOf times = TimesOf::kernels;  // what figures count

    /// The one on screen; beside the table, the first one.
    ChartFigure chart() const { return ChartFigure(std::max(tab - 1, 0)); }
};

/// What is shown, and how the user has chosen to see it.
struct Shown {
    const BenchmarkModel& benchmark;
    const RunModel& run;
    RowsChoice& choice;

    /// Of the kernels alone or of more, as the user chose.
    const BenchmarkTime& figures(const BenchmarkRow& row) const { return row.*member_of(choice.times); }
};

/// The mouse over a variant's row or bar: highlights it, explains the variant, and a click chooses it in the left
/// panel, or shows the source of one that cannot run. Takes the place of an item at `area`.
void variant_row(Frame& ui, const Shown& shown, const BenchmarkRow& variant, const Area& area, const char* label);

/// Heights that both need at least, pixels.
float benchmark_table_height(const Frame& ui, const Shown& shown);
float benchmark_chart_height(const Frame& ui, const Shown& shown);
/// The table over `area`; scrolls where it is too high.
void draw_benchmark_table(Frame& ui, const Shown& shown, const Area& area);
/// The chart that is chosen, over `area`; scrolls where it is too high.
void draw_benchmark_chart(Frame& ui, const Shown& shown, const Area& area);

}  // namespace tonescope::ui
