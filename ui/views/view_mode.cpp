// Icons of view modes.
#include "ui/views/view_mode.h"

#include <algorithm>
#include <cmath>

namespace tonescope::ui {

Area icon_box(const Frame& ui, ImVec2 center) {
    const float half_width = ui.px(8);
    const float half_height = ui.px(6);
    return {center.x - half_width, center.y - half_height, 2 * half_width, 2 * half_height};
}

float icon_line(const Frame& ui) {
    return std::max(1.0F, std::round(1.2F * ui.theme.scale));
}

void draw_icon_frame(const Frame& ui, const Area& box, ImU32 ink) {
    ImGui::GetWindowDrawList()->AddRect(box.min(), box.max(), ink, ui.px(1), 0, icon_line(ui));
}

}  // namespace tonescope::ui
