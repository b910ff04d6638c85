// What is drawn where the difference of two pictures is shown. Free of OpenGL, so that the panels can fill it in.
#pragma once

#include "gpu/core/difference_look.h"
#include "gpu/present/presenter.h"

namespace tonescope {

struct DifferenceView {
    Picture before, after;
    /// Where `after` starts in the image and how many image pixels one of its pixels stands for: a preview is smaller
    /// than the image and covers part of it.
    double after_left = 0, after_top = 0, after_step = 1;
    /// Window coordinates of an image point are origin + point * zoom.
    double origin_x = 0, origin_y = 0, zoom = 1;
    /// The part of the window that is drawn, and the window's size, both in window coordinates from the top left.
    double left = 0, top = 0, right = 0, bottom = 0;
    double window_width = 1, window_height = 1;
    DifferenceLook look;
};

}  // namespace tonescope
