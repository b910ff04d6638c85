// The variant benchmark as bar charts, like the figures of the reports.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/benchmark/variant_benchmark.h"
#include "gpu/core/canvas/canvas.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"
#include "ui/benchmark/bar_chart.h"

namespace tonescope {
namespace {

constexpr int kPanel_px = 1160, kMargin_px = 48, kGutter_px = 56, kRow_px = 38;
constexpr int kHeader_px = 150, kTitle_px = 56, kAxis_px = 56, kLine_px = 30;
constexpr double kGap_px = 12, kHeading_px = 40, kName_px = 22, kSmall_px = 19;
constexpr Color kPaper{252, 252, 250}, kInk{32, 36, 42}, kQuiet{110, 118, 128}, kGrid{226, 229, 232}, kCpu{230, 159, 0},
    kGpu{58, 130, 196}, kWrong{190, 58, 48}, kHost{150, 160, 172}, kCopies{204, 210, 217};
constexpr Color kColors[] = {kInk, kQuiet, kQuiet, kGrid, kQuiet, kCpu,
                             kGpu, kInk,   kWrong, kHost, kCopies};  // by ui::ChartInk
using ui::ChartFigure;
constexpr struct {
    const char* title;
    ChartFigure figure;
    BenchmarkTime BenchmarkRow::*times;
} kPanels[] = {{"Total time", ChartFigure::time, &BenchmarkRow::total},
               {"Kernels", ChartFigure::time, &BenchmarkRow::kernels},
               {"Total, \u00d7 {basis}", ChartFigure::basis, &BenchmarkRow::total},
               {"Kernels, \u00d7 {basis}", ChartFigure::basis, &BenchmarkRow::kernels},
               {"Throughput of the kernels", ChartFigure::throughput, &BenchmarkRow::kernels},
               {"\u00d7 reference, without copies", ChartFigure::cpu, &BenchmarkRow::compute}};

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

/// `bars`: of the variants that ran.
void draw_panel(Canvas& canvas, const std::string& title, std::span<const ui::ChartBar> bars, bool ratio, double x,
                double y) {
    canvas.text(x, y + 32, kName_px + 4, title, kInk, Align::left, true);
    y += kTitle_px;
    FilePainter painter(canvas);
    const auto [names_px, texts_px] = ui::widths_of(painter, bars);
    const double left = x + names_px + painter.px(10);
    const ui::ChartScale scale{ui::axis_around(bars, ratio, false), left,
                               std::max(left + 100, x + kPanel_px - texts_px - 2 * kGap_px)};
    const double height = double(bars.size()) * kRow_px;
    ui::draw_grid(painter, scale, y - 6, height + 6, ratio);
    ui::draw_ticks(painter, scale, y + height + 18, x + kPanel_px);
    for (const ui::ChartBar& bar : bars) {
        ui::draw_bar(painter, bar, scale, {x, y, kPanel_px, kRow_px});
        y += kRow_px;
    }
}

/// What stands below the panels: the legend, then sentences.
std::vector<std::string> remarks(const VariantBenchmark& benchmark) {
    std::vector<std::string> lines = {
        "Medians of interleaved runs with their 95 % intervals, the thin lines. Total time: kernels, then the host, "
        "then "
        "copies. Gray: the interval holds 1, so no difference was measured."};
    for (const std::string& sentence : {clock_text(benchmark), amdahl_text(benchmark)})
        if (!sentence.empty()) lines.push_back(sentence + ".");
    std::string names, reason;
    for (const BenchmarkRow& row : benchmark.rows) {
        if (row.ran()) continue;
        names += (names.empty() ? "" : ", ") + row.name();
        reason = reason.empty() || reason == row.reason ? row.reason : "for several reasons";
    }
    if (!names.empty()) lines.push_back("Not run (" + reason + "): " + names + ".");
    return lines;
}

}  // namespace

HostImage benchmark_chart(const VariantBenchmark& benchmark) {
    if (!Canvas::has_font())
        throw UserError(
            "this build has no font for charts (it was made without fonts-roboto); write .csv, .json or .md");
    const int width = 2 * kMargin_px + 2 * kPanel_px + kGutter_px;
    std::vector<std::string> lines;
    const auto fits = [&](const std::string& line) {
        return Canvas::text_width(kSmall_px, line) <= width - 2.0 * kMargin_px;
    };
    for (const std::string& remark : remarks(benchmark))
        for (std::string& line : wrap(remark, fits)) lines.push_back(std::move(line));
    const int panel_height =
        kTitle_px + int(std::ranges::count_if(benchmark.rows, &BenchmarkRow::ran)) * kRow_px + kAxis_px;
    const int bottom = kHeader_px + int(std::size(kPanels) / 2) * panel_height;
    Canvas canvas(width, bottom + kLine_px * int(lines.size() + 2) + kMargin_px / 2, kPaper);

    const std::string file = std::filesystem::path(benchmark.input).filename().string();
    canvas.text(kMargin_px, 66, kHeading_px, std::string(benchmark.op->name) + ": " + subject_title(benchmark), kInk,
                Align::left, true);
    const std::string size = size_text(benchmark.size.width, benchmark.size.height);
    canvas.text(kMargin_px, 108, kName_px + 2, file + ", " + size + " pixels", kQuiet);
    for (size_t i = 0; i < std::size(kPanels); ++i) {
        const auto& [title, figure, times] = kPanels[i];
        std::vector<ui::ChartBar> bars;
        for (const BenchmarkRow& row : benchmark.rows)
            if (row.ran())
                bars.push_back(
                    ui::bar_of(row, row.*times, figure, *benchmark.op, benchmark.size, number_text, " MPixel/s"));
        std::string words = title;
        if (const size_t at = words.find("{basis}"); at != std::string::npos)
            words.replace(at, 7, basis_title(benchmark));
        draw_panel(canvas, words, bars, ui::is_ratio(figure), kMargin_px + double(i % 2) * (kPanel_px + kGutter_px),
                   kHeader_px + double(i / 2) * panel_height);
    }
    double y = bottom + kLine_px;
    FilePainter painter(canvas);
    ui::draw_legend(painter, kMargin_px, y - 6, benchmark.cpu_name, benchmark.cuda_name, true,
                    !benchmark.cuda_name.empty());
    for (const std::string& line : lines) canvas.text(kMargin_px, y += kLine_px, kSmall_px, line, kQuiet);
    return canvas.take();
}

}  // namespace tonescope
