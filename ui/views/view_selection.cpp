// The rectangle that the histograms are of: drawn with the mouse in any view, shown in all of them.
#include <algorithm>
#include <cmath>

#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

/// A shorter way of the mouse is a click, at 96 dpi.
constexpr float kClick = 4;
constexpr LabelLook kSizeLabel = {5, 20, 3, 210};

bool was_click(const Frame& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 from = io.MouseClickedPos[ImGuiMouseButton_Left];
    return std::hypot(io.MousePos.x - from.x, io.MousePos.y - from.y) < ui.px(kClick);
}

/// The pixels between two points of the image, both included.
Rect between(ImagePoint a, ImagePoint b, const ImageSpec& spec) {
    const auto pixel = [](double at, int size) { return std::clamp(static_cast<int>(std::floor(at)), 0, size - 1); };
    const int left = pixel(std::min(a.x, b.x), spec.width);
    const int top = pixel(std::min(a.y, b.y), spec.height);
    return {left, top, pixel(std::max(a.x, b.x), spec.width) - left + 1,
            pixel(std::max(a.y, b.y), spec.height) - top + 1};
}

}  // namespace

bool handle_selection(Frame& ui, ViewState& state, const Area& area, const PaneMouse& mouse) {
    Selection& selection = state.selection;
    const ImGuiIO& io = ImGui::GetIO();
    const ImagePoint at = map_view(state.view, area).image_at(io.MousePos);
    const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (mouse.activated && left && (selection.armed || io.KeyShift)) {
        selection.dragging = true;
        selection.from = at;
    }
    if (selection.dragging && !left) {
        selection.dragging = selection.armed = false;
        return true;
    }
    if (selection.dragging) {
        if (!mouse.active) return false;
        selection.rect = was_click(ui) ? Rect{} : between(selection.from, at, state.spec);
        return true;
    }
    const bool clicked = mouse.hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && was_click(ui) &&
                         area.contains(io.MouseClickedPos[ImGuiMouseButton_Left]);
    const Rect& rect = selection.rect;
    const bool away = at.x < rect.x || at.y < rect.y || at.x >= rect.x + rect.width || at.y >= rect.y + rect.height;
    if (clicked && away) selection.rect = {};
    return false;
}

void draw_selection(Frame& ui, const ViewState& state, const ImageToScreen& map, const Area& area) {
    const Selection& selection = state.selection;
    if (state.model->views.picturing) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = std::max(1.0F, ui.px(1));
    if (const Rect& rect = selection.rect; rect.width > 0) {
        const Area box = map.rect(rect);
        const auto outline = [&](float out, ImU32 ink) {
            list.AddRect({box.x - out, box.y - out}, {box.right() + out, box.bottom() + out}, ink, 0, 0, line);
        };
        outline(line, IM_COL32(0, 0, 0, 190));
        outline(0, IM_COL32(255, 255, 255, 240));
        // Above the rectangle, or inside where there is no room above.
        const float above = box.y - ui.px(23);
        const float y = above >= area.y ? above : std::max(box.y, area.y) + ui.px(4);
        const float inset = above >= area.y ? 0 : ui.px(4);
        draw_label(ui, {std::max(box.x, area.x) + inset, y}, format("%d \xc3\x97 %d", rect.width, rect.height),
                   kSizeLabel);
        record_overlay(ui, "selection", box, format("%d x %d", rect.width, rect.height));
    }
    if (!selection.armed || selection.dragging) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const auto& [out, ink] : {std::pair{line, IM_COL32(0, 0, 0, 90)}, {0.0F, IM_COL32(255, 255, 255, 170)}}) {
        if (!area.contains(mouse)) break;
        list.AddRectFilled({mouse.x - out, area.y}, {mouse.x + line + out, area.bottom()}, ink);
        list.AddRectFilled({area.x, mouse.y - out}, {area.right(), mouse.y + line + out}, ink);
    }
    draw_label(ui, {area.x + ui.px(10), area.y + ui.px(10)}, "Drag a rectangle, or Esc", kSizeLabel);
}

}  // namespace tonescope::ui
