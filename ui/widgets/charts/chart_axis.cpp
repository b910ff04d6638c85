#include "ui/widgets/charts/chart_axis.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

/// The power of ten at or below a value.
double decade_of(double value) {
    return std::pow(10, std::floor(std::log10(value * 1.0001)));
}

/// The nearest of ..., 0.5, 1, 2, 5, 10, ... at or below a value.
double round_below(double value) {
    const double decade = decade_of(value);
    const double lead = value * 1.0001 / decade;
    return decade * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

}  // namespace

double ChartAxis::part(double value) const {
    const double where = logarithmic ? std::log(std::max(value, min) / min) / std::log(max / min) : value / max;
    return std::clamp(where, 0.0, 1.0);
}

std::vector<double> ChartAxis::ticks() const {
    std::vector<double> list;
    if (logarithmic) {
        const bool few = max / min < 200;
        for (double decade = decade_of(min); decade <= max * 1.001; decade *= 10)
            for (const double lead : {1.0, 2.0, 5.0})
                if ((few || lead == 1.0) && decade * lead >= min * 0.999 && decade * lead <= max * 1.001)
                    list.push_back(decade * lead);
        return list;
    }
    const double decade = decade_of(max);
    const double lead = max / decade;
    const double step = lead < 2 ? decade / 5 : lead < 5 ? decade / 2 : decade;
    for (int k = 0; k * step <= max * 1.0001; ++k) list.push_back(k * step);
    return list;
}

ChartAxis make_axis(std::span<const double> values, bool ratio, bool logarithmic) {
    double least = 1e300;
    double most = 0;
    for (const double value : values) {
        if (value <= 0) continue;
        least = std::min(least, value);
        most = std::max(most, value);
    }
    ChartAxis axis;
    if (most <= 0) return axis;
    if (ratio) {
        least = std::min(least, 1.0);
        most = std::max(most, 1.0);
    }
    axis.max = most;
    if (!logarithmic) return axis;
    axis.logarithmic = true;
    axis.min = round_below(least * (ratio ? 1 : 0.7));
    axis.max = std::max(most, axis.min * 2);
    axis.base = ratio ? 1 : axis.min;
    return axis;
}

std::string tick_text(double value) {
    return value >= 999.5 ? with_separators(static_cast<uint64_t>(std::llround(value))) : format("%g", value);
}

}  // namespace tonescope::ui
