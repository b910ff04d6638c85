// What shaders draw over the views: the difference of two pictures, and stripes over clipped pixels. Free of OpenGL, so
// that the panels can fill it in.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "gpu/core/statistics.h"
#include "gpu/core/window/sample_window.h"
#include "gpu/present/presenter.h"

namespace tonescope {

/// Where in the window a picture lies.
struct ViewPlacement {
    /// Window coordinates of an image point are origin + point * zoom.
    double origin_x = 0, origin_y = 0, zoom = 1;
    /// The part of the window that is drawn, and the window's size, both in window coordinates from the top left.
    double left = 0, top = 0, right = 0, bottom = 0;
    double window_width = 1, window_height = 1;
};

/// A picture, where it starts in the image, and how many image pixels one of its pixels stands for: a preview is
/// smaller than the image and covers part of it.
struct PlacedPicture {
    Picture picture;
    double left = 0, top = 0, step = 1;
};

/// The sample that a picture's textures hold as 1.
inline int texture_white(const Picture& picture) {
    return is_deep(picture.spec.format) ? 65535 : 255;
}

struct DifferenceAppearance {
    bool is_signed = true;     // after - before around gray; else its absolute value over black
    bool false_color = false;  // one color for the channel that differs most; else each channel in its own
    float gain = 1;            // differences are multiplied by it before they are shown; 1: all that can be
};

struct DifferenceView {
    Picture before;
    PlacedPicture after;
    ViewPlacement place;
    DifferenceAppearance look;
};

/// Color for a difference, position 0 to 1 over the shown range. Signed: 0 the most negative, 0.5 none, 1 the most
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

/// Color of the stripes over pixels whose channels with these bits (1 red, 2 green, 4 blue) are clipped: the light that
/// these channels make together, dark at the low end of the range and bright at the high end. All three are gray at
/// the low end, white at the high end.
inline constexpr std::array<uint8_t, 3> clipping_color(int channels, bool is_high) {
    constexpr std::array<uint8_t, 3> low[] = {{0, 0, 0},     {168, 36, 28},  {24, 132, 52},  {146, 122, 16},
                                              {52, 74, 190}, {146, 48, 150}, {16, 126, 136}, {124, 124, 126}};
    constexpr std::array<uint8_t, 3> high[] = {{0, 0, 0},      {255, 78, 60},   {60, 220, 90},  {250, 218, 50},
                                               {84, 140, 255}, {250, 110, 250}, {50, 220, 230}, {255, 255, 255}};
    return is_high ? high[channels] : low[channels];
}
/// Along both sides of a stripe, so that it stands out from a ground of its own color.
inline constexpr std::array<uint8_t, 3> kStripeEdge = {24, 24, 26};

struct ClippingView {
    PlacedPicture picture;
    Picture before;  // where there is one, only pixels that it does not clip at the same end are marked
    ViewPlacement place;
    ClipThresholds thresholds, before_thresholds;
    int channels = 7;   // that are looked at, bits as in clipping_color()
    double stripe = 8;  // of a stripe and its gap together, across, window coordinates
    /// Only where x * cut_x + y * cut_y <= cut, window coordinates.
    double cut_x = 0, cut_y = 0, cut = 0;
};

/// How samples of a picture become what is drawn.
struct WindowView {
    SampleRange range;
    bool inverse = false;
    int white = 255;       // the sample that the textures of the picture hold as 1
    int max_sample = 255;  // alpha that hides what lies below
};

}  // namespace tonescope
