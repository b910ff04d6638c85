// A comparison as a bar chart: one bar a variant, shorter is faster.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/compare.h"
#include "app/compare_canvas.h"

namespace tonescope {
namespace {

constexpr int kWidth_px = 1600, kMargin_px = 48, kRow_px = 52, kHeader_px = 150, kFooter_px = 130;
constexpr double kUnit_px = 150, kGap_px = 14;  // for the unit behind the axis; between a bar and its text
constexpr double kBar_px = 26, kTitle_px = 40, kText_px = 24, kSmall_px = 20;
constexpr Color kPaper{252, 252, 250}, kInk{32, 36, 42}, kQuiet{110, 118, 128}, kGrid{226, 229, 232},
    kCpu{150, 163, 178}, kGpu{58, 130, 196}, kWrong{190, 58, 48};
/// Times that lie further apart than this need a logarithmic axis.
constexpr double kLinearRatio = 20;

struct Axis {
    double left_px = 0, right_px = 0;
    double min_ms = 0, max_ms = 1;  // min_ms is 0 on a linear axis
    bool logarithmic = false;

    double x(double ms) const {
        const double part =
            logarithmic ? std::log(std::max(ms, min_ms) / min_ms) / std::log(max_ms / min_ms) : ms / max_ms;
        return left_px + (right_px - left_px) * part;
    }
    std::vector<double> ticks() const {
        std::vector<double> list;
        if (logarithmic) {
            for (double tick = min_ms; tick <= max_ms * 1.001; tick *= 10) list.push_back(tick);
            return list;
        }
        const double power = std::pow(10, std::floor(std::log10(max_ms)));
        const double step = max_ms / power < 2 ? power / 5 : max_ms / power < 5 ? power / 2 : power;
        for (int i = 0; i * step <= max_ms; ++i) list.push_back(i * step);
        return list;
    }
};

std::string tick_text(double ms) {
    std::string text = number_text(ms);
    if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

std::string value_text(const ComparisonRow& row) {
    std::string text = number_text(row.total.median_ms) + " ms";
    if (row.total_speed_up.reference && !row.rung->reference)
        text += ", " + number_text(*row.total_speed_up.reference) + "x as fast as the reference";
    return text;
}

std::string wrong_text(const Comparison& comparison, const ComparisonRow& row) {
    return row.differences == 0 ? "" : row.result_text(comparison.op->makes_bins);
}

/// As long as it can be with room for the text behind each bar.
Axis make_axis(const Comparison& comparison, double left_px) {
    Axis axis{left_px, kWidth_px - kMargin_px - kUnit_px};
    double least = 1e300, most = 0;
    for (const ComparisonRow& row : comparison.rows) {
        if (!row.ran()) continue;
        least = std::min(least, std::max(row.total.median_ms, 1e-6));
        most = std::max(most, std::max(row.total.p90_ms, 1e-6));
    }
    if (most == 0) return axis;
    axis.max_ms = most;
    if (most / least > kLinearRatio) {
        axis.logarithmic = true;
        axis.min_ms = std::pow(10, std::floor(std::log10(least * 0.7)));
    }
    const double full_px = axis.right_px - left_px;
    double length_px = full_px;
    for (const ComparisonRow& row : comparison.rows) {
        if (!row.ran()) continue;
        const double part = (axis.x(std::max(row.total.p90_ms, row.total.median_ms)) - left_px) / full_px;
        const double text_px = Canvas::text_width(kSmall_px, value_text(row) + "   " + wrong_text(comparison, row));
        if (part > 0) length_px = std::min(length_px, (kWidth_px - kMargin_px - kGap_px - text_px - left_px) / part);
    }
    axis.right_px = left_px + length_px;
    return axis;
}

std::string shortened(std::string text, double size_px, double width_px) {
    if (Canvas::text_width(size_px, text) <= width_px) return text;
    while (!text.empty() && Canvas::text_width(size_px, text + "...") > width_px) text.pop_back();
    return text + "...";
}

void draw_row(Canvas& canvas, const Comparison& comparison, const ComparisonRow& row, const Axis& axis, double y) {
    const double baseline = y + kRow_px / 2.0 + kText_px * 0.3;
    canvas.text(axis.left_px - 16, baseline, kText_px, std::string(row.rung->name), row.ran() ? kInk : kQuiet,
                Align::right);
    if (!row.ran()) {
        canvas.text(axis.left_px + 12, baseline, kSmall_px,
                    shortened("not run: " + row.not_run, kSmall_px, kWidth_px - kMargin_px - axis.left_px - 12),
                    kQuiet);
        return;
    }
    const double top = y + (kRow_px - kBar_px) / 2, end = axis.x(row.total.median_ms);
    canvas.fill(axis.left_px, top, std::max(1.5, end - axis.left_px), kBar_px,
                row.rung->backend == BackendKind::cpu ? kCpu : kGpu);
    const double low = axis.x(row.total.p10_ms), high = axis.x(row.total.p90_ms), middle = top + kBar_px / 2;
    canvas.fill(low, middle - 1, std::max(1.0, high - low), 2, kInk);
    for (const double x : {low, high}) canvas.fill(x - 0.75, middle - 5, 1.5, 10, kInk);
    const std::string value = value_text(row);
    const double value_x = std::max(end, high) + kGap_px;
    canvas.text(value_x, baseline, kSmall_px, value, kInk);
    canvas.text(value_x + Canvas::text_width(kSmall_px, value + "   "), baseline, kSmall_px,
                wrong_text(comparison, row), kWrong);
}

void draw_legend(Canvas& canvas, const Comparison& comparison, double y) {
    double x = kMargin_px;
    const auto entry = [&](Color color, const std::string& name) {
        if (name.empty()) return;
        canvas.fill(x, y - 15, 18, 18, color);
        canvas.text(x + 28, y, kSmall_px, name, kInk);
        x += 28 + Canvas::text_width(kSmall_px, name) + 40;
    };
    entry(kCpu, comparison.cpu_name);
    entry(kGpu, comparison.cuda_name);
}

}  // namespace

HostImage comparison_chart(const Comparison& comparison) {
    const int rows = int(comparison.rows.size());
    Canvas canvas(kWidth_px, kHeader_px + rows * kRow_px + kFooter_px, kPaper);
    double label_px = 0;
    for (const ComparisonRow& row : comparison.rows)
        label_px = std::max(label_px, Canvas::text_width(kText_px, std::string(row.rung->name)));
    const Axis axis = make_axis(comparison, kMargin_px + label_px + 16);

    const std::string file = std::filesystem::path(comparison.input).filename().string();
    canvas.text(kMargin_px, 66, kTitle_px, std::string(comparison.op->name) + ": time of every variant", kInk,
                Align::left, true);
    const std::string size = std::to_string(comparison.size.width) + " x " + std::to_string(comparison.size.height);
    canvas.text(kMargin_px, 104, kText_px, file + ", " + size + " pixels. Median, shorter is faster.", kQuiet);

    const double top = kHeader_px - 8, bottom = kHeader_px + rows * kRow_px;
    for (const double tick : axis.ticks()) {
        canvas.fill(axis.x(tick) - 0.5, top, 1, bottom - top, kGrid);
        canvas.text(axis.x(tick), bottom + 26, kSmall_px, tick_text(tick), kQuiet, Align::center);
    }
    for (int i = 0; i < rows; ++i)
        draw_row(canvas, comparison, comparison.rows[size_t(i)], axis, kHeader_px + i * kRow_px);
    canvas.text(axis.right_px + 20, bottom + 26, kSmall_px, axis.logarithmic ? "ms, logarithmic" : "ms", kQuiet);
    draw_legend(canvas, comparison, bottom + 66);
    canvas.text(
        kMargin_px, bottom + 102, kSmall_px,
        "All stages, copies between host and device included. The thin line spans the 10th to the 90th percentile.",
        kQuiet);
    return canvas.take();
}

}  // namespace tonescope
