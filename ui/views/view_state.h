// What lasts from frame to frame of the views.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "ui/model/model.h"

namespace tonescope::ui {

/// The line of the wipe: through a point of the view, with a direction.
struct WipeState {
    enum class Drag : uint8_t { none, line, turn };
    double x = 0.5, y = 0.5;  // the point, share of the view
    double angle = 90;        // of the line, degrees from the horizontal, clockwise on screen
    bool swapped = false;     // the result at the left, or at the top
    Drag drag = Drag::none;
};

struct FlickerState {
    bool running = true;
    bool shows_before = false;
    int interval_ms = 500;
    double switched_s = 0;
};

/// The rectangle that the histograms are of.
struct SelectionState {
    Rect rect;           // image pixels; empty: none
    bool armed = false;  // the next drag over a view draws one
    bool dragging = false;
    double from_x = 0, from_y = 0;  // image point where the drag began
};

/// Several values of a parameter beside each other.
struct GridState {
    ParamPlace param;
    std::vector<int32_t> values;  // one a pane, less the image's
    ParamPlace last_changed;      // by hand
    int type_pane = -1;           // whose value is to be typed
};

struct ViewState {
    View view;
    ViewMode mode = ViewMode::side_by_side;  // as chosen; View::mode is what is shown
    bool mode_chosen = false;                // until then the image's shape chooses between the first two modes
    WipeState wipe;
    FlickerState flicker;
    DifferenceAppearance look;
    GridState grid;
    bool loupe = false;               // its key is down
    double loupe_factor = 4;          // beyond the view's zoom
    double mouse_x = 0, mouse_y = 0;  // image point under the mouse while hovered
    SelectionState selection;
    std::deque<std::function<void()>> renderers;  // called while this frame is rendered; their addresses are handed on
    ImageSpec spec;                               // of the image that the view was fitted to
    bool pointed_at = false;                      // the mouse is over the views, as of the last frame
    float pane_width = 0, pane_height = 0;        // of one pane on screen
    bool hovered = false;                         // the mouse is on a pixel of the image
    int hover_x = 0, hover_y = 0;
    bool reported_hover = false;  // what the last Hover action said
    int reported_x = 0, reported_y = 0;
    bool show_original = false;
};

}  // namespace tonescope::ui
