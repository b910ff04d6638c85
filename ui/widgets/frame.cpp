#include "ui/widgets/frame.h"

#include <algorithm>
#include <cmath>

namespace tonescope::ui {

std::string Frame::keys(std::string_view command) const {
    const std::string_view keys = commands->keys(command);
    return keys.empty() ? std::string() : " (" + std::string(keys) + ")";
}

Area common_part(const Area& a, const Area& b) {
    const float x = std::max(a.x, b.x);
    const float y = std::max(a.y, b.y);
    return {x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
}

BackgroundFill fill_of(const Area& area, ImU32 color) {
    const auto pixel = [](float at) { return static_cast<int>(std::round(at)); };
    const int x = pixel(area.x);
    const int y = pixel(area.y);
    // Tiny windows have no room for some areas.
    return {{x, y, std::max(pixel(area.right()) - x, 0), std::max(pixel(area.bottom()) - y, 0)}, color};
}

void begin_area(Frame& ui, const char* name, const Area& area, ImU32 color, ImGuiWindowFlags flags) {
    ui.background_fills.push_back(fill_of(area, color));
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::Begin(name, nullptr,
                 flags | kFixedFlags | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoScrollWithMouse);
}

void copy_text(Frame& ui, const std::string& text, const std::string& notice) {
    ImGui::SetClipboardText(text.c_str());
    const char* held = ImGui::GetClipboardText();
    ui.ask(Tell{held != nullptr && held == text ? notice : "The clipboard has not taken the text: try again"});
}

}  // namespace tonescope::ui
