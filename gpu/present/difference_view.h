// What is drawn where the difference of two pictures is shown. Free of OpenGL, so that the panels can fill it in.
#pragma once

#include "gpu/core/difference_appearance.h"
#include "gpu/present/presenter.h"
#include "gpu/present/view_placement.h"

namespace tonescope {

struct DifferenceView {
    Picture before, after;
    /// Where `after` starts in the image and how many image pixels one of its pixels stands for: a preview is smaller
    /// than the image and covers part of it.
    double after_left = 0, after_top = 0, after_step = 1;
    ViewPlacement place;
    DifferenceAppearance look;
};

}  // namespace tonescope
