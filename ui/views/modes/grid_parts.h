// What the grid is drawn of.
#pragma once

#include <optional>
#include <span>
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
/// How many panes have room in as many columns and rows as needed; kFewPanes always do.
int panes_with_room(const Frame& ui, const Area& area, float head, float gap);
/// Of a table, with a value beside each.
int rows_with_room(const Area& area, float value, float gap);
inline constexpr int kFewPanes = 4;
/// The time of the run, or what stands in its way, at the right end of its place.
void draw_time(Frame& ui, const WorkModel& work, const GridCell& cell, const Area& place);
/// A list of the parameters that can be varied. Returns the one that was chosen. `none`: a first entry without a
/// parameter; null: there is none.
std::optional<ParamPlace> choose_param(Frame& ui, const char* label, const RunModel& run, const ParamPlace& current,
                                       const char* none, ImVec2 at, float width, const char* help);
/// Lists of how many values there are, 2 to kMaxPanes, and of the figures, null for none. Return what was chosen.
std::optional<int> choose_count(Frame& ui, const char* label, int current, ImVec2 at, float width, const char* help);
std::optional<const FigureInfo*> choose_figure(Frame& ui, std::span<const FigureInfo> table, const FigureInfo* current,
                                               ImVec2 at, float width);

/// The figures that are known, from the least to the greatest.
struct FigureRange {
    double least = 0, greatest = 0;
    size_t known = 0;
    /// 0 to 1.
    double place_of(double value) const { return greatest > least ? (value - least) / (greatest - least) : 0.5; }
};
FigureRange figure_range(std::span<const GridCell> cells);
/// A cell's figure at the lower left of its pane; `map`: over a ground whose color tells its place in the range, over
/// the whole pane.
void draw_cell_figure(Frame& ui, const FigureInfo& figure, const GridCell& cell, const FigureRange& range, bool map,
                      const Area& area);
/// A figure over the values of one parameter; `in_use`: the value that is set, or -1.
void draw_figure_curve(Frame& ui, const FigureInfo& figure, const GridAxes& axes, std::span<const GridCell> cells,
                       int in_use, const Area& area);

/// What a cell shows, with as much as fits: labels and values, or the values alone.
void draw_values(Frame& ui, const Area& area, ImU32 color, const GridAxes& axes, size_t cell);

}  // namespace tonescope::ui
