// Small tables of figures: names at the left, columns of numbers right-aligned under their titles.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {

struct TableColumn {
    const char* title;
    std::vector<std::string> cells;  // one a row
};

struct Table {
    const char* heading;  // of the names
    std::vector<std::string> names;
    std::vector<TableColumn> columns;  // the first ones that fit are drawn
    bool last_is_total = false;        // stands a little apart
    float least_names = 66, gap = 10;  // room that the names keep, and between columns, at 96 dpi
    float indent = 0;                  // of the names, for marks before them; pixels
};

/// At the cursor, over `width` pixels or (0) what is left; the cursor goes below.
void draw_table(Frame& ui, const Table& table, float width = 0);
/// Where the last table drawn at `start` had this row.
Area table_row(const Frame& ui, const Table& table, ImVec2 start, float width, size_t row);

}  // namespace tonescope::ui
