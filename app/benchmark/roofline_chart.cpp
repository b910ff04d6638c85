// Rooflines as a sheet in a file, with what limits each variant in words.
#include <algorithm>
#include <filesystem>

#include "app/benchmark/file_painter.h"
#include "app/benchmark/variant_benchmark.h"
#include "app/image_io/image_io.h"
#include "app/system/text_file.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"
#include "ui/benchmark/roofline.h"

namespace tonescope {
namespace {

constexpr double kRooflineHeading_px = 44, kChart_px = 700, kPanelHeight_px = kRooflineHeading_px + kChart_px + 40;

struct RooflineSheet {
    std::vector<ui::Roofline> charts;
    std::vector<std::string> sentences;
    double charts_height_px() const { return double((charts.size() + 1) / 2) * kPanelHeight_px; }
    double height_px() const {
        size_t lines = 2;
        for (const std::string& text : sentences) lines += FilePainter::count_lines(FilePainter::kText_px, text);
        return FilePainter::kHeader_px + charts_height_px() + FilePainter::kLine_px * double(lines);
    }
};

/// Throws UserError where nothing was measured.
RooflineSheet sheet_of(const VariantBenchmark& benchmark) {
    RooflineSheet sheet{ui::rooflines_of(benchmark.rows, benchmark.cpu_roofs, benchmark.cuda_roofs), {}};
    if (sheet.charts.empty()) throw UserError("there is no roofline: nothing was measured");
    sheet.sentences.push_back(roofs_text(benchmark) + ".");
    for (const BenchmarkRow& row : benchmark.rows)
        if (row.ran() && row.limit.is_known())
            sheet.sentences.push_back(row.name() + ". " + row.limit.text(number_text) + ".");
    return sheet;
}

void draw(FilePainter& painter, const VariantBenchmark& benchmark, const RooflineSheet& sheet) {
    constexpr double kLeft_px = FilePainter::kMargin_px, kText_px = FilePainter::kText_px;
    painter.title(kLeft_px, 66, std::string(benchmark.op->name) + ": what limits each variant");
    painter.paragraph(kLeft_px, 108, kText_px,
                      std::filesystem::path(benchmark.input).filename().string() + ", " +
                          size_text(benchmark.size.width, benchmark.size.height) + " pixels");
    for (size_t i = 0; i < sheet.charts.size(); ++i) {
        const double x = kLeft_px + double(i % 2) * (FilePainter::kPanel_px + FilePainter::kGutter_px);
        const double y = FilePainter::kHeader_px + double(i / 2) * kPanelHeight_px;
        painter.heading(x, y + 26, sheet.charts[i].title);
        const ui::RooflinePlot plot = ui::plot_of(
            painter, sheet.charts[i], {x, y + kRooflineHeading_px, FilePainter::kPanel_px, kChart_px}, number_text);
        ui::draw_roofline(painter, sheet.charts[i], plot, {});
    }
    double y = FilePainter::kHeader_px + sheet.charts_height_px() + FilePainter::kLine_px;
    for (const std::string& text : sheet.sentences) y = painter.paragraph(kLeft_px, y, kText_px, text);
}

}  // namespace

void write_roofline(const std::string& path, const VariantBenchmark& benchmark, std::stop_token stop) {
    const std::string extension = extension_of(path);
    if (extension != "png" && extension != "svg") return write_benchmark(path, benchmark, std::move(stop));
    const RooflineSheet sheet = sheet_of(benchmark);
    if (extension == "svg") {
        SvgPainter painter(FilePainter::kSheet_px, sheet.height_px());
        draw(painter, benchmark, sheet);
        return write_text_file(path, painter.take(), std::move(stop));
    }
    ImagePainter painter(FilePainter::kSheet_px, sheet.height_px());
    draw(painter, benchmark, sheet);
    save_image(path, painter.take().view(), std::move(stop));
}

}  // namespace tonescope
