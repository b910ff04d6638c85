// What is drawn where clipped pixels are marked. Free of OpenGL, so that the panels can fill it in.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/core/histogram.h"
#include "gpu/present/presenter.h"
#include "gpu/present/view_placement.h"

namespace tonescope {

/// Blue and orange are told apart by people who see colours differently, and lean to different sides.
inline constexpr std::array<uint8_t, 3> kShadowsColor = {38, 130, 235}, kHighlightsColor = {232, 84, 0};

struct ClippingView {
    Picture picture;
    /// Where it starts in the image and how many image pixels one of its pixels stands for.
    double picture_left = 0, picture_top = 0, picture_step = 1;
    ViewPlacement place;
    Curve curve = Curve::luma;  // what is clipped where it is 0 or 255
    double stripe = 8;          // of a stripe and its gap together, across, window coordinates
    /// Only where x * cut_x + y * cut_y <= cut, window coordinates.
    double cut_x = 0, cut_y = 0, cut = 0;
};

}  // namespace tonescope
