// Widgets as tests and screen tours know them.
#pragma once

#include <string>

namespace tonescope::ui {

/// A widget of the last frame, for tests and screen tours.
struct Widget {
    std::string label;                          // "Clip limit", "Operator", "view:before", "button:Save", ...
    float x = 0, y = 0, width = 0, height = 0;  // window pixels
    std::string value;                          // what it shows, where that is short
    std::string panel;                          // "images", "control", "views", "histogram", "browser", ...
    bool interactive = true;                    // false: a group around other widgets, or something only shown
    bool enabled = true;
};

}  // namespace tonescope::ui
