// Where the parts of the window stand.
#pragma once

#include "ui/commands/commands.h"

namespace tonescope::ui {

/// Where everything goes. Panels give way before the views do.
struct WindowLayout {
    Area left, views, right, status;
    Area middle;  // between the columns: the views with the source
    Area strip;   // of a presentation; empty where not shown
    Area source;  // beside the views or below them; empty where not shown
    bool has_left = false, has_right = false;
    bool source_is_beside = false;
};

WindowLayout arrange(Ui& ui, ImVec2 display);

/// A strip at the inner side of a column that is dragged.
void draw_column_splitter(Ui& ui, bool left, const Area& column);
/// The same between the views and the source.
void draw_source_splitter(Ui& ui, const WindowLayout& l);

}  // namespace tonescope::ui
