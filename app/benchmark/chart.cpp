// The variant benchmark as bar charts, like the figures of the reports.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/benchmark/variant_benchmark.h"
#include "gpu/core/canvas/canvas.h"
#include "gpu/core/error.h"
#include "ui/benchmark/bar_chart.h"

namespace tonescope {
namespace {

constexpr int kPanel_px = 1160, kMargin_px = 48, kGutter_px = 56, kRow_px = 38;
constexpr int kHeader_px = 150, kTitle_px = 56, kAxis_px = 56, kLine_px = 30;
constexpr double kGap_px = 12, kHeading_px = 40, kName_px = 22, kSmall_px = 19;
constexpr Color kPaper{252, 252, 250}, kInk{32, 36, 42}, kQuiet{110, 118, 128}, kGrid{226, 229, 232}, kCpu{230, 159, 0},
    kGpu{58, 130, 196}, kWrong{190, 58, 48};
constexpr Color kColors[] = {kInk, kQuiet, kQuiet, kGrid, kQuiet, kCpu, kGpu, kInk, kWrong};  // by ui::ChartInk
/// Values that lie further apart than this need a logarithmic axis.
constexpr double kLinearRatio = 20;

struct Panel {
    std::string title;
    bool ratio = false;
    std::vector<ui::ChartBar> bars;
};

ui::ChartBar bar_of(const VariantBenchmark& benchmark, const BenchmarkRow& row) {
    const bool on_cpu = row.variant->backend == BackendKind::cpu;
    return {.kind = on_cpu ? ui::ChartBar::Kind::cpu : ui::ChartBar::Kind::gpu,
            .name = std::string(row.variant->name),
            .warning = row.differences == 0 ? "" : row.result_text(benchmark.op->makes_bins)};
}

std::vector<Panel> panels_of(const VariantBenchmark& benchmark) {
    std::vector<Panel> panels = {{"Time, copies included", false, {}},
                                 {"Time of the kernels", false, {}},
                                 {"Throughput of the kernels", false, {}},
                                 {"Kernels against the previous", true, {}},
                                 {"Kernels against all previous (the best one)", true, {}},
                                 {"Kernels against the CPU (plain loops)", true, {}}};
    for (const BenchmarkRow& row : benchmark.rows) {
        if (!row.ran()) continue;
        const auto add = [&](size_t panel, double value, double low, double high, const std::string& text) {
            ui::ChartBar bar = bar_of(benchmark, row);
            bar.value = value;
            bar.low = low;
            bar.high = high;
            bar.text = text;
            panels[panel].bars.push_back(bar);
        };
        const auto add_time = [&](size_t panel, const TimeSummary& time) {
            add(panel, time.median_ms, time.p10_ms, time.p90_ms, number_text(time.median_ms) + " ms");
        };
        const auto add_ratio = [&](size_t panel, const std::optional<double>& ratio) {
            add(panel, ratio.value_or(0), ratio.value_or(0), ratio.value_or(0),
                ratio ? number_text(*ratio) + "\u00d7" : "nothing before it on this backend");
            if (!ratio) panels[panel].bars.back().kind = ui::ChartBar::Kind::missing;
        };
        add_time(0, row.total.time);
        add_time(1, row.compute.time);
        const double rate = benchmark.mpixel_s(row.compute.time.median_ms);
        add(2, rate, benchmark.mpixel_s(row.compute.time.p90_ms), benchmark.mpixel_s(row.compute.time.p10_ms),
            number_text(rate) + " MPixel/s");
        add_ratio(3, row.compute.speed_up.previous);
        add_ratio(4, row.compute.speed_up.best_previous);
        add_ratio(5, row.compute.speed_up.reference);
        panels[5].bars.back().mark = row.amdahl;
    }
    return panels;
}

ui::ChartAxis axis_of(const Panel& panel) {
    std::vector<double> values;
    for (const ui::ChartBar& bar : panel.bars)
        if (bar.has_value())
            for (const double value : {bar.value, bar.low, bar.high})
                if (value > 0) values.push_back(value);
    if (values.empty()) return {};
    const auto [least, most] = std::ranges::minmax(values);
    return ui::axis_around(panel.bars, panel.ratio, most / least > kLinearRatio);
}

class FilePainter : public ui::ChartPainter {
  public:
    explicit FilePainter(Canvas& canvas) : canvas_(canvas) {}
    double px(double length) const override { return 1.5 * length; }
    void fill(double x, double y, double width, double height, ui::ChartInk ink, double) override {
        canvas_.fill(x, y, width, height, color(ink));
    }
    double name_width(const std::string& text) const override { return Canvas::text_width(kName_px, text); }
    double text_width(const std::string& text) const override { return Canvas::text_width(kSmall_px, text); }
    void name(double right, double y, const std::string& text, ui::ChartInk ink, double) override {
        canvas_.text(right, y + kName_px * 0.3, kName_px, text, color(ink), Align::right);
    }
    void text(double x, double y, const std::string& text, ui::ChartInk ink, double) override {
        canvas_.text(x, y + kName_px * 0.3, kSmall_px, text, color(ink));
    }

  private:
    static Color color(ui::ChartInk ink) { return kColors[size_t(ink)]; }

    Canvas& canvas_;
};

void draw_panel(Canvas& canvas, const Panel& panel, double x, double y) {
    canvas.text(x, y + 32, kName_px + 4, panel.title, kInk, Align::left, true);
    y += kTitle_px;
    FilePainter painter(canvas);
    double names_px = 0, texts_px = 0;
    for (const ui::ChartBar& bar : panel.bars) {
        names_px = std::max(names_px, painter.name_width(bar.name));
        if (bar.has_value())
            texts_px = std::max(texts_px, painter.text_width(bar.text) +
                                              (bar.warning.empty() ? 0 : kGap_px + painter.text_width(bar.warning)));
    }
    const double left = x + names_px + painter.px(10);
    const ui::ChartScale scale{axis_of(panel), left, std::max(left + 100, x + kPanel_px - texts_px - 2 * kGap_px)};
    const double height = double(panel.bars.size()) * kRow_px;
    ui::draw_grid(painter, scale, y - 6, height + 6, panel.ratio);
    ui::draw_ticks(painter, scale, y + height + 18, x + kPanel_px);
    for (const ui::ChartBar& bar : panel.bars) {
        ui::draw_bar(painter, bar, scale, {x, y, kPanel_px, kRow_px});
        y += kRow_px;
    }
}

/// What stands below the panels: the legend, then sentences.
std::vector<std::string> remarks(const VariantBenchmark& benchmark) {
    std::vector<std::string> lines = {
        "Medians. The thin line spans the 10th to the 90th percentile. An axis is logarithmic where the values lie far "
        "apart."};
    if (const std::string amdahl = amdahl_text(benchmark); !amdahl.empty()) lines.push_back(amdahl + ".");
    std::string names, reason;
    for (const BenchmarkRow& row : benchmark.rows) {
        if (row.ran()) continue;
        names += (names.empty() ? "" : ", ") + std::string(row.variant->name);
        reason = reason.empty() || reason == row.reason ? row.reason : "for several reasons";
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

}  // namespace

HostImage benchmark_chart(const VariantBenchmark& benchmark) {
    if (!Canvas::has_font())
        throw UserError(
            "this build has no font for charts (it was made without fonts-roboto); write .csv, .json or .md");
    const std::vector<Panel> panels = panels_of(benchmark);
    const int width = 2 * kMargin_px + 2 * kPanel_px + kGutter_px;
    std::vector<std::string> lines;
    for (const std::string& remark : remarks(benchmark))
        for (std::string& line : wrap(remark, kSmall_px, width - 2.0 * kMargin_px)) lines.push_back(std::move(line));
    const int panel_height = kTitle_px + int(panels[0].bars.size()) * kRow_px + kAxis_px;
    const int bottom = kHeader_px + int(panels.size() / 2) * panel_height;
    Canvas canvas(width, bottom + kLine_px * int(lines.size() + 2) + kMargin_px / 2, kPaper);

    const std::string file = std::filesystem::path(benchmark.input).filename().string();
    canvas.text(kMargin_px, 66, kHeading_px, std::string(benchmark.op->name) + ": every variant compared", kInk,
                Align::left, true);
    const std::string size = std::to_string(benchmark.size.width) + " x " + std::to_string(benchmark.size.height);
    canvas.text(kMargin_px, 108, kName_px + 2, file + ", " + size + " pixels", kQuiet);
    for (size_t i = 0; i < panels.size(); ++i)
        draw_panel(canvas, panels[i], kMargin_px + double(i % 2) * (kPanel_px + kGutter_px),
                   kHeader_px + double(i / 2) * panel_height);
    double y = bottom + kLine_px;
    FilePainter painter(canvas);
    ui::draw_legend(painter, kMargin_px, y - 6, benchmark.cpu_name, benchmark.cuda_name, true);
    for (const std::string& line : lines) canvas.text(kMargin_px, y += kLine_px, kSmall_px, line, kQuiet);
    return canvas.take();
}

}  // namespace tonescope
