// The axis of a bar chart, for the window and for charts in files.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace tonescope::ui {

struct ChartAxis {
    double min = 0, max = 1;  // min is 0 on a linear axis
    double base = 0;          // where bars begin
    bool logarithmic = false;

    /// Where a value lies between the axis' ends, 0 to 1.
    double part(double value) const;
    /// On a linear axis from 0; on a logarithmic one powers of ten, with twos and fives between where it is short.
    std::vector<double> ticks() const;
};

/// Around all `values` above 0. `ratio`: 1 means equal, and logarithmic bars begin there.
ChartAxis make_axis(std::span<const double> values, bool ratio, bool logarithmic);

/// "0.05", "20", "5,000".
std::string tick_text(double value);

}  // namespace tonescope::ui
