// Marks in an image: the areas of an explanation, and a pixel.
#pragma once

#include "gpu/core/explanation.h"
#include "ui/widgets/picture_drawing.h"

namespace tonescope::ui {

/// "How it works" is on, and the operator has something to explain.
bool explains(const Frame& ui, const RunModel& run);
/// What contributes to the explained pixel, with labels where there is room.
void draw_explained_areas(Frame& ui, const Explanation& explanation, const ImageToScreen& map, const Area& area);
/// Four lines around a point, from `inner` to `outer` pixels away.
void draw_cross(const Frame& ui, ImVec2 center, float inner, float outer);
/// A cross around a pixel, which stays free.
void draw_marker(const Frame& ui, const ImageToScreen& map, int x, int y);

}  // namespace tonescope::ui
