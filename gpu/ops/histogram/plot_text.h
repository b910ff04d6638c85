// Drawing for the bins plot: rectangles and anti-aliased text in strokes of our own on an RGBA image.
#pragma once

#include <cstdint>
#include <string_view>

#include "gpu/core/image.h"

namespace tonescope {

struct PlotColor {
    uint8_t red = 0, green = 0, blue = 0;
};

/// Lays `color` over a pixel with `coverage` 0 to 1. Outside the image nothing happens.
void blend_pixel(const MutableImageView& rgba, int x, int y, PlotColor color, float coverage);

/// Fills the part of the rectangle that lies inside the image.
void fill_rect(const MutableImageView& rgba, const Rect& rect, PlotColor color);

inline constexpr int kTextHeight_px = 14;  // of capitals and digits

/// Width of the text when drawn, pixels. Throws std::out_of_range for a character that has no glyph: there are digits,
/// the small letters, k and M as thousand and million, hyphen and space.
int text_width_px(std::string_view text);

/// Draws text with the left edge at x and the foot of the letters at `baseline`, pixels.
void draw_text(const MutableImageView& rgba, int x, int baseline, std::string_view text, PlotColor color);

}  // namespace tonescope
