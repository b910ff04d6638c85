// Filled curves, and small tables of figures.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {

/// The strip between a curve, its points from left to right, and a level line; drawn into the current window. The
/// curve itself is not drawn.
void fill_to_level(std::span<const ImVec2> curve, float level_y, ImU32 color);

/// The columns that bins from `begin` to before `end` are drawn in: one each, or, where they are narrower than a pixel,
/// several in one, which shows the highest of them.
struct BinColumns {
    size_t begin, end, count;

    /// Bins on a width of so many pixels.
    BinColumns(size_t first, size_t last, float width)
        : begin(first), end(last), count(std::min(last - first, static_cast<size_t>(std::max(width, 16.0F)))) {}
    size_t first(size_t column) const { return begin + column * (end - begin) / count; }
    /// How many bins a column shows: neighbors may share one.
    size_t together() const { return (end - begin + count - 1) / count; }
    /// Where it stands on the axis of bins.
    double middle(size_t column) const {
        return static_cast<double>(begin) +
               (static_cast<double>(column) + 0.5) * static_cast<double>(end - begin) / static_cast<double>(count);
    }
    /// The highest of a column's bins.
    template <class Value>
    Value highest(std::span<const Value> bins, size_t column) const {
        const size_t from = first(column);
        return std::ranges::max(bins.subspan(from, std::min(together(), end - from)));
    }
};

struct TableRow {
    std::string name;
    std::vector<std::string> cells;  // one a column
    bool is_old = false;             // of an earlier result
};

/// Names at the left, columns of numbers right-aligned under their titles.
struct Table {
    std::string heading;               // of the names
    std::vector<std::string> columns;  // titles; the first columns that fit are drawn
    std::vector<TableRow> rows = {};
    bool last_is_total = false;             // stands a little apart
    float least_names = 66, gap = 10;       // room that the names keep, and between columns, at 96 dpi
    std::optional<size_t> old_column = {};  // of an earlier result
    float indent = 0;                       // of the names, for marks before them; pixels
};

/// At the cursor, over `width` pixels or (0) what is left; the cursor goes below.
void draw_table(Frame& ui, const Table& table, float width = 0);
/// Where the last table drawn at `start` had this row.
Area table_row(const Frame& ui, const Table& table, ImVec2 start, float width, size_t row);

}  // namespace tonescope::ui
