// Draws charts into the window.
#pragma once

#include "ui/benchmark/bar_chart.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

class WindowPainter final : public ChartPainter {
  public:
    WindowPainter(Frame& ui, const Font& font) : ui_(ui), font_(font) {}
    double px(double length) const override { return ui_.px(static_cast<float>(length)); }
    void fill(double x, double y, double width, double height, ChartInk ink, double rounding) override;
    void line(std::span<const ChartPoint> points, double width, ChartInk ink) override;
    void polygon(std::span<const ChartPoint> outline, ChartInk ink) override;
    double name_width(const std::string& text) const override { return text_width(text); }
    double text_width(const std::string& text) const override { return tonescope::ui::text_width(font_, text); }
    void name(double right, double y, const std::string& text, ChartInk ink, double room) override {
        draw_cut(right - room, y, text, ink, room, Align::right);
    }
    void text(double x, double y, const std::string& text, ChartInk ink, double room) override {
        draw_cut(x, y, text, ink, room, Align::left);
    }

  private:
    void draw_cut(double x, double y, const std::string& text, ChartInk ink, double room, Align align);
    ImU32 color(ChartInk ink) const;

    Frame& ui_;
    const Font& font_;
};

}  // namespace tonescope::ui
