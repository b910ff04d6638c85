// The table of panels: what stands in the columns beside the views, from top to bottom.
#pragma once

#include <span>
#include <string_view>

#include "ui/commands/parts.h"

namespace tonescope::ui {

enum class Place : uint8_t { left, right };

struct Panel {
    std::string_view id;  // of its widgets
    Place place;
    std::string_view title;            // as commands name it
    void (*draw)(Ui&);                 // with its part of the model
    bool Settings::*opened = nullptr;  // what opens and closes a part of it; null: it is always whole
};

std::span<const Panel> panels();

}  // namespace tonescope::ui
