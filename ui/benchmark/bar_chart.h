// Horizontal bars, one a variant, drawn into the window and into files by the same code.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/core/benchmark/benchmark_row.h"

namespace tonescope::ui {

/// What the bars of a chart measure.
enum class ChartFigure : uint8_t { time, throughput, basis, cpu };
/// The figure is a ratio of two times: 1 where they are equal.
constexpr bool is_ratio(ChartFigure figure) {
    return figure >= ChartFigure::basis;
}

struct ChartBar {
    /// What stands in the bar's place and behind it.
    enum class Kind : uint8_t { cpu, gpu, missing, failed };
    Kind kind = Kind::missing;
    std::string name = {};            // at the left of the bar
    double value = 0;                 // kinds cpu and gpu
    double low = 0, high = 0;         // the 95 % interval; equal where there is none
    double computing = 0, host = 0;   // parts of `value` from the left, where copies follow; 0: it is one piece
    bool is_faint = false;            // no difference was measured
    std::optional<double> mark = {};  // Amdahl's bound
    std::string text = {};            // behind the bar, or in its place
    std::string warning = {};         // behind the text; mostly empty
    bool has_value() const { return kind == Kind::cpu || kind == Kind::gpu; }
};

/// The bar of a variant that has been measured on an image of this size. `times`: of the row; `text_of` writes a
/// figure, and `rate_unit` stands behind one of throughput.
ChartBar bar_of(const BenchmarkRow& row, const BenchmarkTime& times, ChartFigure figure, const OperatorInfo& op,
                const ImageSpec& size, std::string (*text_of)(double), const char* rate_unit);

/// What the parts of a chart are drawn with. `line`: the first of kLineInks, for lines that lie across each other.
enum class ChartInk : uint8_t {
    text,
    quiet,
    faint,
    grid,
    emphasized_grid,
    cpu,
    gpu,
    interval,
    warning,
    host,
    copies,
    line
};
inline constexpr size_t kLineInks = 7;
inline constexpr size_t kChartInks = size_t(ChartInk::line) + kLineInks;
constexpr ChartInk line_ink(size_t row) {
    return ChartInk(size_t(ChartInk::line) + row % kLineInks);
}

struct ChartPoint {
    double x = 0, y = 0;
};

/// Draws for a chart: in pixels, y downwards.
class ChartPainter {
  public:
    virtual ~ChartPainter() = default;
    /// A length at 96 dpi in pixels.
    virtual double px(double length) const = 0;
    virtual void fill(double x, double y, double width, double height, ChartInk ink, double rounding = 0) = 0;
    virtual void line(std::span<const ChartPoint> points, double width, ChartInk ink) = 0;
    /// The inside of a closed outline that has no dents.
    virtual void polygon(std::span<const ChartPoint> outline, ChartInk ink) = 0;
    /// Texts stand in the middle of a row around y. `room`: texts are cut to this width.
    virtual double name_width(const std::string& text) const = 0;
    virtual double text_width(const std::string& text) const = 0;
    virtual void name(double right, double y, const std::string& text, ChartInk ink, double room) = 0;
    virtual void text(double x, double y, const std::string& text, ChartInk ink, double room) = 0;
    /// What the mouse over an area tells, where the painter's own medium can show that.
    virtual void hint(double /*x*/, double /*y*/, double /*width*/, double /*height*/, const std::string& /*text*/) {}
};

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

/// Whether the parts of a bar are drawn: not on a logarithmic axis, where their lengths would say nothing.
bool has_parts(const ChartBar& bar, const ChartAxis& axis);

/// "0.05", "20", "5,000".
std::string tick_text(double value);

/// A chart's axis on screen or in a file: values lie between two positions, pixels.
struct ChartScale {
    ChartAxis axis;
    double left = 0, right = 0;
    double at(double value) const { return left + (right - left) * axis.part(value); }
    bool reaches(double value) const { return value <= axis.max * 1.0001; }
};

/// Where a bar stands, pixels.
struct ChartRow {
    double x = 0, y = 0, width = 0, height = 0;
    double right() const { return x + width; }
};

/// Around all values and intervals, and on a logarithmic axis the marks too.
ChartAxis axis_around(std::span<const ChartBar> bars, bool ratio, bool logarithmic);

/// What the names of the bars need, and the texts behind them, whose warnings are cut to `max_warning`; pixels.
struct ChartWidths {
    double names = 0, texts = 0;
};
ChartWidths widths_of(const ChartPainter& painter, std::span<const ChartBar> bars, double max_warning = 1e9);

/// Lines at the axis' ticks; of a ratio, the one at 1 is emphasized.
void draw_grid(ChartPainter& painter, const ChartScale& scale, double y, double height, bool ratio);
/// The ticks' numbers, as many as have room, around y. None reaches beyond `right`.
void draw_ticks(ChartPainter& painter, const ChartScale& scale, double y, double right);
void draw_bar(ChartPainter& painter, const ChartBar& bar, const ChartScale& scale, const ChartRow& row);
/// CPU, GPU and, where they are drawn, Amdahl's bound and the parts of a GPU's total, around y; entries without a text
/// are left out. Returns where the legend ends.
double draw_legend(ChartPainter& painter, double x, double y, const std::string& cpu, const std::string& gpu,
                   bool marks, bool parts);

}  // namespace tonescope::ui
