// The rectangle that the histograms are of: drawn with the mouse in any view, shown in all of them.
#include <algorithm>
#include <cmath>

#include "ui/state.h"
#include "ui/views/view_parts.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

/// A shorter way of the mouse is a click, at 96 dpi.
constexpr float kClick = 4;

bool was_click(const Ui& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 from = io.MouseClickedPos[ImGuiMouseButton_Left];
    return std::hypot(io.MousePos.x - from.x, io.MousePos.y - from.y) < ui.px(kClick);
}

/// The pixels between two points of the image, both included.
Rect between(double x0, double y0, double x1, double y1, const ImageSpec& spec) {
    const auto pixel = [](double at, int size) { return std::clamp(static_cast<int>(std::floor(at)), 0, size - 1); };
    const int left = pixel(std::min(x0, x1), spec.width);
    const int top = pixel(std::min(y0, y1), spec.height);
    return {left, top, pixel(std::max(x0, x1), spec.width) - left + 1, pixel(std::max(y0, y1), spec.height) - top + 1};
}

void label(const Ui& ui, ImVec2 min, const std::string& text) {
    const Font& font = ui.theme.small;
    const ImVec2 max{min.x + text_width(font, text) + ui.px(10), min.y + ui.px(20)};
    ImGui::GetWindowDrawList()->AddRectFilled(min, max, IM_COL32(20, 20, 21, 210), ui.px(3));
    draw_text({min.x + ui.px(5), middle(font, min.y, max.y - min.y)}, font, IM_COL32(235, 236, 240, 255), text);
}

}  // namespace

bool handle_selection(Ui& ui, const Area& area, const PaneMouse& mouse) {
    SelectionState& selection = ui.view.selection;
    const ImGuiIO& io = ImGui::GetIO();
    const ImageToScreen map = map_view(ui.view.view, area);
    const double x = (io.MousePos.x - map.origin_x) / map.zoom;
    const double y = (io.MousePos.y - map.origin_y) / map.zoom;
    const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (mouse.activated && left && (selection.armed || io.KeyShift)) {
        selection.dragging = true;
        selection.from_x = x;
        selection.from_y = y;
    }
    if (selection.dragging && !left) {
        selection.dragging = selection.armed = false;
        return true;
    }
    if (selection.dragging) {
        if (!mouse.active) return false;
        selection.rect = was_click(ui) ? Rect{} : between(selection.from_x, selection.from_y, x, y, ui.view.spec);
        return true;
    }
    const bool clicked = mouse.hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && was_click(ui) &&
                         area.contains(io.MouseClickedPos[ImGuiMouseButton_Left]);
    const Rect& rect = selection.rect;
    const bool away = x < rect.x || y < rect.y || x >= rect.x + rect.width || y >= rect.y + rect.height;
    if (clicked && away) selection.rect = {};
    return false;
}

void draw_selection(Ui& ui, const ImageToScreen& map, const Area& area) {
    const SelectionState& selection = ui.view.selection;
    if (ui.model->views.picturing) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rect& rect = selection.rect;
    if (rect.width > 0) {
        const ImVec2 min = map.at(rect.x, rect.y);
        const ImVec2 max = map.at(rect.x + rect.width, rect.y + rect.height);
        const float line = std::max(1.0F, ui.px(1));
        const auto outline = [&](float out, ImU32 ink) {
            list.AddRect({std::round(min.x) - out, std::round(min.y) - out},
                         {std::round(max.x) + out, std::round(max.y) + out}, ink, 0, 0, line);
        };
        outline(line, IM_COL32(0, 0, 0, 190));
        outline(0, IM_COL32(255, 255, 255, 240));
        // Above the rectangle, or inside where there is no room above.
        const float above = std::round(min.y) - ui.px(23);
        const float y = above >= area.y ? above : std::max(std::round(min.y), area.y) + ui.px(4);
        const float inset = above >= area.y ? 0 : ui.px(4);
        label(ui, {std::max(std::round(min.x), area.x) + inset, y}, format("%d \xc3\x97 %d", rect.width, rect.height));
        ui.panel = "overlay";
        record(ui, "selection", min, max, format("%d x %d", rect.width, rect.height), false);
        ui.panel = "views";
    }
    if (!selection.armed || selection.dragging) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float line = std::max(1.0F, ui.px(1));
    for (const auto& [out, ink] : {std::pair{line, IM_COL32(0, 0, 0, 90)}, {0.0F, IM_COL32(255, 255, 255, 170)}}) {
        if (!area.contains(mouse)) break;
        list.AddRectFilled({mouse.x - out, area.y}, {mouse.x + line + out, area.bottom()}, ink);
        list.AddRectFilled({area.x, mouse.y - out}, {area.right(), mouse.y + line + out}, ink);
    }
    label(ui, {area.x + ui.px(10), area.y + ui.px(10)}, "Drag a rectangle, or Esc");
}

void select_visible(Ui& ui) {
    ui.view.selection = {};
    ui.view.selection.rect = ui.view.view.visible;
}

}  // namespace tonescope::ui
