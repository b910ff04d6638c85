// Rooflines: what variants do for each byte against what they do a second, below what the machine allows. Drawn into
// the window and into files by the same code.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/benchmark/benchmark_row.h"
#include "ui/benchmark/bar_chart.h"

namespace tonescope::ui {

struct RooflinePoint {
    size_t row = 0;  // index among the rows
    std::string name = {};
    double intensity = 0;  // instructions a byte
    double rate = 0;       // 10^9 instructions a second
};

/// Bytes a second that limit the instructions a second, as a slope.
struct RooflineRoof {
    std::string_view name;
    double gb_s = 0;
};

struct Roofline {
    std::string title = {};  // "GPU memory"
    std::string byte = {};   // "byte of memory"
    BackendKind backend = BackendKind::cuda;
    std::vector<RooflineRoof> roofs = {};
    double operations_g_s = 0;  // the level roof, 10^9 a second
    std::vector<RooflinePoint> points = {};
};

/// Of each backend whose roofs are known and each kind of memory that a row on it uses: the GPU's memory, its shared
/// memory, the CPU's memory.
std::vector<Roofline> rooflines_of(std::span<const BenchmarkRow> rows, const Roofs& cpu, const Roofs& gpu);

/// A short line of a roof's color, and what it is, from `x` on around `y`.
struct RooflineEntry {
    double x = 0, y = 0;
    std::string text = {};
    ChartInk ink = ChartInk::text;
};

/// Left end and middle of a point's name, and the line that leads to a name further away.
struct RooflineLabel {
    double x = 0, y = 0;
    std::vector<ChartPoint> leader = {};
};

/// Where a roofline's parts stand, pixels.
struct RooflinePlot {
    ChartScale x, y;  // y.left is the bottom
    std::vector<RooflineEntry> legend = {};
    std::vector<ChartPoint> points = {};                    // empty where there is no room for the plot
    std::vector<std::optional<RooflineLabel>> labels = {};  // of each point; empty: its name has no room
    /// The point that is nearest to a place, no further away than `reach`.
    std::optional<size_t> nearest(double at_x, double at_y, double reach) const;
};

/// `text_of` writes a figure.
RooflinePlot plot_of(const ChartPainter& painter, const Roofline& chart, const ChartRow& area,
                     std::string (*text_of)(double));
/// `highlighted`: this point stands out.
void draw_roofline(ChartPainter& painter, const Roofline& chart, const RooflinePlot& plot,
                   std::optional<size_t> highlighted);

}  // namespace tonescope::ui
