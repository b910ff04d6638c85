// A comparison as bar charts, like the figures of the reports.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/benchmark/variant_benchmark.h"
#include "gpu/core/canvas.h"
#include "gpu/core/error.h"
#include "ui/widgets/chart_axis.h"

namespace tonescope {
namespace {

constexpr int kPanel_px = 1160, kMargin_px = 48, kGutter_px = 56, kRow_px = 38;
constexpr int kHeader_px = 150, kTitle_px = 56, kAxis_px = 56, kLine_px = 30;
constexpr double kGap_px = 12, kBar_px = 22, kHeading_px = 40, kName_px = 22, kSmall_px = 19;
constexpr Color kPaper{252, 252, 250}, kInk{32, 36, 42}, kQuiet{110, 118, 128}, kGrid{226, 229, 232}, kCpu{230, 159, 0},
    kGpu{58, 130, 196}, kWrong{190, 58, 48};
/// Values that lie further apart than this need a logarithmic axis.
constexpr double kLinearRatio = 20;

struct Bar {
    const ComparisonRow* row = nullptr;
    std::optional<double> value;
    double low = 0, high = 0;    // equal to value where there is no spread
    std::optional<double> mark;  // Amdahl's bound
    std::string text;
};

struct Panel {
    std::string title;
    bool ratio = false;
    std::vector<Bar> bars;
};

Bar time_bar(const ComparisonRow& row, const Spread& time) {
    return {&row, time.median_ms, time.p10_ms, time.p90_ms, {}, number_text(time.median_ms) + " ms"};
}

Bar rate_bar(const Comparison& comparison, const ComparisonRow& row, const Spread& time) {
    const double rate = comparison.mpixel_s(time.median_ms);
    return {&row,
            rate,
            comparison.mpixel_s(time.p90_ms),
            comparison.mpixel_s(time.p10_ms),
            {},
            number_text(rate) + " MPixel/s"};
}

Bar ratio_bar(const ComparisonRow& row, const std::optional<double>& ratio) {
    Bar bar{&row, ratio, ratio.value_or(0), ratio.value_or(0), {}, "nothing before it on this backend"};
    if (ratio) bar.text = number_text(*ratio) + "\u00d7";
    return bar;
}

std::vector<Panel> panels_of(const Comparison& comparison) {
    std::vector<Panel> panels = {{"Time, copies included", false, {}},
                                 {"Time of the kernels", false, {}},
                                 {"Throughput of the kernels", false, {}},
                                 {"Kernels against the previous", true, {}},
                                 {"Kernels against all previous (the best one)", true, {}},
                                 {"Kernels against the CPU (plain loops)", true, {}}};
    for (const ComparisonRow& row : comparison.rows) {
        if (!row.ran()) continue;
        const SpeedUps& speed_up = row.compute_speed_up;
        panels[0].bars.push_back(time_bar(row, row.total));
        panels[1].bars.push_back(time_bar(row, row.compute));
        panels[2].bars.push_back(rate_bar(comparison, row, row.compute));
        panels[3].bars.push_back(ratio_bar(row, speed_up.previous));
        panels[4].bars.push_back(ratio_bar(row, speed_up.best_previous));
        panels[5].bars.push_back(ratio_bar(row, speed_up.reference));
        panels[5].bars.back().mark = row.amdahl;
    }
    return panels;
}

ui::ChartAxis axis_of(const Panel& panel) {
    std::vector<double> values, marked;
    for (const Bar& bar : panel.bars) {
        if (!bar.value) continue;
        values.insert(values.end(), {*bar.value, bar.low, bar.high});
        if (bar.mark) marked.push_back(*bar.mark);
    }
    std::erase_if(values, [](double value) { return value <= 0; });
    if (values.empty()) return {};
    const auto [least, most] = std::ranges::minmax(values);
    const bool logarithmic = most / least > kLinearRatio;
    if (logarithmic) values.insert(values.end(), marked.begin(), marked.end());
    return ui::make_axis(values, panel.ratio, logarithmic);
}

/// Where a panel's bars stand, pixels.
struct Scale {
    ui::ChartAxis axis;
    double left_px = 0, right_px = 0;
    double x(double value) const { return left_px + (right_px - left_px) * axis.part(value); }
};

void draw_bar(Canvas& canvas, const Comparison& comparison, const Bar& bar, const Scale& scale, double y) {
    const double baseline = y + kRow_px / 2.0 + kName_px * 0.3, top = y + (kRow_px - kBar_px) / 2;
    canvas.text(scale.left_px - 14, baseline, kName_px, std::string(bar.row->variant->name), kInk, Align::right);
    if (!bar.value) {
        canvas.text(scale.left_px + kGap_px, baseline, kSmall_px, bar.text, kQuiet);
        return;
    }
    const double base = scale.x(scale.axis.base), end = scale.x(*bar.value);
    canvas.fill(std::min(base, end), top, std::max(1.5, std::abs(end - base)), kBar_px,
                bar.row->variant->backend == BackendKind::cpu ? kCpu : kGpu);
    double reach = std::max(base, end);
    if (bar.high > bar.low) {
        const double low = scale.x(bar.low), high = scale.x(bar.high), middle = top + kBar_px / 2;
        canvas.fill(low, middle - 1, std::max(1.0, high - low), 2, kInk);
        for (const double x : {low, high}) canvas.fill(x - 0.75, middle - 5, 1.5, 10, kInk);
        reach = std::max(reach, high);
    }
    if (bar.mark && *bar.mark <= scale.axis.max) {
        const double x = scale.x(*bar.mark);
        canvas.fill(x - 1.5, top - 4, 3, kBar_px + 8, kInk);
        if (x >= reach && x < reach + kGap_px + Canvas::text_width(kSmall_px, bar.text)) reach = x;
    }
    canvas.text(reach + kGap_px, baseline, kSmall_px, bar.text, kInk);
    if (bar.row->differences == 0) return;
    canvas.text(reach + kGap_px + Canvas::text_width(kSmall_px, bar.text + "   "), baseline, kSmall_px,
                bar.row->result_text(comparison.op->makes_bins), kWrong);
}

void draw_panel(Canvas& canvas, const Comparison& comparison, const Panel& panel, double x, double y) {
    canvas.text(x, y + 32, kName_px + 4, panel.title, kInk, Align::left, true);
    y += kTitle_px;
    double names_px = 0, texts_px = 0;
    for (const Bar& bar : panel.bars) {
        names_px = std::max(names_px, Canvas::text_width(kName_px, std::string(bar.row->variant->name)));
        const std::string wrong =
            bar.row->differences == 0 ? "" : "   " + bar.row->result_text(comparison.op->makes_bins);
        if (bar.value) texts_px = std::max(texts_px, Canvas::text_width(kSmall_px, bar.text + wrong));
    }
    const double left = x + names_px + 14;
    const Scale scale{axis_of(panel), left, std::max(left + 100, x + kPanel_px - texts_px - 2 * kGap_px)};
    const double bottom = y + double(panel.bars.size()) * kRow_px;
    double free_from = 0;
    for (const double tick : scale.axis.ticks()) {
        const bool one = panel.ratio && tick == 1;
        canvas.fill(scale.x(tick) - 0.5, y - 6, 1, bottom - y + 6, one ? kQuiet : kGrid);
        const std::string text = ui::tick_text(tick);
        const double width = Canvas::text_width(kSmall_px, text), at = scale.x(tick) - width / 2;
        if (at < free_from) continue;
        canvas.text(at, bottom + 24, kSmall_px, text, kQuiet);
        free_from = at + width + kGap_px;
    }
    for (size_t i = 0; i < panel.bars.size(); ++i)
        draw_bar(canvas, comparison, panel.bars[i], scale, y + double(i) * kRow_px);
}

/// What stands below the panels: the legend, then sentences.
std::vector<std::string> remarks(const Comparison& comparison) {
    std::vector<std::string> lines = {
        "Medians. The thin line spans the 10th to the 90th percentile. An axis is logarithmic where the values lie far "
        "apart."};
    if (const std::string amdahl = amdahl_text(comparison); !amdahl.empty()) lines.push_back(amdahl + ".");
    std::string names, reason;
    for (const ComparisonRow& row : comparison.rows) {
        if (row.ran()) continue;
        names += (names.empty() ? "" : ", ") + std::string(row.variant->name);
        reason = reason.empty() || reason == row.not_run ? row.not_run : "for several reasons";
    }
    if (!names.empty()) lines.push_back("Not run (" + reason + "): " + names + ".");
    return lines;
}

/// Breaks a text into lines of this width.
std::vector<std::string> wrap(const std::string& text, double size_px, double width_px) {
    std::vector<std::string> lines(1);
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        std::string& line = lines.back();
        if (!line.empty() && Canvas::text_width(size_px, line + " " + word) > width_px)
            lines.push_back(word);
        else
            line += (line.empty() ? "" : " ") + word;
        at = end + 1;
    }
    return lines;
}

void draw_legend(Canvas& canvas, const Comparison& comparison, double y) {
    double x = kMargin_px;
    const auto entry = [&](Color color, double width, const std::string& name) {
        if (name.empty()) return;
        canvas.fill(x + (18 - width) / 2, y - 15, width, 18, color);
        canvas.text(x + 28, y, kSmall_px, name, kInk);
        x += 28 + Canvas::text_width(kSmall_px, name) + 40;
    };
    entry(kCpu, 18, comparison.cpu_name);
    entry(kGpu, 18, comparison.cuda_name);
    entry(kInk, 3, "Amdahl's bound");
}

}  // namespace

HostImage comparison_chart(const Comparison& comparison) {
    if (!Canvas::has_font())
        throw UserError(
            "this build has no font for charts (it was made without fonts-roboto); write .csv, .json or .md");
    const std::vector<Panel> panels = panels_of(comparison);
    const int width = 2 * kMargin_px + 2 * kPanel_px + kGutter_px;
    std::vector<std::string> lines;
    for (const std::string& remark : remarks(comparison))
        for (std::string& line : wrap(remark, kSmall_px, width - 2.0 * kMargin_px)) lines.push_back(std::move(line));
    const int panel_height = kTitle_px + int(panels[0].bars.size()) * kRow_px + kAxis_px;
    const int bottom = kHeader_px + int(panels.size() / 2) * panel_height;
    Canvas canvas(width, bottom + kLine_px * int(lines.size() + 2) + kMargin_px / 2, kPaper);

    const std::string file = std::filesystem::path(comparison.input).filename().string();
    canvas.text(kMargin_px, 66, kHeading_px, std::string(comparison.op->name) + ": every variant compared", kInk,
                Align::left, true);
    const std::string size = std::to_string(comparison.size.width) + " x " + std::to_string(comparison.size.height);
    canvas.text(kMargin_px, 108, kName_px + 2, file + ", " + size + " pixels", kQuiet);
    for (size_t i = 0; i < panels.size(); ++i)
        draw_panel(canvas, comparison, panels[i], kMargin_px + double(i % 2) * (kPanel_px + kGutter_px),
                   kHeader_px + double(i / 2) * panel_height);
    double y = bottom + kLine_px;
    draw_legend(canvas, comparison, y);
    for (const std::string& line : lines) canvas.text(kMargin_px, y += kLine_px, kSmall_px, line, kQuiet);
    return canvas.take();
}

}  // namespace tonescope
