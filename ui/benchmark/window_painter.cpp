#include "ui/benchmark/window_painter.h"

namespace tonescope::ui {
namespace {

ImVec2 on_screen(double x, double y) {
    return {static_cast<float>(x), static_cast<float>(y)};
}

std::vector<ImVec2> on_screen(std::span<const ChartPoint> points) {
    std::vector<ImVec2> places;
    for (const ChartPoint& p : points) places.push_back(on_screen(p.x, p.y));
    return places;
}

}  // namespace

void WindowPainter::fill(double x, double y, double width, double height, ChartInk ink, double rounding) {
    tonescope::ui::fill(between(on_screen(x, y), on_screen(x + width, y + height)), color(ink),
                        static_cast<float>(rounding));
}

void WindowPainter::line(std::span<const ChartPoint> points, double width, ChartInk ink) {
    const std::vector<ImVec2> places = on_screen(points);
    ImGui::GetWindowDrawList()->AddPolyline(places.data(), static_cast<int>(places.size()), color(ink), 0,
                                            static_cast<float>(width));
}

void WindowPainter::polygon(std::span<const ChartPoint> outline, ChartInk ink) {
    const std::vector<ImVec2> places = on_screen(outline);
    ImGui::GetWindowDrawList()->AddConvexPolyFilled(places.data(), static_cast<int>(places.size()), color(ink));
}

void WindowPainter::draw_cut(double x, double y, const std::string& text, ChartInk ink, double room, Align align) {
    const float height = font_.size_px;
    draw_line_cut(ui_, {static_cast<float>(x), static_cast<float>(y) - height / 2, static_cast<float>(room), height},
                  font_, color(ink), text, false, align);
}

ImU32 WindowPainter::color(ChartInk ink) const {
    const Palette& c = ui_.colors;
    const ImU32 inks[] = {c.text,    c.text_quiet,   c.text_faint, c.line_soft, c.text_faint, c.bar_cpu,
                          c.bar_gpu, c.bar_interval, c.warning,    c.bar_host,  c.bar_copies};
    return ink < ChartInk::line ? inks[static_cast<size_t>(ink)]
                                : c.lines[static_cast<size_t>(ink) - static_cast<size_t>(ChartInk::line)];
}

}  // namespace tonescope::ui
