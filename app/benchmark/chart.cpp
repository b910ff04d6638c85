// The variant benchmark as bar charts, like the figures of the reports.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/benchmark/file_painter.h"
#include "app/benchmark/variant_benchmark.h"
#include "gpu/core/text.h"
#include "ui/benchmark/bar_chart.h"

namespace tonescope {
namespace {

constexpr double kRow_px = 38, kTitle_px = 56, kAxis_px = 56, kGap_px = 12;
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

/// `bars`: of the variants that ran.
void draw_panel(FilePainter& painter, const std::string& title, std::span<const ui::ChartBar> bars, bool ratio,
                double x, double y) {
    painter.heading(x, y + 32, title);
    y += kTitle_px;
    const auto [names_px, texts_px] = ui::widths_of(painter, bars);
    const double left = x + names_px + painter.px(10);
    const ui::ChartScale scale{ui::axis_around(bars, ratio, false), left,
                               std::max(left + 100, x + FilePainter::kPanel_px - texts_px - 2 * kGap_px)};
    const double height = double(bars.size()) * kRow_px;
    ui::draw_grid(painter, scale, y - 6, height + 6, ratio);
    ui::draw_ticks(painter, scale, y + height + 18, x + FilePainter::kPanel_px);
    for (const ui::ChartBar& bar : bars) {
        ui::draw_bar(painter, bar, scale, {x, y, FilePainter::kPanel_px, kRow_px});
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

double height_of_panel(const VariantBenchmark& benchmark) {
    return kTitle_px + double(std::ranges::count_if(benchmark.rows, &BenchmarkRow::ran)) * kRow_px + kAxis_px;
}

double height_of(const VariantBenchmark& benchmark) {
    size_t lines = 2;
    for (const std::string& remark : remarks(benchmark))
        lines += FilePainter::count_lines(FilePainter::kText_px, remark);
    return FilePainter::kHeader_px + double(std::size(kPanels) / 2) * height_of_panel(benchmark) +
           FilePainter::kLine_px * double(lines) + FilePainter::kMargin_px / 2;
}

void draw(FilePainter& painter, const VariantBenchmark& benchmark) {
    constexpr double kLeft_px = FilePainter::kMargin_px, kText_px = FilePainter::kText_px;
    const std::string file = std::filesystem::path(benchmark.input).filename().string();
    painter.title(kLeft_px, 66, std::string(benchmark.op->name) + ": " + subject_title(benchmark));
    painter.paragraph(kLeft_px, 108, kText_px,
                      file + ", " + size_text(benchmark.size.width, benchmark.size.height) + " pixels");
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
        draw_panel(painter, words, bars, ui::is_ratio(figure),
                   kLeft_px + double(i % 2) * (FilePainter::kPanel_px + FilePainter::kGutter_px),
                   FilePainter::kHeader_px + double(i / 2) * height_of_panel(benchmark));
    }
    double y =
        FilePainter::kHeader_px + double(std::size(kPanels) / 2) * height_of_panel(benchmark) + FilePainter::kLine_px;
    ui::draw_legend(painter, kLeft_px, y - 6, benchmark.cpu_name, benchmark.cuda_name, true,
                    !benchmark.cuda_name.empty());
    y += FilePainter::kLine_px;
    for (const std::string& remark : remarks(benchmark)) y = painter.paragraph(kLeft_px, y, kText_px, remark);
}

}  // namespace

HostImage benchmark_chart(const VariantBenchmark& benchmark) {
    ImagePainter painter(FilePainter::kSheet_px, height_of(benchmark));
    draw(painter, benchmark);
    return painter.take();
}

std::string benchmark_svg(const VariantBenchmark& benchmark) {
    SvgPainter painter(FilePainter::kSheet_px, height_of(benchmark));
    draw(painter, benchmark);
    return painter.take();
}

}  // namespace tonescope
