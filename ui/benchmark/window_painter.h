// Draws charts into the window.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ui/benchmark/bar_chart.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

/// `font`: of all texts.
class WindowPainter : public ChartPainter {
  public:
    WindowPainter(Frame& ui, const Font& font) : ui_(ui), font_(font) {}
    double px(double length) const override { return ui_.px(static_cast<float>(length)); }
    void fill(double x, double y, double width, double height, ChartInk ink, double rounding) override {
        tonescope::ui::fill(between(point(x, y), point(x + width, y + height)), color(ink),
                            static_cast<float>(rounding));
    }
    void line(std::span<const ChartPoint> points, double width, ChartInk ink) override {
        const std::vector<ImVec2> on_screen = on_screen_of(points);
        ImGui::GetWindowDrawList()->AddPolyline(on_screen.data(), static_cast<int>(on_screen.size()), color(ink), 0,
                                                static_cast<float>(width));
    }
    void polygon(std::span<const ChartPoint> outline, ChartInk ink) override {
        const std::vector<ImVec2> on_screen = on_screen_of(outline);
        ImGui::GetWindowDrawList()->AddConvexPolyFilled(on_screen.data(), static_cast<int>(on_screen.size()),
                                                        color(ink));
    }
    double name_width(const std::string& text) const override { return text_width(text); }
    double text_width(const std::string& text) const override { return tonescope::ui::text_width(font_, text); }
    void name(double right, double y, const std::string& text, ChartInk ink, double room) override {
        draw_cut(right - room, y, text, ink, room, Align::right);
    }
    void text(double x, double y, const std::string& text, ChartInk ink, double room) override {
        draw_cut(x, y, text, ink, room, Align::left);
    }

  private:
    static std::vector<ImVec2> on_screen_of(std::span<const ChartPoint> points) {
        std::vector<ImVec2> on_screen;
        for (const ChartPoint& p : points) on_screen.push_back(point(p.x, p.y));
        return on_screen;
    }
    static ImVec2 point(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }
    void draw_cut(double x, double y, const std::string& text, ChartInk ink, double room, Align align) {
        const float height = font_.size_px;
        draw_line_cut(ui_,
                      {static_cast<float>(x), static_cast<float>(y) - height / 2, static_cast<float>(room), height},
                      font_, color(ink), text, false, align);
    }
    ImU32 color(ChartInk ink) const {
        const Palette& c = ui_.colors;
        const ImU32 inks[] = {c.text,    c.text_quiet,   c.text_faint, c.line_soft, c.text_faint, c.bar_cpu,
                              c.bar_gpu, c.bar_interval, c.warning,    c.bar_host,  c.bar_copies};
        return ink < ChartInk::line ? inks[static_cast<size_t>(ink)]
                                    : c.lines[static_cast<size_t>(ink) - static_cast<size_t>(ChartInk::line)];
    }

    Frame& ui_;
    const Font& font_;
};

}  // namespace tonescope::ui
