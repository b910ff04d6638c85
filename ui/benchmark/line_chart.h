// Lines over sizes or over the values of a parameter, one a variant, drawn into the window and into files by the same
// code.
#pragma once

#include "gpu/core/benchmark/cases.h"
#include "ui/benchmark/bar_chart.h"

namespace tonescope::ui {

struct LinePoint {
    size_t point = 0;  // index of the case
    double position = 0;
    ChartBar bar = {};  // value, interval and text
};

struct ChartLine {
    size_t row = 0;  // index among the rows of a case
    std::string name = {};
    std::vector<LinePoint> points = {};  // by position
};

/// The cases that differ in one axis alone.
struct LineChart {
    std::string title = {};             // what these cases have in common; empty where they are all
    std::vector<ChartLine> lines = {};  // of rows that were measured in one case at least
    std::vector<std::string> labels = {};
    std::vector<double> positions = {};  // of the labels: 1, 2, ... where they are no numbers
    bool has_numbers = false;
    bool ratio = false;
};

struct ChartSubject {
    ChartFigure figure = ChartFigure::time;
    BenchmarkTime BenchmarkRow::*times = &BenchmarkRow::total;
};

/// A chart for each combination of places on the axes other than `axis`. `text_of` and `rate_unit` as in bar_of().
std::vector<LineChart> line_charts(const OperatorInfo& op, std::span<const CaseAxis> axes,
                                   std::span<const CaseRows> cases, size_t axis, const ChartSubject& subject,
                                   std::string (*text_of)(double), const char* rate_unit);

enum class AxisKind : uint8_t { automatic, linear, logarithmic };

/// Where a chart's parts stand, pixels.
struct LinePlot {
    ChartScale x, y;  // y.left is the bottom
    double label_left = 0;
    std::vector<double> label_y;  // of each line; NaN: it has no room for one
    std::vector<std::vector<ChartPoint>> points;

    /// The point of the chart that is nearest to a place, no further away than `reach`: line and index in it.
    std::optional<std::pair<size_t, size_t>> nearest(double at_x, double at_y, double reach) const;
};

/// A logarithmic axis of its own choice is for values that are far apart.
LinePlot plot_of(const ChartPainter& painter, const LineChart& chart, const ChartRow& area, AxisKind kind);
/// With names at the lines' ends. `highlighted`: this line stands out from the others.
void draw_line_chart(ChartPainter& painter, const LineChart& chart, const LinePlot& plot, const ChartRow& area,
                     std::optional<size_t> highlighted = {});

}  // namespace tonescope::ui
