#include "ui/benchmark/roofline.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tonescope::ui {
namespace {

constexpr double kTextRow = 15, kPoint = 4.5, kSwatch = 16, kLeastPlot = 60;

const Share* share_of(const Limit& limit, auto is_it) {
    const auto found = std::ranges::find_if(limit.shares, [&](const Share& share) { return is_it(*share.resource); });
    return found == limit.shares.end() ? nullptr : &*found;
}

/// The chart of one kind of bytes; without points where no row uses them.
Roofline roofline_of(std::span<const BenchmarkRow> rows, BackendKind backend, const Roofs& roofs,
                     double Amounts::*bytes) {
    Roofline chart{.backend = backend, .operations_g_s = roofs.operations_g_s};
    std::vector<const Resource*> used;
    for (size_t row = 0; row < rows.size(); ++row) {
        if (!rows[row].ran() || rows[row].variant->backend != backend) continue;
        const Share* moved = share_of(rows[row].limit, [&](const Resource& of) { return of.amount == bytes; });
        const Share* done =
            share_of(rows[row].limit, [](const Resource& of) { return of.amount == &Amounts::operations; });
        if (moved == nullptr || done == nullptr) continue;
        chart.points.push_back({row, rows[row].name(), done->rate / moved->rate, done->rate});
        used.push_back(moved->resource);
    }
    for (const Resource& resource : resources())
        if (resource.amount == bytes && std::ranges::find(used, &resource) != used.end())
            chart.roofs.push_back({resource.name, roofs.*resource.roof});
    return chart;
}

/// Logarithmic, around the values with some room.
ChartAxis axis_around(double least, double most) {
    ChartAxis axis;
    axis.logarithmic = true;
    axis.min = std::pow(10, std::floor(std::log10(least / 1.2)));
    axis.max = most * 2;
    axis.base = axis.min;
    return axis;
}

std::vector<ChartPoint> disc(const ChartPoint& at, double radius) {
    std::vector<ChartPoint> outline;
    for (int k = 0; k < 16; ++k) {
        const double angle = 2 * std::numbers::pi * k / 16;
        outline.push_back({at.x + radius * std::sin(angle), at.y - radius * std::cos(angle)});
    }
    return outline;
}

struct Line {
    ChartPoint from, to;
    /// Above 0 on one side, below it on the other one.
    double side(const ChartPoint& at) const {
        return (to.x - from.x) * (at.y - from.y) - (to.y - from.y) * (at.x - from.x);
    }
    bool crosses(const Line& other) const {
        return side(other.from) * side(other.to) < 0 && other.side(from) * other.side(to) < 0;
    }
};

struct Box {
    double left, top, right, bottom;
    bool meets(const Box& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
    /// Whether a part of the line lies inside (Liang and Barsky).
    bool meets(const Line& line) const {
        double begin = 0, end = 1;
        const auto cut = [&](double from, double to, double low, double high) {
            const double step = to - from;
            if (step == 0) return low < from && from < high;
            const double at_low = (low - from) / step, at_high = (high - from) / step;
            begin = std::max(begin, std::min(at_low, at_high));
            end = std::min(end, std::max(at_low, at_high));
            return begin < end;
        };
        return cut(line.from.x, line.to.x, left, right) && cut(line.from.y, line.to.y, top, bottom);
    }
};

/// Slopes up to where they meet the level one, which comes last.
std::vector<Line> roof_lines(const Roofline& chart, const RooflinePlot& plot) {
    const ChartScale &x = plot.x, &y = plot.y;
    const double level = y.at(chart.operations_g_s);
    double first_meeting = x.axis.max;
    std::vector<Line> lines;
    for (const RooflineRoof& roof : chart.roofs) {
        const double meeting = chart.operations_g_s / roof.gb_s;
        const double begin = std::max(x.axis.min, y.axis.min / roof.gb_s);
        first_meeting = std::min(first_meeting, meeting);
        lines.push_back({{x.at(begin), y.at(begin * roof.gb_s)}, {x.at(meeting), level}});
    }
    lines.push_back({{x.at(first_meeting), level}, {x.right, level}});
    return lines;
}

/// Places names where they lie on nothing.
class LabelPlacer {
  public:
    LabelPlacer(const ChartPainter& painter, const Roofline& chart, const RooflinePlot& plot)
        : height_(painter.px(kTextRow)),
          mark_(painter.px(kPoint)),
          gap_(painter.px(4)),
          inside_{plot.x.left, plot.y.right, plot.x.right, plot.y.left},
          roofs_(roof_lines(chart, plot)) {
        for (const ChartPoint& at : plot.points)
            boxes_.push_back({at.x - mark_, at.y - mark_, at.x + mark_, at.y + mark_});
    }

    /// Beside the point: at its right, its left, below, above or between these; else further away, at a line's end.
    /// Where there is no such place, names may lie on roofs.
    std::optional<RooflineLabel> place(const ChartPoint& at, double width) {
        constexpr ChartPoint kWays[] = {{1, 0},    {-1, 0},    {0, 1},   {0, -1},   {1, 0.7},  {1, -0.7},
                                        {-1, 0.7}, {-1, -0.7}, {1, 1.5}, {1, -1.5}, {-1, 1.5}, {-1, -1.5}};
        for (const bool on_roofs : {false, true})
            for (const double rows : {0.0, 1.5, 3.0, 4.5})
                for (const ChartPoint& way : kWays)
                    if (const auto label = place(at, width, way, rows, on_roofs)) return label;
        return {};
    }

  private:
    std::optional<RooflineLabel> place(const ChartPoint& at, double width, const ChartPoint& way, double rows,
                                       bool on_roofs) {
        const double away = mark_ + gap_ + rows * height_;
        const double middle = at.y + way.y * (away + height_ / 2);
        const double left = at.x + way.x * away - (way.x < 0 ? width : way.x == 0 ? width / 2 : 0);
        const Box box{left, middle - height_ / 2, left + width, middle + height_ / 2};
        const bool is_inside = box.left >= inside_.left && box.right <= inside_.right && box.top >= inside_.top &&
                               box.bottom <= inside_.bottom;
        if (!is_inside || is_taken(box, on_roofs)) return {};
        RooflineLabel label{left, middle};
        if (rows > 0) {
            const ChartPoint end{std::clamp(at.x, box.left - gap_ / 2, box.right + gap_ / 2),
                                 way.x == 0 ? std::clamp(at.y, box.top, box.bottom) : middle};
            const double reach = std::hypot(end.x - at.x, end.y - at.y), rim = 1.5 * mark_ / reach;
            const Line leader{{at.x + rim * (end.x - at.x), at.y + rim * (end.y - at.y)}, end};
            if (std::ranges::any_of(boxes_, [&](const Box& other) { return other.meets(leader); }) ||
                std::ranges::any_of(leaders_, [&](const Line& other) { return other.crosses(leader); }))
                return {};
            label.leader = {leader.from, leader.to};
            leaders_.push_back(leader);
        }
        boxes_.push_back(box);
        return label;
    }

    bool is_taken(const Box& box, bool on_roofs) const {
        const auto meets = [&](const auto& other) { return box.meets(other); };
        return std::ranges::any_of(boxes_, meets) || std::ranges::any_of(leaders_, meets) ||
               (!on_roofs && std::ranges::any_of(roofs_, meets));
    }

    double height_, mark_, gap_;
    Box inside_;
    std::vector<Box> boxes_ = {};  // points and names
    std::vector<Line> leaders_ = {}, roofs_;
};

/// Entries side by side as long as they have room. Returns where they end.
double lay_out_legend(const ChartPainter& painter, const Roofline& chart, const ChartRow& area,
                      std::string (*text_of)(double), RooflinePlot& plot) {
    for (size_t k = 0; k < chart.roofs.size(); ++k)
        plot.legend.push_back(
            {0, 0, std::string(chart.roofs[k].name) + ": " + text_of(chart.roofs[k].gb_s) + " GB/s", line_ink(k)});
    plot.legend.push_back({0, 0, "instructions: " + text_of(chart.operations_g_s) + " billion/s", ChartInk::text});
    const double line = painter.px(kTextRow), gap = painter.px(kSwatch + 6);
    double x = area.x, y = area.y + 0.5 * line;
    for (RooflineEntry& entry : plot.legend) {
        const double width = gap + painter.text_width(entry.text);
        if (x > area.x && x + width > area.right()) {
            x = area.x;
            y += 1.2 * line;
        }
        entry.x = x;
        entry.y = y;
        x += width + painter.px(16);
    }
    return y + 0.5 * line;
}

}  // namespace

std::vector<Roofline> rooflines_of(std::span<const BenchmarkRow> rows, const Roofs& cpu, const Roofs& gpu) {
    std::vector<Roofline> charts;
    const auto add = [&](BackendKind backend, const Roofs& roofs, double Amounts::*bytes, const char* title,
                         const char* byte) {
        if (!roofs.are_known()) return;
        Roofline chart = roofline_of(rows, backend, roofs, bytes);
        if (chart.points.empty()) return;
        chart.title = title;
        chart.byte = byte;
        charts.push_back(std::move(chart));
    };
    add(BackendKind::cuda, gpu, &Amounts::bytes, "GPU memory", "byte of memory");
    add(BackendKind::cuda, gpu, &Amounts::shared_bytes, "Shared memory", "byte of shared memory");
    add(BackendKind::cuda, gpu, &Amounts::l1_bytes, "L1 cache", "byte of the L1 cache");
    add(BackendKind::cpu, cpu, &Amounts::bytes, "CPU memory", "byte of memory");
    return charts;
}

std::optional<size_t> RooflinePlot::nearest(double at_x, double at_y, double reach) const {
    std::optional<size_t> found;
    for (size_t i = 0; i < points.size(); ++i) {
        const double distance = std::hypot(points[i].x - at_x, points[i].y - at_y);
        if (distance > reach) continue;
        reach = distance;
        found = i;
    }
    return found;
}

RooflinePlot plot_of(const ChartPainter& painter, const Roofline& chart, const ChartRow& area,
                     std::string (*text_of)(double)) {
    double left = 1e300, right = 0, low = chart.operations_g_s, high = chart.operations_g_s;
    const auto reach = [&](double intensity) {
        left = std::min(left, intensity);
        right = std::max(right, intensity);
    };
    for (const RooflinePoint& point : chart.points) {
        reach(point.intensity);
        low = std::min(low, point.rate);
        high = std::max(high, point.rate);
    }
    for (const RooflineRoof& roof : chart.roofs) reach(chart.operations_g_s / roof.gb_s);  // where both roofs meet
    RooflinePlot plot{.x = {axis_around(left, right)}, .y = {axis_around(low, high)}};
    const double line = painter.px(kTextRow);
    plot.y.left = area.y + area.height - 2.6 * line;
    plot.y.right = lay_out_legend(painter, chart, area, text_of, plot) + 1.6 * line;
    if (plot.y.left - plot.y.right < painter.px(kLeastPlot)) return plot;
    double ticks = 0;
    for (const double tick : plot.y.axis.ticks()) ticks = std::max(ticks, painter.text_width(tick_text(tick)));
    plot.x.left = area.x + ticks + painter.px(10);
    plot.x.right = std::max(plot.x.left + painter.px(20), area.right() - painter.px(4));
    for (const RooflinePoint& point : chart.points)
        plot.points.push_back({plot.x.at(point.intensity), plot.y.at(point.rate)});
    LabelPlacer placer(painter, chart, plot);
    for (size_t i = 0; i < plot.points.size(); ++i)
        plot.labels.push_back(placer.place(plot.points[i], painter.text_width(chart.points[i].name)));
    return plot;
}

void draw_roofline(ChartPainter& painter, const Roofline& chart, const RooflinePlot& plot,
                   std::optional<size_t> highlighted) {
    const double hair = std::max(1.0, std::round(painter.px(0.7))), line = painter.px(kTextRow),
                 width = painter.px(1.8);
    const auto &x = plot.x, &y = plot.y;
    for (const RooflineEntry& entry : plot.legend) {
        const double end = entry.x + painter.px(kSwatch), text = end + painter.px(6);
        const ChartPoint swatch[] = {{entry.x, entry.y}, {end, entry.y}};
        painter.line(swatch, width, entry.ink);
        painter.text(text, entry.y, entry.text, ChartInk::quiet, x.right - text);
    }
    if (plot.points.empty()) return;
    double last = 1e9;
    for (const double tick : y.axis.ticks()) {
        const double at = std::round(y.at(tick));
        painter.fill(x.left, at, x.right - x.left, hair, ChartInk::grid);
        if (last - at < 1.1 * line) continue;
        last = at;
        const std::string text = tick_text(tick);
        painter.text(x.left - painter.px(6) - painter.text_width(text), at, text, ChartInk::faint, 1e9);
    }
    draw_grid(painter, x, y.right, y.left - y.right, false);
    draw_ticks(painter, x, y.left + 0.8 * line, x.right);
    painter.text(x.left, y.right - 0.8 * line, "billion instructions a second", ChartInk::faint, x.right - x.left);
    painter.name(x.right, y.left + 1.9 * line, "instructions a " + chart.byte, ChartInk::faint, x.right - x.left);

    const std::vector<Line> roofs = roof_lines(chart, plot);
    for (size_t k = 0; k < roofs.size(); ++k) {
        const ChartPoint ends[] = {roofs[k].from, roofs[k].to};
        painter.line(ends, width, k < chart.roofs.size() ? line_ink(k) : ChartInk::text);
    }

    const ChartInk ink = chart.backend == BackendKind::cpu ? ChartInk::cpu : ChartInk::gpu;
    const double radius = painter.px(kPoint);
    for (size_t i = 0; i < plot.points.size(); ++i) {
        if (highlighted == i) painter.polygon(disc(plot.points[i], radius + painter.px(3)), ChartInk::text);
        painter.polygon(disc(plot.points[i], radius), ink);
        if (!plot.labels[i]) continue;
        const RooflineLabel& label = *plot.labels[i];
        if (!label.leader.empty()) painter.line(label.leader, hair, ChartInk::faint);
        painter.text(label.x, label.y, chart.points[i].name, highlighted == i ? ChartInk::text : ChartInk::quiet, 1e9);
    }
}

}  // namespace tonescope::ui
