// Text drawn with strokes of a broad pen: no font of the system is involved, so that it looks the same everywhere.
#pragma once

#include <string_view>
#include <vector>

namespace tonescope::assets {

struct Pen {
    double size_px = 20;     // height of a capital
    double weight = 1;       // 1: book, 1.6: bold
    double contrast = 0.42;  // thickness of thin strokes over that of thick ones
    double word_space = 1;   // factor on the space between words
};

/// Ink on a sheet, 0 to 1 a pixel.
class TextMask {
  public:
    TextMask(int width, int height) : width_(width), height_(height), ink_(size_t(width) * size_t(height)) {}
    /// 0 outside the sheet.
    double at(int x, int y) const;
    /// Writes from x on the baseline y (pixels), and returns where the next character would stand. Throws where there
    /// are no strokes for a character: the table has those that the scenes write.
    double write(std::string_view text, double x, double y, const Pen& pen);
    /// A straight stroke; `contrast`: see Pen.
    void line(double ax, double ay, double bx, double by, double thick_px, double contrast = 1);

    static double text_width(std::string_view text, const Pen& pen);

  private:
    int width_, height_;
    std::vector<float> ink_;
};

}  // namespace tonescope::assets
