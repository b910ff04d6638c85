// Draws rectangles, lines and text with smooth edges into an image: charts and plots in files are made with it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "gpu/core/image.h"

namespace tonescope {

struct Color {
    uint8_t r = 0, g = 0, b = 0;
};

struct CanvasPoint {
    double x = 0, y = 0;  // pixels
};

enum class Align : uint8_t { left, center, right };

/// The bytes of the TrueType files that gpu/CMakeLists.txt embeds, the typeface of the interface and of charts in
/// files; empty where the build machine has none, in which case the window uses Dear ImGui's own font.
std::span<const unsigned char> regular_font_data();
std::span<const unsigned char> medium_font_data();
/// All characters are of one width.
std::span<const unsigned char> fixed_font_data();

class Canvas {
  public:
    Canvas(int width_px, int height_px, Color background);

    /// False where this build has no font: text() then draws nothing, and every text is 0 pixels wide.
    static bool has_font();
    /// Edges may lie between pixels; parts outside the image are left out.
    void fill(double x, double y, double width, double height, Color color);
    /// The inside of a closed outline without holes, with edges anywhere.
    void polygon(std::span<const CanvasPoint> outline, Color color);
    /// `width` pixels thick, with round joints and ends.
    void line(std::span<const CanvasPoint> points, double width, Color color);
    /// `y` is the baseline. `x` is the left end, middle or right end of the text, which is UTF-8.
    void text(double x, double y, double size_px, const std::string& text, Color color, Align align = Align::left,
              bool bold = false);
    static double text_width(double size_px, const std::string& text, bool bold = false);
    HostImage take() { return std::move(image_); }

  private:
    void blend(int x, int y, double coverage, Color color);

    HostImage image_;
};

}  // namespace tonescope
