#include "ui/benchmark/line_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

namespace tonescope::ui {
namespace {

/// Values further apart than this are spread better by a logarithmic axis.
constexpr double kFarApart = 8;
constexpr double kLabelHeight = 15, kMark = 4.5;

constexpr auto kNoRoom = std::numeric_limits<double>::quiet_NaN();

/// Corners of the mark, around 0: rows of one ink have different marks.
std::vector<ChartPoint> mark_shape(size_t row) {
    const auto regular = [](int corners, double turn) {
        std::vector<ChartPoint> shape;
        for (int k = 0; k < corners; ++k) {
            const double angle = 2 * std::numbers::pi * (k + turn) / corners;
            shape.push_back({std::sin(angle), -std::cos(angle)});
        }
        return shape;
    };
    switch ((row % kLineInks + row / kLineInks) % 6) {
        case 0:
            return regular(16, 0);  // a disc
        case 1:
            return regular(4, 0.5);  // a square
        case 2:
            return regular(3, 0);  // a triangle that points up
        case 3:
            return regular(4, 0);  // a diamond
        case 4:
            return regular(3, 0.5);  // a triangle that points down
        default:
            return {{-1, -0.45}, {1, -0.45}, {1, 0.45}, {-1, 0.45}};  // a bar
    }
}

void draw_mark(ChartPainter& painter, size_t row, const ChartPoint& at, double radius, ChartInk ink) {
    std::vector<ChartPoint> shape = mark_shape(row);
    for (ChartPoint& corner : shape) corner = {at.x + radius * corner.x, at.y + radius * corner.y};
    painter.polygon(shape, ink);
}

bool is_far_apart(std::span<const double> values) {
    if (values.empty()) return false;
    const auto [least, most] = std::ranges::minmax(values);
    return least > 0 && most > kFarApart * least;
}

ChartAxis axis_of(std::span<const double> values, bool ratio, AxisKind kind) {
    return make_axis(values, ratio,
                     kind == AxisKind::logarithmic || (kind == AxisKind::automatic && is_far_apart(values)));
}

/// Labels beside the points that they belong to, as near as they can be without lying on each other. Where they do not
/// all have room, some have none.
std::vector<double> spread(const std::vector<double>& wanted, double top, double bottom, double height) {
    std::vector<size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [&](size_t i) { return wanted[i]; });
    const auto room = size_t(std::max(1.0, std::floor((bottom - top) / height) + 1));
    std::vector<double> places(wanted.size(), kNoRoom);
    if (order.size() > room) {
        std::vector<size_t> kept;
        for (size_t k = 0; k < room; ++k) kept.push_back(order[k * order.size() / room]);
        order = kept;
    }
    double free_from = top;
    for (const size_t i : order) {
        places[i] = std::max(wanted[i], free_from);
        free_from = places[i] + height;
    }
    double end = bottom;
    for (auto i = order.rbegin(); i != order.rend(); ++i) {
        places[*i] = std::min(places[*i], end);
        end = places[*i] - height;
    }
    return places;
}

double label_height(const ChartPainter& painter) {
    return painter.px(kLabelHeight);
}

}  // namespace

std::vector<LineChart> line_charts(const OperatorInfo& op, std::span<const CaseAxis> axes,
                                   std::span<const CaseRows> cases, size_t axis, const ChartSubject& subject,
                                   std::string (*text_of)(double), const char* rate_unit) {
    std::map<std::vector<size_t>, LineChart> charts;  // by the places on the other axes
    for (size_t k = 0; k < cases.size(); ++k) {
        const CaseRows& one = cases[k];
        std::vector<size_t> beside = one.place;
        const size_t at = axes.empty() ? 0 : std::exchange(beside[axis], 0);
        LineChart& chart = charts[beside];
        if (chart.positions.empty()) {
            chart.title = title_beside(axes, one.place, axis);
            chart.ratio = is_ratio(subject.figure);
            if (!axes.empty()) {
                chart.labels = axes[axis].labels;
                chart.positions = axes[axis].positions;
            } else {
                chart.labels = {""};
            }
            chart.has_numbers = !chart.positions.empty();
            for (size_t i = 0; !chart.has_numbers && i < chart.labels.size(); ++i)
                chart.positions.push_back(double(i + 1));
        }
        for (size_t row = 0; row < one.rows.size(); ++row) {
            const BenchmarkRow& measured = one.rows[row];
            if (!measured.ran()) continue;
            ChartBar bar = bar_of(measured, measured.*subject.times, subject.figure, op, one.size, text_of, rate_unit);
            if (!bar.has_value() || bar.value <= 0) continue;
            auto line = std::ranges::find(chart.lines, row, &ChartLine::row);
            if (line == chart.lines.end()) {
                const auto behind = std::ranges::upper_bound(chart.lines, row, {}, &ChartLine::row);
                line = chart.lines.insert(behind, {row, measured.name()});
            }
            line->points.push_back({k, chart.positions[at], std::move(bar)});
        }
    }
    std::vector<LineChart> all;
    for (auto& [beside, chart] : charts) {
        for (ChartLine& line : chart.lines) std::ranges::stable_sort(line.points, {}, &LinePoint::position);
        all.push_back(std::move(chart));
    }
    return all;
}

std::optional<std::pair<size_t, size_t>> LinePlot::nearest(double at_x, double at_y, double reach) const {
    std::optional<std::pair<size_t, size_t>> found;
    for (size_t line = 0; line < points.size(); ++line) {
        for (size_t i = 0; i < points[line].size(); ++i) {
            const double distance = std::hypot(points[line][i].x - at_x, points[line][i].y - at_y);
            if (distance > reach) continue;
            reach = distance;
            found = {line, i};
        }
    }
    return found;
}

LinePlot plot_of(const ChartPainter& painter, const LineChart& chart, const ChartRow& area, AxisKind kind) {
    LinePlot plot;
    std::vector<double> values;
    double names = 0;
    for (const ChartLine& line : chart.lines) {
        names = std::max(names, painter.text_width(line.name));
        for (const LinePoint& point : line.points)
            values.insert(values.end(), {point.bar.value, point.bar.low, point.bar.high});
    }
    std::erase_if(values, [](double value) { return value <= 0; });
    const double line_height = label_height(painter);
    plot.y.axis = axis_of(values, chart.ratio, kind);
    plot.y.left = area.y + area.height - 2 * line_height;
    plot.y.right = area.y + line_height / 2;
    double ticks = 0;
    for (const double tick : plot.y.axis.ticks()) ticks = std::max(ticks, painter.text_width(tick_text(tick)));

    plot.x.left = area.x + ticks + painter.px(10);
    const double label = std::min(names + painter.px(26), area.width * 0.35);
    plot.label_left = area.right() - label;
    plot.x.right = std::max(plot.x.left + painter.px(20), plot.label_left - painter.px(18));
    if (chart.has_numbers) {
        plot.x.axis = axis_of(chart.positions, false, kind);
    } else {
        plot.x.axis.max = double(chart.positions.size()) + 0.5;
    }

    std::vector<double> wanted;
    for (const ChartLine& line : chart.lines) {
        std::vector<ChartPoint>& places = plot.points.emplace_back();
        for (const LinePoint& point : line.points)
            places.push_back({plot.x.at(point.position), plot.y.at(point.bar.value)});
        wanted.push_back(places.back().y);
    }
    plot.label_y = spread(wanted, plot.y.right, plot.y.left, line_height);
    return plot;
}

void draw_line_chart(ChartPainter& painter, const LineChart& chart, const LinePlot& plot, const ChartRow& area,
                     std::optional<size_t> highlighted) {
    const double hair = std::max(1.0, std::round(painter.px(0.7)));
    const double gap = painter.px(8), line_height = label_height(painter);
    double free_above = 1e9;
    for (const double tick : plot.y.axis.ticks()) {
        const double y = std::round(plot.y.at(tick));
        painter.fill(plot.x.left, y, plot.x.right - plot.x.left, hair,
                     chart.ratio && tick == 1 ? ChartInk::emphasized_grid : ChartInk::grid);
        if (y > free_above) continue;
        const std::string text = tick_text(tick);
        painter.text(plot.x.left - painter.px(6) - painter.text_width(text), y, text, ChartInk::faint, 1e9);
        free_above = y - line_height;
    }
    double free_from = -1e9;
    for (size_t i = 0; i < chart.labels.size(); ++i) {
        const double x = std::round(plot.x.at(chart.positions[i]));
        painter.fill(x, plot.y.right, hair, plot.y.left - plot.y.right, ChartInk::grid);
        const double width = painter.text_width(chart.labels[i]);
        const double left = std::min(x - width / 2, area.right() - width);
        if (left < free_from) continue;
        painter.text(left, plot.y.left + line_height, chart.labels[i], ChartInk::faint, width + 1);
        free_from = left + width + gap;
    }

    // The line that stands out has a label in any case; those that are in its way have none.
    const auto label_of = [&](size_t i) {
        return highlighted == i && std::isnan(plot.label_y[i]) ? plot.points[i].back().y : plot.label_y[i];
    };
    const auto draw = [&](size_t i) {
        const bool is_quiet = highlighted && *highlighted != i;
        const ChartInk ink = is_quiet ? ChartInk::copies : line_ink(chart.lines[i].row);
        const double thick = painter.px(highlighted == i ? 3 : 1.8), radius = painter.px(kMark);
        painter.line(plot.points[i], thick, ink);
        for (size_t k = 0; k < plot.points[i].size(); ++k) {
            const ChartPoint& at = plot.points[i][k];
            const ChartBar& bar = chart.lines[i].points[k].bar;
            if (bar.high > bar.low && !is_quiet) {
                const double top = plot.y.at(bar.high), bottom = plot.y.at(bar.low);
                painter.fill(at.x - hair / 2, top, hair, bottom - top, ChartInk::interval);
                for (const double y : {top, bottom})
                    painter.fill(at.x - painter.px(4), y, painter.px(8), hair, ChartInk::interval);
            }
            draw_mark(painter, chart.lines[i].row, at, radius, ink);
        }
        const double y = label_of(i);
        if (std::isnan(y) || (is_quiet && std::abs(y - label_of(*highlighted)) < line_height)) return;
        const ChartPoint end = plot.points[i].back();
        const double mark_x = plot.label_left + radius;
        const ChartPoint leader[] = {
            {end.x + radius, end.y}, {plot.x.right + painter.px(4), end.y}, {mark_x - radius, y}};
        // That of a line which ends early, being measured only in part, could be taken for data.
        const bool is_far = chart.lines[i].points.back().position < std::ranges::max(chart.positions);
        painter.line(leader, hair, is_quiet || is_far ? ChartInk::grid : ink);
        draw_mark(painter, chart.lines[i].row, {mark_x, y}, radius, ink);
        painter.text(mark_x + radius + painter.px(5), y, chart.lines[i].name,
                     is_quiet ? ChartInk::faint : ChartInk::text, area.right() - mark_x - radius - painter.px(5));
    };
    for (size_t i = 0; i < chart.lines.size(); ++i)
        if (!(highlighted == i)) draw(i);
    if (highlighted && *highlighted < chart.lines.size()) draw(*highlighted);
}

}  // namespace tonescope::ui
