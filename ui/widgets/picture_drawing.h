// Pictures on screen.
#pragma once

#include <array>

#include "ui/model/views.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

/// Dear ImGui's name of an OpenGL texture: a pointer in old releases, an integer in new ones.
inline ImTextureID texture_id(unsigned texture) {
    return (ImTextureID)(intptr_t)texture;
}

/// Where image coordinates lie on screen: screen = origin + image * zoom. Doubles, since a large image at high zoom
/// passes what floats resolve.
struct ImageToScreen {
    double origin_x = 0, origin_y = 0, zoom = 1;
    ImVec2 at(double x, double y) const;
    ImagePoint image_at(ImVec2 screen) const { return {(screen.x - origin_x) / zoom, (screen.y - origin_y) / zoom}; }
    Area rect(const Rect& pixels) const;  // with its edges on whole pixels of the screen
};

/// The mapping of a view onto an area, aligned to whole pixels above 1:1.
ImageToScreen map_view(const View& view, const Area& area);
/// The same for what is drawn by OpenGL directly, cut to a part of the window.
ViewPlacement placement(const ImageToScreen& map, const Area& clip);
/// A convex part of the window, its corners in order.
using Shape = std::vector<ImVec2>;
Shape shape_of(const Area& area);
Shape circle_shape(ImVec2 center, float radius);
/// The part of a convex shape in which x * normal_x + y * normal_y <= limit.
Shape cut_shape(const Shape& shape, double normal_x, double normal_y, double limit);
/// Draws what a shape shows of a picture, without a checkerboard. `step`: image pixels that one of the picture's pixels
/// stands for; (left, top): where it starts in the image.
void draw_picture_in(const Picture& picture, const ImageToScreen& map, const Shape& shape, double left = 0,
                     double top = 0, double step = 1);
/// The checkerboard under a transparent picture; nothing under others.
void draw_checkerboard_under(const Frame& ui, const Picture& picture, const ImageToScreen& map, const Area& area);
/// Draws what the area shows of a picture, on a checkerboard where it is transparent.
void draw_picture(const Frame& ui, const Picture& picture, const ImageToScreen& map, const Area& area);
/// Lines between pixels, where they are large.
void draw_pixel_grid(const ImageToScreen& map, const Area& area, const Rect& visible);

// Marks --------------------------------------------------------------------------------------------------------------

/// "Explain" is on, and the operator has something to explain.
bool explains(const Frame& ui, const RunModel& run);
/// What contributes to the explained pixel, with labels where there is room.
void draw_explained_areas(Frame& ui, const Explanation& explanation, const ImageToScreen& map, const Area& area);
struct MarkStroke {
    float width;
    ImU32 ink;
};
/// Dark under light, so that marks show on every picture.
std::array<MarkStroke, 2> mark_strokes(const Frame& ui);
/// Four lines around a point, from `inner` to `outer` pixels away.
void draw_cross(ImVec2 center, float inner, float outer, const MarkStroke& stroke);
/// A cross around a pixel, which stays free.
void draw_marker(const Frame& ui, const ImageToScreen& map, int x, int y);

}  // namespace tonescope::ui
