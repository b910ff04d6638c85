// How a difference of two images is coloured: shared by the shader that draws it and the legend that explains it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tonescope {

struct DifferenceAppearance {
    bool is_signed = true;     // after - before around gray; else its absolute value over black
    bool false_color = false;  // one colour for the channel that differs most; else each channel in its own
    float gain = 1;            // differences are multiplied by it before they are shown
};

/// Colour for a difference, position 0 to 1 over the shown range. Signed: 0 the most negative, 0.5 none, 1 the most
/// positive, blue to orange, which people who tell red and green apart badly can tell apart; lightness rises with the
/// amount. Unsigned: from black through violet and orange to a light yellow, lightness rises throughout.
inline std::array<uint8_t, 3> difference_color(bool is_signed, double position) {
    using Stops = std::array<std::array<double, 3>, 5>;
    constexpr Stops diverging = {{{150, 214, 255}, {28, 104, 190}, {26, 26, 28}, {190, 88, 22}, {255, 220, 150}}};
    constexpr Stops rising = {{{0, 0, 0}, {62, 24, 122}, {168, 48, 112}, {240, 122, 48}, {255, 246, 190}}};
    const Stops& stops = is_signed ? diverging : rising;
    const double at = std::clamp(position, 0.0, 1.0) * double(stops.size() - 1);
    const size_t k = std::min(size_t(at), stops.size() - 2);
    std::array<uint8_t, 3> color{};
    for (size_t c = 0; c < 3; ++c)
        color[c] = uint8_t(stops[k][c] + (stops[k + 1][c] - stops[k][c]) * (at - double(k)) + 0.5);
    return color;
}

}  // namespace tonescope
