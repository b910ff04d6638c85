// What the grid is drawn of.
#pragma once

#include <optional>
#include <string>

#include "ui/views/modes/grid_axes.h"
#include "ui/views/view_parts.h"

namespace tonescope::ui {

struct GridLayout {
    int columns = 1;
    float width = 1, height = 1;  // of a pane with its head
};

/// One of `parts` that lie side by side.
float share_of(float length, float gap, int parts);
/// As the image shows largest.
GridLayout arrange_grid(const Frame& ui, const ImageSpec& spec, const Area& area, int panes, float head, float gap);
/// The time of the run, or what stands in its way, at the right end of its place.
void draw_time(Frame& ui, const WorkModel& work, const GridCell& cell, const Area& place);
/// A list of the parameters that can be varied. Returns the one that was chosen. `none`: a first entry without a
/// parameter; null: there is none.
std::optional<ParamPlace> choose_param(Frame& ui, const char* label, const RunModel& run, const ParamPlace& current,
                                       const char* none, ImVec2 at, float width, const char* help);
/// What a cell shows, with as much as fits: labels and values, or the values alone, cut where
/// they have to be; a tooltip has the rest.
std::string fit_values(Frame& ui, const Area& area, const GridAxes& axes, size_t cell);

}  // namespace tonescope::ui
