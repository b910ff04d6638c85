// Draws charts into files: as pixels or as SVG.
#pragma once

#include <string>

#include "gpu/core/canvas/canvas.h"
#include "ui/benchmark/bar_chart.h"

namespace tonescope {

/// What charts in files have beyond those in the window: headings. Positions are in pixels of the image.
class FilePainter : public ui::ChartPainter {
  public:
    // A sheet has two columns of panels below its header.
    static constexpr double kMargin_px = 48, kPanel_px = 1160, kGutter_px = 56, kHeader_px = 150;
    static constexpr double kText_px = 2 * kPanel_px + kGutter_px, kSheet_px = kText_px + 2 * kMargin_px;
    static constexpr double kLine_px = 30;  // of text

    double px(double length) const override { return 1.5 * length; }
    double name_width(const std::string& text) const override;
    double text_width(const std::string& text) const override;
    void name(double right, double y, const std::string& text, ui::ChartInk ink, double room) override;
    void text(double x, double y, const std::string& text, ui::ChartInk ink, double room) override;
    /// Of the file, and of a chart in it; `y` is the baseline.
    void title(double x, double y, const std::string& text);
    void heading(double x, double y, const std::string& text);
    /// A text in lines of at most `width`, the first one at `y`, in quiet ink; returns where the next one goes.
    double paragraph(double x, double y, double width, const std::string& text);
    /// How many lines paragraph() takes.
    static size_t count_lines(double width, const std::string& text);

  protected:
    static Color color(ui::ChartInk ink);
    static Color paper();

  private:
    virtual void put(double x, double baseline, double size_px, const std::string& text, Color color, Align align,
                     bool bold) = 0;
};

class ImagePainter final : public FilePainter {
  public:
    /// Throws UserError where this build has no font.
    ImagePainter(double width, double height);
    void fill(double x, double y, double width, double height, ui::ChartInk ink, double rounding) override;
    void line(std::span<const ui::ChartPoint> points, double width, ui::ChartInk ink) override;
    void polygon(std::span<const ui::ChartPoint> outline, ui::ChartInk ink) override;
    HostImage take() { return canvas_.take(); }

  private:
    void put(double x, double baseline, double size_px, const std::string& text, Color color, Align align,
             bool bold) override;

    Canvas canvas_;
};

class SvgPainter final : public FilePainter {
  public:
    SvgPainter(double width, double height);
    void fill(double x, double y, double width, double height, ui::ChartInk ink, double rounding) override;
    void line(std::span<const ui::ChartPoint> points, double width, ui::ChartInk ink) override;
    void polygon(std::span<const ui::ChartPoint> outline, ui::ChartInk ink) override;
    void hint(double x, double y, double width, double height, const std::string& text) override;
    /// The whole file.
    std::string take() { return text_ + "</svg>\n"; }

  private:
    void put(double x, double baseline, double size_px, const std::string& text, Color color, Align align,
             bool bold) override;

    std::string text_;
};

}  // namespace tonescope
