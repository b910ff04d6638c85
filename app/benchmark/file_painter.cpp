#include "app/benchmark/file_painter.h"

#include <cmath>

#include "app/options/report.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

constexpr double kTitleSize_px = 40, kHeadingSize_px = 26, kNameSize_px = 22, kTextSize_px = 19;
constexpr Color kPaper{252, 252, 250}, kInk{32, 36, 42}, kQuiet{110, 118, 128}, kGrid{226, 229, 232}, kCpu{230, 159, 0},
    kGpu{58, 130, 196}, kWrong{190, 58, 48}, kHost{150, 160, 172}, kCopies{204, 210, 217};
constexpr Color kColors[] = {kInk,           kQuiet,       kQuiet,       kGrid,        kQuiet,       kCpu,
                             kGpu,           kInk,         kWrong,       kHost,        kCopies,      {196, 128, 0},
                             {40, 146, 206}, {0, 128, 92}, {70, 72, 78}, {0, 78, 160}, {198, 70, 0}, {176, 84, 138}};
static_assert(std::size(kColors) == ui::kChartInks);

std::vector<std::string> lines_of(double width, const std::string& text) {
    return wrap(text, [&](const std::string& line) { return Canvas::text_width(kTextSize_px, line) <= width; });
}

std::vector<CanvasPoint> canvas_points(std::span<const ui::ChartPoint> points) {
    std::vector<CanvasPoint> made;
    for (const ui::ChartPoint& p : points) made.push_back({p.x, p.y});
    return made;
}

/// With two decimals at most.
std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.2f", value);
    std::string shown = text;
    while (shown.ends_with('0')) shown.pop_back();
    if (shown.ends_with('.')) shown.pop_back();
    return shown == "-0" ? "0" : shown;
}

std::string hex(Color color) {
    char text[8];
    std::snprintf(text, sizeof(text), "#%02x%02x%02x", color.r, color.g, color.b);
    return text;
}

std::string attribute(const char* name, double value) {
    return std::string(" ") + name + "=\"" + number(value) + "\"";
}

std::string points_attribute(std::span<const ui::ChartPoint> points) {
    std::string text = " points=\"";
    for (const ui::ChartPoint& p : points) text += (text.ends_with('"') ? "" : " ") + number(p.x) + "," + number(p.y);
    return text + "\"";
}

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : printable(text))
        safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return safe;
}

}  // namespace

Color FilePainter::color(ui::ChartInk ink) {
    return kColors[size_t(ink)];
}

Color FilePainter::paper() {
    return kPaper;
}

double FilePainter::name_width(const std::string& text) const {
    return Canvas::text_width(kNameSize_px, text);
}

double FilePainter::text_width(const std::string& text) const {
    return Canvas::text_width(kTextSize_px, text);
}

void FilePainter::name(double right, double y, const std::string& text, ui::ChartInk ink, double) {
    put(right, y + kNameSize_px * 0.3, kNameSize_px, text, color(ink), Align::right, false);
}

void FilePainter::text(double x, double y, const std::string& text, ui::ChartInk ink, double) {
    put(x, y + kNameSize_px * 0.3, kTextSize_px, text, color(ink), Align::left, false);
}

void FilePainter::title(double x, double y, const std::string& text) {
    put(x, y, kTitleSize_px, text, kInk, Align::left, true);
}

void FilePainter::heading(double x, double y, const std::string& text) {
    put(x, y, kHeadingSize_px, text, kInk, Align::left, true);
}

double FilePainter::paragraph(double x, double y, double width, const std::string& text) {
    for (const std::string& line : lines_of(width, text)) {
        put(x, y, kTextSize_px, line, kQuiet, Align::left, false);
        y += kLine_px;
    }
    return y;
}

size_t FilePainter::count_lines(double width, const std::string& text) {
    return lines_of(width, text).size();
}

ImagePainter::ImagePainter(double width, double height)
    : canvas_(int(std::ceil(width)), int(std::ceil(height)), paper()) {
    if (!Canvas::has_font())
        throw UserError(
            "this build has no font for charts (it was made without fonts-roboto); write .csv, .json, .md or .svg");
}

void ImagePainter::fill(double x, double y, double width, double height, ui::ChartInk ink, double) {
    canvas_.fill(x, y, width, height, color(ink));
}

void ImagePainter::line(std::span<const ui::ChartPoint> points, double width, ui::ChartInk ink) {
    canvas_.line(canvas_points(points), width, color(ink));
}

void ImagePainter::polygon(std::span<const ui::ChartPoint> outline, ui::ChartInk ink) {
    canvas_.polygon(canvas_points(outline), color(ink));
}

void ImagePainter::put(double x, double baseline, double size_px, const std::string& text, Color color, Align align,
                       bool bold) {
    canvas_.text(x, baseline, size_px, text, color, align, bold);
}

SvgPainter::SvgPainter(double width, double height) {
    const std::string sides = attribute("width", std::ceil(width)) + attribute("height", std::ceil(height));
    text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + sides + " viewBox=\"0 0 " + number(std::ceil(width)) + " " +
            number(std::ceil(height)) +
            "\" font-family=\"Roboto, Helvetica, Arial, sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"" +
            hex(paper()) + "\"/>\n";
}

void SvgPainter::fill(double x, double y, double width, double height, ui::ChartInk ink, double rounding) {
    text_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", std::max(width, 0.0)) +
             attribute("height", std::max(height, 0.0)) + (rounding > 0 ? attribute("rx", rounding) : "") + " fill=\"" +
             hex(color(ink)) + "\"/>\n";
}

void SvgPainter::line(std::span<const ui::ChartPoint> points, double width, ui::ChartInk ink) {
    text_ += "<polyline" + points_attribute(points) + " fill=\"none\" stroke=\"" + hex(color(ink)) + "\"" +
             attribute("stroke-width", width) + " stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n";
}

void SvgPainter::polygon(std::span<const ui::ChartPoint> outline, ui::ChartInk ink) {
    text_ += "<polygon" + points_attribute(outline) + " fill=\"" + hex(color(ink)) + "\"/>\n";
}

void SvgPainter::hint(double x, double y, double width, double height, const std::string& text) {
    std::string lines;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        lines += (lines.empty() ? "" : "\n") + escaped(text.substr(at, end - at));
        at = end + 1;
    }
    text_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) + attribute("height", height) +
             " fill=\"none\" pointer-events=\"all\"><title>" + lines + "</title></rect>\n";
}

void SvgPainter::put(double x, double baseline, double size_px, const std::string& text, Color color, Align align,
                     bool bold) {
    const char* const anchor = align == Align::left    ? ""
                               : align == Align::right ? " text-anchor=\"end\""
                                                       : " text-anchor=\"middle\"";
    // What is lettered in another typeface takes the same width. stb_truetype counts the height of a line, SVG the em.
    constexpr double kEm = 0.853;
    const double width = Canvas::text_width(size_px, text, bold);
    text_ += "<text" + attribute("x", x) + attribute("y", baseline) + attribute("font-size", size_px * kEm) + anchor +
             (width > 0 ? attribute("textLength", width) + " lengthAdjust=\"spacingAndGlyphs\"" : "") +
             (bold ? " font-weight=\"500\"" : "") + " fill=\"" + hex(color) + "\">" + escaped(text) + "</text>\n";
}

}  // namespace tonescope
