// Pictures on screen.
#pragma once

#include "ui/state.h"

namespace tonescope::ui {

/// Where image coordinates lie on screen: screen = origin + image * zoom. Doubles, since a large image at high zoom
/// passes what floats resolve.
struct ImageToScreen {
    double origin_x = 0, origin_y = 0, zoom = 1;
    ImVec2 at(double x, double y) const;
};

/// The mapping of a view onto an area, aligned to whole pixels above 1:1.
ImageToScreen map_view(const View& view, const Area& area);
/// Draws what the area shows of a picture, on a checkerboard where it is transparent. `step`: image pixels that one of
/// the picture's pixels stands for; (left, top): where it starts in the image.
void draw_picture(const Ui& ui, const Picture& picture, const ImageToScreen& map, const Area& area, double left = 0,
                  double top = 0, double step = 1);
/// Lines between pixels, where they are large.
void draw_pixel_grid(const ImageToScreen& map, const Area& area, const Rect& visible);

}  // namespace tonescope::ui
