// The loupe: magnified circles while its key is held.
#include <algorithm>
#include <cmath>

#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

constexpr float kLoupeRadius = 84;  // at 96 dpi
constexpr LabelLook kLensLabel = {6, 20, 4, 230};

float radius_in(const Frame& ui, const Area& area) {
    return std::min(ui.px(kLoupeRadius), 0.45F * std::min(area.width, area.height));
}

/// Shows what a pane shows, with a name at the lower edge unless that is empty.
void draw_lens(Frame& ui, ViewState& state, const Pane& pane, ImVec2 center, float radius, std::string_view name) {
    ImageToScreen map;
    map.zoom = std::min(std::max(state.view.zoom * state.loupe_factor, 1.0), kMaxZoom * 2);
    if (map.zoom > 4) map.zoom = std::round(map.zoom);
    map.origin_x = center.x - state.mouse.x * map.zoom;
    map.origin_y = center.y - state.mouse.y * map.zoom;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Shape circle = circle_shape(center, radius);
    list.AddCircleFilled(center, radius, ui.colors.backdrop, 96);
    draw_through_window(state, *pane.picture, [&] { draw_picture_in(*pane.picture, map, circle); });
    if (pane.side == Side::after && !state.show_original) draw_preview(state, map, circle);
    if (map.zoom < 6) {  // where the mouse is
        for (const MarkStroke& stroke : mark_strokes(ui)) draw_cross(center, ui.px(3), ui.px(8), stroke);
    } else {  // the pixel under the mouse
        const ImVec2 min = map.at(state.hovered->x, state.hovered->y);
        const ImVec2 max = map.at(state.hovered->x + 1, state.hovered->y + 1);
        list.AddRect({min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, IM_COL32(0, 0, 0, 190));
        list.AddRect(min, max, IM_COL32(255, 255, 255, 230));
    }
    const float line = std::max(1.5F, ui.px(2));
    list.AddCircle(center, radius + line / 2, IM_COL32(0, 0, 0, 170), 96, line + 2);
    list.AddCircle(center, radius, IM_COL32(255, 255, 255, 235), 96, line);
    record_overlay(ui, "loupe:" + pane.name, {center.x - radius, center.y - radius, 2 * radius, 2 * radius},
                   format("%.4g", map.zoom));
    if (name.empty()) return;
    const ImVec2 at{std::round(center.x - label_size(ui, name, kLensLabel).x / 2),
                    std::round(center.y + radius - ui.px(kLensLabel.height) / 2)};
    draw_label(ui, at, name, kLensLabel);
}

}  // namespace

void draw_loupe(Frame& ui, ViewState& state, const Pane& pane) {
    if (!state.loupe || !state.hovered) return;
    const ImVec2 at = map_view(state.view, pane.area).at(state.mouse.x, state.mouse.y);
    draw_lens(ui, state, pane, at, radius_in(ui, pane.area), {});
}

void draw_loupe_pair(Frame& ui, ViewState& state, const Area& area) {
    if (!state.loupe || !state.hovered) return;
    const ImVec2 at = map_view(state.view, area).at(state.mouse.x, state.mouse.y);
    const float radius = radius_in(ui, area);
    const float apart = radius + ui.px(4);
    const float x = std::clamp(at.x, area.x + 2 * apart, std::max(area.right() - 2 * apart, area.x + 2 * apart));
    draw_lens(ui, state, side_pane(state, Side::before, "before", area), {x - apart, at.y}, radius,
              side_title(state, Side::before));
    draw_lens(ui, state, side_pane(state, Side::after, "after", area), {x + apart, at.y}, radius,
              side_title(state, Side::after));
}

}  // namespace tonescope::ui
