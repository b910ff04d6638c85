// Where the linked view looks: zoom and centre, free of any drawing.
#pragma once

#include "ui/model/model.h"

namespace tonescope::ui {

inline constexpr double kMinZoom = 1.0 / 64;
inline constexpr double kMaxZoom = 128;

/// Of a pane on screen, pixels.
struct PaneSize {
    double width = 1, height = 1;
};

/// Zoom at which the whole image shows, with a small margin.
double fit_zoom(const ImageSpec& spec, const PaneSize& pane);
/// Brings zoom, centre and visible part in line with the pane: a fitted view stays fitted, others keep the image's
/// middle area in reach (the centre never leaves the image).
void settle(View& view, const ImageSpec& spec, const PaneSize& pane);
/// Zooms by a factor so that the image point under (at_x, at_y), measured from the pane's middle, stays there.
void zoom_at(View& view, double factor, double at_x, double at_y);
/// Moves the image by screen pixels.
void pan(View& view, double dx, double dy);

}  // namespace tonescope::ui
