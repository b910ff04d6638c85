// Colours, fonts and spacing.
#pragma once

#include "ui/model/settings.h"
#include "ui/widgets/imgui_compat.h"
#include "ui/widgets/palette.h"

namespace tonescope::ui {

/// A font at one of its sizes, pixels.
struct Font {
    ImFont* font = nullptr;
    float size_px = 0;
};

struct Theme {
    float scale = 1;
    Font body;    // nearly everything
    Font strong;  // headings and names
    Font small;   // details
    Font title;   // the empty window, dialogs

    /// Pixels of a length given at 96 dpi, whole ones so that edges stay sharp.
    float px(float length) const;
};

/// Sets Dear ImGui's colours for what is drawn from now on, and returns those of our own drawing.
Palette use_theme(ThemeKind kind);

/// Sets Dear ImGui's style, fonts and flags, and returns what our own drawing needs.
Theme apply_theme(float scale);

}  // namespace tonescope::ui
