// Where in the window a picture lies. Free of OpenGL, so that the panels can fill it in.
#pragma once

namespace tonescope {

struct ViewPlacement {
    /// Window coordinates of an image point are origin + point * zoom.
    double origin_x = 0, origin_y = 0, zoom = 1;
    /// The part of the window that is drawn, and the window's size, both in window coordinates from the top left.
    double left = 0, top = 0, right = 0, bottom = 0;
    double window_width = 1, window_height = 1;
};

}  // namespace tonescope
