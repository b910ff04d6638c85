// Experiments as line charts: a row of them for each combination of what lies beside the main axis.
#include <algorithm>

#include "app/benchmark/experiments/experiment_export.h"
#include "app/benchmark/file_painter.h"

namespace tonescope {
namespace {

constexpr double kHeading_px = 44, kFoot_px = 70;
constexpr double kLeastChart_px = 420, kName_px = 25;  // a chart's height, and what a line adds once there are many

constexpr struct {
    const char* title;
    ui::ChartSubject subject;
} kLinePanels[] = {
    {"Total time, ms", {ui::ChartFigure::time, &BenchmarkRow::total}},
    {"Kernels, ms", {ui::ChartFigure::time, &BenchmarkRow::kernels}},
    {"Throughput of the kernels, MPixel/s", {ui::ChartFigure::throughput, &BenchmarkRow::kernels}},
    {"Without copies, \u00d7 reference", {ui::ChartFigure::cpu, &BenchmarkRow::compute}},
};

struct Panel {
    std::string title;
    ui::LineChart chart;
};

struct Sheet {
    std::vector<Panel> panels;
    std::string axis, remark;  // below the charts
    double chart_px = 0;       // the height of a chart
    double height_px() const {
        const double rows = double((panels.size() + 1) / 2);
        return FilePainter::kHeader_px + rows * (kHeading_px + chart_px + kFoot_px) +
               FilePainter::kLine_px * (1 + double(FilePainter::count_lines(FilePainter::kText_px, remark)));
    }
};

Sheet sheet_of(const Experiment& experiment) {
    Sheet sheet;
    const std::vector<CaseRows> cases = case_rows(experiment);
    const size_t axis = main_axis(experiment.axes);
    if (!experiment.axes.empty()) sheet.axis = title_of(experiment.axes[axis]);
    size_t lines = 0, charts = 0;
    std::vector<std::vector<ui::LineChart>> all;
    for (const auto& panel : kLinePanels) {
        all.push_back(
            ui::line_charts(experiment.op(), experiment.axes, cases, axis, panel.subject, number_text, " MPixel/s"));
        charts = all.back().size();
    }
    for (size_t chart = 0; chart < charts; ++chart) {
        for (size_t k = 0; k < std::size(kLinePanels); ++k) {
            ui::LineChart& made = all[k][chart];
            if (made.lines.empty()) continue;
            lines = std::max(lines, made.lines.size());
            sheet.panels.push_back(
                {std::string(kLinePanels[k].title) + (made.title.empty() ? "" : ": " + made.title), std::move(made)});
        }
    }
    sheet.chart_px = std::max(kLeastChart_px, double(lines) * kName_px + 60);
    sheet.remark = "Medians of interleaved runs with their 95 % intervals. " + devices_text(experiment) + ".";
    return sheet;
}

void draw(FilePainter& painter, const Experiment& experiment, const Sheet& sheet, ui::AxisKind axes) {
    constexpr double kLeft_px = FilePainter::kMargin_px, kText_px = FilePainter::kText_px;
    painter.title(kLeft_px, 66, experiment.title());
    painter.paragraph(kLeft_px, 108, kText_px, std::string(experiment.op().name) + ", " + images_text(experiment));
    double y = FilePainter::kHeader_px;
    for (size_t i = 0; i < sheet.panels.size(); ++i) {
        const auto& [title, chart] = sheet.panels[i];
        const double x = kLeft_px + double(i % 2) * (FilePainter::kPanel_px + FilePainter::kGutter_px);
        painter.heading(x, y + 26, title);
        const ui::ChartRow area{x, y + kHeading_px, FilePainter::kPanel_px, sheet.chart_px};
        const ui::LinePlot plot = ui::plot_of(painter, chart, area, axes);
        ui::draw_line_chart(painter, chart, plot, area);
        painter.text(plot.x.left, area.y + area.height + 16, sheet.axis, ui::ChartInk::quiet, 1e9);
        if (i % 2 == 1 || i + 1 == sheet.panels.size()) y += kHeading_px + sheet.chart_px + kFoot_px;
    }
    painter.paragraph(kLeft_px, y + FilePainter::kLine_px / 2, kText_px, sheet.remark);
}

}  // namespace

HostImage experiment_chart(const Experiment& experiment, ui::AxisKind axes) {
    const Sheet sheet = sheet_of(experiment);
    ImagePainter painter(FilePainter::kSheet_px, sheet.height_px());
    draw(painter, experiment, sheet, axes);
    return painter.take();
}

std::string experiment_svg(const Experiment& experiment, ui::AxisKind axes) {
    const Sheet sheet = sheet_of(experiment);
    SvgPainter painter(FilePainter::kSheet_px, sheet.height_px());
    draw(painter, experiment, sheet, axes);
    return painter.take();
}

}  // namespace tonescope
