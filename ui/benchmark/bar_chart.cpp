#include "ui/benchmark/bar_chart.h"

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

bool has_parts(const ChartBar& bar, const ChartAxis& axis) {
    return bar.computing + bar.host > 0 && !axis.logarithmic;
}

std::string tick_text(double value) {
    return value >= 999.5 ? with_separators(static_cast<uint64_t>(std::llround(value))) : format("%g", value);
}

ChartBar bar_of(const BenchmarkRow& row, const BenchmarkTime& times, ChartFigure figure, const OperatorInfo& op,
                const ImageSpec& size, std::string (*text_of)(double), const char* rate_unit) {
    const bool on_cpu = row.variant->backend == BackendKind::cpu;
    ChartBar bar{.kind = on_cpu ? ChartBar::Kind::cpu : ChartBar::Kind::gpu,
                 .name = row.name(),
                 .warning = row.identical() ? "" : row.result_text(op.makes_bins)};
    const auto set = [&](double value, double low, double high, const char* unit) {
        bar.value = value;
        bar.low = low;
        bar.high = high;
        bar.text = text_of(value) + unit;
    };
    const auto set_ratio = [&](const std::optional<Ratio>& ratio, const char* none) {
        if (ratio) {
            const Interval interval = ratio->interval.value_or(Interval{ratio->value, ratio->value});
            set(ratio->value, interval.low, interval.high, "\u00d7");
            bar.is_faint = ratio->is_no_difference();
            if (bar.is_faint) bar.text += ", no difference measured";
            return;
        }
        bar.kind = ChartBar::Kind::missing;
        bar.text = none;
    };
    const double ms = times.time.median_ms;
    const Interval interval = times.interval.value_or(Interval{ms, ms});
    switch (figure) {
        case ChartFigure::time:
            set(ms, interval.low, interval.high, " ms");
            if (&times == &row.total && !on_cpu) {
                bar.computing = row.kernels.time.median_ms;
                bar.host = row.host_ms;
            }
            break;
        case ChartFigure::throughput:
            set(mpixel_s(size, ms), mpixel_s(size, interval.high), mpixel_s(size, interval.low), rate_unit);
            break;
        case ChartFigure::basis:
            set_ratio(times.speed_up.basis, "nothing to compare it with");
            break;
        case ChartFigure::cpu:
            set_ratio(times.speed_up.reference, "the reference was not measured");
            bar.mark = row.amdahl;
            if (row.bound_by(times) == BenchmarkRow::Bound::passed) bar.text += ", past the bound";
            break;
    }
    return bar;
}

ChartAxis axis_around(std::span<const ChartBar> bars, bool ratio, bool logarithmic) {
    std::vector<double> values, marks;
    for (const ChartBar& bar : bars) {
        if (!bar.has_value()) continue;
        values.insert(values.end(), {bar.value, bar.low, bar.high});
        if (bar.mark) marks.push_back(*bar.mark);
    }
    std::erase_if(values, [](double value) { return value <= 0; });
    if (values.empty()) return {};
    if (logarithmic) values.insert(values.end(), marks.begin(), marks.end());
    return make_axis(values, ratio, logarithmic);
}

ChartWidths widths_of(const ChartPainter& painter, std::span<const ChartBar> bars, double max_warning) {
    ChartWidths widths;
    for (const ChartBar& bar : bars) {
        widths.names = std::max(widths.names, painter.name_width(bar.name));
        if (!bar.has_value()) continue;
        double text = painter.text_width(bar.text);
        if (!bar.warning.empty()) text += painter.px(8) + std::min(painter.text_width(bar.warning), max_warning);
        widths.texts = std::max(widths.texts, text);
    }
    return widths;
}

void draw_grid(ChartPainter& painter, const ChartScale& scale, double y, double height, bool ratio) {
    for (const double tick : scale.axis.ticks())
        painter.fill(std::round(scale.at(tick)), y, 1, height,
                     ratio && tick == 1 ? ChartInk::emphasized_grid : ChartInk::grid);
}

void draw_ticks(ChartPainter& painter, const ChartScale& scale, double y, double right) {
    double free_from = -1e9;
    for (const double tick : scale.axis.ticks()) {
        const std::string text = tick_text(tick);
        const double width = painter.text_width(text);
        const double x = std::min(scale.at(tick) - width / 2, right - width);
        if (x < free_from) continue;
        painter.text(x, y, text, ChartInk::faint, width + 1);
        free_from = x + width + painter.px(8);
    }
}

void draw_bar(ChartPainter& painter, const ChartBar& bar, const ChartScale& scale, const ChartRow& row) {
    const double gap = painter.px(8), middle = row.y + row.height / 2;
    const double name_right = scale.left - painter.px(10);
    painter.name(name_right, middle, bar.name, bar.has_value() ? ChartInk::text : ChartInk::quiet, name_right - row.x);
    if (!bar.has_value()) {
        painter.text(scale.left + gap, middle, bar.text,
                     bar.kind == ChartBar::Kind::failed ? ChartInk::warning : ChartInk::faint,
                     row.right() - scale.left - gap);
        return;
    }
    const double base = scale.at(scale.axis.base), end = scale.at(bar.value);
    const double thick = std::floor(std::min(row.height * 0.62, painter.px(48)));
    const double top = std::floor(row.y + (row.height - thick) / 2);
    const double left = std::min(base, end), right = std::max({base, end, left + painter.px(1)});
    const ChartInk ink = bar.is_faint                      ? ChartInk::host
                         : bar.kind == ChartBar::Kind::cpu ? ChartInk::cpu
                                                           : ChartInk::gpu;
    if (has_parts(bar, scale.axis)) {
        const double host = scale.at(bar.computing), copies = scale.at(bar.computing + bar.host);
        painter.fill(left, top, right - left, thick, ChartInk::copies, painter.px(2));
        painter.fill(left, top, std::max(copies - left, 0.0), thick, ChartInk::host, painter.px(2));
        painter.fill(left, top, std::max(host - left, 0.0), thick, ink, painter.px(2));
    } else {
        painter.fill(left, top, right - left, thick, ink, painter.px(2));
    }
    double reach = right;
    if (bar.high > bar.low) {
        const double low = scale.at(bar.low), high = scale.at(bar.high);
        const double y = std::floor(top + thick / 2), line = std::max(1.0, painter.px(1));
        painter.fill(low, y, std::max(high - low, line), line, ChartInk::interval);
        for (const double x : {low, high})
            painter.fill(x, y - painter.px(3), line, 2 * painter.px(3) + line, ChartInk::interval);
        reach = std::max(reach, high);
    }
    if (bar.mark && scale.reaches(*bar.mark)) {
        const double x = std::round(scale.at(*bar.mark));
        painter.fill(x - painter.px(1), top - painter.px(2), painter.px(1) + std::max(1.0, painter.px(1)),
                     thick + 2 * painter.px(2), ChartInk::text);
        if (x >= right && x < reach + gap + painter.text_width(bar.text)) reach = std::max(reach, x);
    }
    painter.hint(row.x, row.y, row.width, row.height, bar.name + ": " + bar.text);
    painter.text(reach + gap, middle, bar.text, ChartInk::text, 1e9);
    if (bar.warning.empty()) return;
    const double x = reach + 2 * gap + painter.text_width(bar.text);
    painter.text(x, middle, bar.warning, ChartInk::warning, row.right() - x);
}

double draw_legend(ChartPainter& painter, double x, double y, const std::string& cpu, const std::string& gpu,
                   bool marks, bool parts) {
    const double side = painter.px(10);
    const auto entry = [&](ChartInk ink, double width, const std::string& text) {
        if (text.empty()) return;
        painter.fill(x + (side - width) / 2, std::floor(y - side / 2), width, side, ink,
                     width < side ? 0 : painter.px(2));
        painter.text(x + side + painter.px(6), y, text, ChartInk::quiet, 1e9);
        x += side + painter.px(6) + painter.text_width(text) + painter.px(16);
    };
    entry(ChartInk::cpu, side, cpu);
    entry(ChartInk::gpu, side, gpu);
    if (parts) {
        entry(ChartInk::host, side, "Host");
        entry(ChartInk::copies, side, "Copies");
    }
    if (marks) entry(ChartInk::text, std::max(2.0, painter.px(2)), "Amdahl's bound");
    return x;
}

}  // namespace tonescope::ui
