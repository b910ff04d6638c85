// The loupe: magnified circles while its key is held.
#include <algorithm>
#include <cmath>

#include "ui/state.h"
#include "ui/views/view_parts.h"
#include "ui/views/view_transform.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kRadius = 84;  // at 96 dpi

struct Lens {
    const Picture& picture;
    bool with_preview;
    std::string label;
    std::string_view name;  // written below it; may be empty
};

Lens lens_of(const Ui& ui, Side side, bool named) {
    const bool original = side == Side::after && ui.view.show_original;
    const char* name = side == Side::before ? ui.model->views.before_title() : original ? "Original" : "After";
    return {picture_of(ui, side), side == Side::after && !original,
            side == Side::after ? "loupe:after" : "loupe:before", named ? name : ""};
}

void draw_circle(Ui& ui, const Area& pane, ImVec2 center, const Lens& lens) {
    const ViewState& state = ui.view;
    const float radius = std::min(ui.px(kRadius), 0.45F * std::min(pane.width, pane.height));
    ImageToScreen map;
    map.zoom = std::min(std::max(state.view.zoom * state.loupe_factor, 1.0), kMaxZoom * 2);
    if (map.zoom > 4) map.zoom = std::round(map.zoom);
    map.origin_x = center.x - state.mouse_x * map.zoom;
    map.origin_y = center.y - state.mouse_y * map.zoom;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Shape circle = circle_shape(center, radius);
    list.AddCircleFilled(center, radius, ui.colors.backdrop, 96);
    draw_picture_in(lens.picture, map, circle);
    if (lens.with_preview) draw_preview(ui, map, circle);
    if (map.zoom < 6) {  // where the mouse is
        const float gap = ui.px(3);
        const float end = ui.px(8);
        for (const ImVec2& d : {ImVec2{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
            const ImVec2 from{center.x + d.x * gap, center.y + d.y * gap};
            const ImVec2 to{center.x + d.x * end, center.y + d.y * end};
            list.AddLine(from, to, IM_COL32(0, 0, 0, 150), ui.px(1) + 2);
            list.AddLine(from, to, IM_COL32(255, 255, 255, 230), ui.px(1));
        }
    } else {  // the pixel under the mouse
        const ImVec2 min = map.at(state.hover_x, state.hover_y);
        const ImVec2 max = map.at(state.hover_x + 1, state.hover_y + 1);
        list.AddRect({min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, IM_COL32(0, 0, 0, 190));
        list.AddRect(min, max, IM_COL32(255, 255, 255, 230));
    }
    const float line = std::max(1.5F, ui.px(2));
    list.AddCircle(center, radius + line / 2, IM_COL32(0, 0, 0, 170), 96, line + 2);
    list.AddCircle(center, radius, IM_COL32(255, 255, 255, 235), 96, line);
    ui.panel = "overlay";
    record(ui, lens.label, {center.x - radius, center.y - radius}, {center.x + radius, center.y + radius},
           format("%.4g", map.zoom), false);
    ui.panel = "views";
    if (lens.name.empty()) return;
    const Font& font = ui.theme.small;
    const float width = text_width(font, lens.name) + ui.px(12);
    const float height = ui.px(20);
    const ImVec2 min{std::round(center.x - width / 2), std::round(center.y + radius - height / 2)};
    list.AddRectFilled(min, {min.x + width, min.y + height}, IM_COL32(20, 20, 21, 230), ui.px(4));
    draw_text({min.x + ui.px(6), middle(font, min.y, height)}, font, IM_COL32(235, 236, 240, 255), lens.name);
}

void draw_in_place(Ui& ui, const Area& pane, const Lens& lens) {
    const ViewState& state = ui.view;
    if (!state.loupe || !state.hovered) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(pane.min(), pane.max(), true);
    draw_circle(ui, pane, map_view(state.view, pane).at(state.mouse_x, state.mouse_y), lens);
    list.PopClipRect();
}

}  // namespace

void draw_loupe(Ui& ui, const Area& pane, Side side) {
    draw_in_place(ui, pane, lens_of(ui, side, false));
}

void draw_loupe(Ui& ui, const Area& pane, const Picture& picture, const std::string& label) {
    draw_in_place(ui, pane, {picture, false, label, {}});
}

void draw_loupe_pair(Ui& ui, const Area& pane) {
    const ViewState& state = ui.view;
    if (!state.loupe || !state.hovered) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(pane.min(), pane.max(), true);
    const ImVec2 at = map_view(state.view, pane).at(state.mouse_x, state.mouse_y);
    const float radius = std::min(ui.px(kRadius), 0.45F * std::min(pane.width, pane.height));
    const float apart = radius + ui.px(3);
    const float x = std::clamp(at.x, pane.x + 2 * apart, std::max(pane.right() - 2 * apart, pane.x + 2 * apart));
    draw_circle(ui, pane, {x - apart, at.y}, lens_of(ui, Side::before, true));
    draw_circle(ui, pane, {x + apart, at.y}, lens_of(ui, Side::after, true));
    list.PopClipRect();
}

}  // namespace tonescope::ui
