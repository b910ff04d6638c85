// Marks in an image: the areas of an explanation, and a pixel.
#pragma once

#include <array>

#include "gpu/core/explanation.h"
#include "ui/widgets/picture_drawing.h"

namespace tonescope::ui {

/// "How it works" is on, and the operator has something to explain.
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
