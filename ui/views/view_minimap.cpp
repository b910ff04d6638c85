// Where the view is in the image.
#include <algorithm>
#include <cmath>

#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

constexpr float kSide = 150, kMinSide = 24, kMargin = 10;  // at 96 dpi
/// Panes below this leave no room for it.
constexpr float kMinMinimapPane = 200;

}  // namespace

Minimap minimap_item(Frame& ui, ViewState& state, const Area& pane) {
    Minimap m;
    View& view = state.view;
    const ImageSpec& spec = state.spec;
    const bool whole = pane.width >= spec.width * view.zoom - 1 && pane.height >= spec.height * view.zoom - 1;
    if (spec.empty() || whole || std::min(pane.width, pane.height) < ui.px(kMinMinimapPane)) return m;
    const double side = std::min(ui.px(kSide), std::min(pane.width, pane.height) * 0.4F);
    m.map.zoom = side / std::max(spec.width, spec.height);
    m.area.width = std::max(std::round(static_cast<float>(spec.width * m.map.zoom)), ui.px(kMinSide));
    m.area.height = std::max(std::round(static_cast<float>(spec.height * m.map.zoom)), ui.px(kMinSide));
    m.area.x = pane.right() - ui.px(kMargin) - m.area.width;
    m.area.y = pane.bottom() - ui.px(kMargin) - m.area.height;
    m.map.origin_x = m.area.x + (m.area.width - spec.width * m.map.zoom) / 2;
    m.map.origin_y = m.area.y + (m.area.height - spec.height * m.map.zoom) / 2;
    m.shown = true;
    view.minified |= m.map.zoom < 1;

    mouse_area(ui, "minimap", m.area, "pan-left");
    if (ImGui::IsItemActive()) {
        const ImagePoint at = m.map.image_at(ImGui::GetIO().MousePos);
        view.center_x = at.x;
        view.center_y = at.y;
        view.fit = false;
        settle(view, spec, {pane.width, pane.height});
    }
    record_overlay(ui, "minimap", m.area, {}, true);
    return m;
}

void draw_minimap(const Frame& ui, ViewState& state, const Minimap& m, const Pane& pane) {
    if (!m.shown) return;
    const ViewsModel& views = state.model->views;
    const View& view = state.view;
    const float edge = std::max(1.0F, ui.px(1));
    fill(m.area.inset(-2 * edge), IM_COL32(0, 0, 0, 200), ui.px(kRadius));
    fill(m.area, ui.colors.backdrop);
    draw_checkerboard_under(ui, views.before, m.map, m.area);
    const Side side = pane.side.value_or(Side::after);
    const Pane shown = side_pane(state, side, {}, pane.area);
    const Picture& picture = views.after.empty() ? views.before : *shown.picture;
    draw_through_window(state, picture, [&] { draw_picture_in(picture, m.map, shape_of(m.area)); });
    const double half_x = pane.area.width / 2 / view.zoom;
    const double half_y = pane.area.height / 2 / view.zoom;
    const auto clamped = [&](double x, double y) {
        const ImVec2 p = m.map.at(x, y);
        return ImVec2{std::clamp(std::round(p.x), m.area.x, m.area.right()),
                      std::clamp(std::round(p.y), m.area.y, m.area.bottom())};
    };
    ImVec2 min = clamped(view.center_x - half_x, view.center_y - half_y);
    ImVec2 max = clamped(view.center_x + half_x, view.center_y + half_y);
    const float least = ui.px(5);
    if (max.x - min.x < least) max.x = (min.x = std::min(min.x, m.area.right() - least)) + least;
    if (max.y - min.y < least) max.y = (min.y = std::min(min.y, m.area.bottom() - least)) + least;
    const ImU32 shade = IM_COL32(0, 0, 0, 110);
    fill(between(m.area.min(), {m.area.right(), min.y}), shade);
    fill(between({m.area.x, max.y}, m.area.max()), shade);
    fill(between({m.area.x, min.y}, {min.x, max.y}), shade);
    fill(between({max.x, min.y}, {m.area.right(), max.y}), shade);
    ImGui::GetWindowDrawList()->AddRect(min, max, IM_COL32(255, 255, 255, 240), 0, 0, edge);
}

}  // namespace tonescope::ui
