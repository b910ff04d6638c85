// Before and after in one pane, parted by a line that the mouse moves and turns.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/state.h"
#include "ui/views/view_parts.h"
#include "ui/views/view_transform.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kReach = 7, kGrip = 12, kTurnGrip = 6, kTurnDistance = 64;  // at 96 dpi
constexpr double kSnap = 3;                                                 // degrees

/// The line on screen: a point, its direction and its normal, which points to the first side (left or top).
struct WipeLine {
    ImVec2 at, direction, normal;
    double side_of(ImVec2 p) const { return (p.x - double{at.x}) * normal.x + (p.y - double{at.y}) * normal.y; }
};

WipeLine line_of(const WipeState& wipe, const Area& area) {
    const double angle = wipe.angle * std::numbers::pi / 180;
    const auto c = static_cast<float>(std::cos(angle));
    const auto s = static_cast<float>(std::sin(angle));
    WipeLine line;
    line.at = {area.x + static_cast<float>(wipe.x) * area.width, area.y + static_cast<float>(wipe.y) * area.height};
    line.direction = {c, s};
    line.normal = {-s, c};
    // Angles are 0 up to 180: the first side is at the left, and above where the line lies flat.
    if (line.normal.x > 1e-6F || (std::abs(line.normal.x) <= 1e-6F && line.normal.y > 0))
        line.normal = {-line.normal.x, -line.normal.y};
    return line;
}

ImVec2 turn_grip(const Ui& ui, const WipeLine& line) {
    const float far = ui.px(kTurnDistance);
    return {line.at.x + line.direction.x * far, line.at.y + line.direction.y * far};
}

WipeState::Drag under_mouse(const Ui& ui, const WipeLine& line) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const ImVec2 turn = turn_grip(ui, line);
    if (std::hypot(mouse.x - turn.x, mouse.y - turn.y) <= ui.px(kTurnGrip + 4)) return WipeState::Drag::turn;
    if (std::hypot(mouse.x - line.at.x, mouse.y - line.at.y) <= ui.px(kGrip)) return WipeState::Drag::line;
    if (std::abs(line.side_of(mouse)) <= ui.px(kReach)) return WipeState::Drag::line;
    return WipeState::Drag::none;
}

void drag(WipeState& wipe, const Area& area) {
    const ImGuiIO& io = ImGui::GetIO();
    const double x = (io.MousePos.x - area.x) / area.width;
    const double y = (io.MousePos.y - area.y) / area.height;
    if (wipe.drag == WipeState::Drag::line) {
        wipe.x = std::clamp(x, 0.0, 1.0);
        wipe.y = std::clamp(y, 0.0, 1.0);
        return;
    }
    const double dx = (x - wipe.x) * area.width;
    const double dy = (y - wipe.y) * area.height;
    if (std::hypot(dx, dy) < 4) return;
    double angle = std::fmod(std::atan2(dy, dx) * 180 / std::numbers::pi + 360, 180);
    const double nearest = std::round(angle / 45) * 45;
    if (!io.KeyShift && std::abs(angle - nearest) <= kSnap) angle = nearest;
    wipe.angle = angle >= 180 ? 0 : angle;
}

/// Moves the line with the mouse. True while the mouse belongs to the line and not to the image.
bool handle_line(Ui& ui, const Area& area, const PaneMouse& mouse) {
    WipeState& wipe = ui.view.wipe;
    if (!mouse.active) wipe.drag = WipeState::Drag::none;
    const WipeState::Drag near = mouse.hovered ? under_mouse(ui, line_of(wipe, area)) : WipeState::Drag::none;
    const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (mouse.activated && left) wipe.drag = near;
    if (wipe.drag != WipeState::Drag::none) drag(wipe, area);
    const WipeState::Drag shown = mouse.active ? wipe.drag : near;
    if (shown == WipeState::Drag::turn) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (shown == WipeState::Drag::line) {
        const double tilt = std::fmod(wipe.angle + 22.5, 180) / 45;
        const ImGuiMouseCursor cursors[] = {ImGuiMouseCursor_ResizeNS, ImGuiMouseCursor_ResizeNESW,
                                            ImGuiMouseCursor_ResizeEW, ImGuiMouseCursor_ResizeNWSE};
        ImGui::SetMouseCursor(cursors[std::clamp(static_cast<int>(tilt), 0, 3)]);
    }
    return shown != WipeState::Drag::none;
}

void draw_line(Ui& ui, const Area& area, const WipeLine& line, bool hot) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float far = area.width + area.height;
    const ImVec2 from{line.at.x - line.direction.x * far, line.at.y - line.direction.y * far};
    const ImVec2 to{line.at.x + line.direction.x * far, line.at.y + line.direction.y * far};
    const float width = std::max(1.0F, ui.px(1.5F));
    list.AddLine(from, to, IM_COL32(0, 0, 0, 130), width + 2);
    list.AddLine(from, to, IM_COL32(255, 255, 255, 235), width);
    const float grip = ui.px(kGrip);
    const ImU32 fill = hot ? ui.colors.accent_deep : IM_COL32(24, 25, 27, 225);
    list.AddCircleFilled(line.at, grip, fill, 32);
    list.AddCircle(line.at, grip, IM_COL32(255, 255, 255, 235), 32, width);
    for (const float way : {-1.0F, 1.0F}) {  // arrowheads across the line
        const auto point = [&](float along_normal, float along_line) {
            return ImVec2{line.at.x + (line.normal.x * way * along_normal + line.direction.x * along_line) * grip,
                          line.at.y + (line.normal.y * way * along_normal + line.direction.y * along_line) * grip};
        };
        const ImVec2 head[] = {point(0.3F, -0.36F), point(0.66F, 0), point(0.3F, 0.36F)};
        list.AddPolyline(head, 3, IM_COL32_WHITE, 0, width);
    }
    const ImVec2 turn = turn_grip(ui, line);
    list.AddCircleFilled(turn, ui.px(kTurnGrip), fill, 24);
    list.AddCircle(turn, ui.px(kTurnGrip), IM_COL32(255, 255, 255, 235), 24, width);
}

/// "Before" and "After" on their sides of the line.
void draw_names(const Ui& ui, const Area& area, const WipeLine& line, bool swapped) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& font = ui.theme.small;
    const bool flat = std::abs(line.normal.y) > std::abs(line.normal.x);
    for (const bool first : {true, false}) {
        const std::string_view name = first != swapped ? ui.model->views.before_title() : "After";
        const float width = text_width(font, name) + ui.px(14);
        const float height = ui.px(22);
        const float margin = ui.px(10);
        ImVec2 min{area.x + margin, area.y + margin};
        if (!first && flat) min.y = area.bottom() - margin - height;
        if (!first && !flat) min.x = area.right() - margin - width;
        const ImVec2 max{min.x + width, min.y + height};
        list.AddRectFilled(min, max, IM_COL32(20, 20, 21, 190), ui.px(4));
        draw_text({min.x + ui.px(7), middle(font, min.y, height)}, font, IM_COL32(235, 236, 240, 255), name);
    }
}

}  // namespace

void move_wipe(Ui& ui, int steps) {
    constexpr float kStep = 0.02F;
    WipeState& wipe = ui.view.wipe;
    const ImVec2 back = line_of(wipe, {0, 0, 1, 1}).normal;
    const float by = kStep * static_cast<float>(-steps);
    wipe.x = std::clamp(wipe.x + double{by * back.x}, 0.0, 1.0);
    wipe.y = std::clamp(wipe.y + double{by * back.y}, 0.0, 1.0);
}

void draw_wipe(Ui& ui, const Area& area) {
    ViewState& state = ui.view;
    const Model& model = *ui.model;
    const float strip = ui.px(kStripHeight);
    const Area pane{area.x, area.y + strip, area.width, area.height - strip};
    settle(state.view, state.spec, {pane.width, pane.height});
    const Minimap minimap = minimap_item(ui, pane);
    const PaneMouse mouse = pane_item("view:wipe", pane);
    const bool on_line = !state.show_original && handle_line(ui, pane, mouse);
    navigate(ui, pane, mouse, !on_line);
    report_hover(ui);
    const WipeLine line = line_of(state.wipe, pane);
    record(ui, "view:wipe", pane.min(), pane.max(),
           state.show_original ? "original" : format("%.0f%s", state.wipe.angle, state.wipe.swapped ? " swapped" : ""));
    if (state.show_original) {
        draw_pane(ui, pane, Side::after, false);
    } else {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.PushClipRect(pane.min(), pane.max(), true);
        const ImageToScreen map = map_view(state.view, pane);
        draw_checkerboard_under(ui, model.views.before, map, pane);
        const double at = line.side_of({0, 0});  // side_of(p) = p . normal + at
        const Shape first = cut_shape(shape_of(pane), -double{line.normal.x}, -double{line.normal.y}, at);
        const Shape second = cut_shape(shape_of(pane), line.normal.x, line.normal.y, -at);
        const Shape& result = state.wipe.swapped ? first : second;
        draw_picture_in(model.views.before, map, state.wipe.swapped ? second : first);
        draw_picture_in(model.views.after, map, result);
        draw_preview(ui, map, result);
        for (const bool is_first : {true, false}) {
            const double way = is_first ? -1 : 1;
            draw_clipping(ui, map, pane, is_first == state.wipe.swapped ? Side::after : Side::before,
                          way * line.normal.x, way * line.normal.y, -way * at);
        }
        draw_pixel_grid(map, pane, state.view.visible);
        draw_selection(ui, map, pane);
        for (const bool is_first : {true, false})
            draw_numbers(ui, map, pane,
                         is_first == state.wipe.swapped ? model.views.numbers_after : model.views.numbers_before,
                         [&](ImVec2 p) { return (line.side_of(p) >= 0) == is_first; });
        draw_explained(ui, map, pane);
        draw_line(ui, pane, line, on_line);
        draw_names(ui, pane, line, state.wipe.swapped);
        list.PopClipRect();
        ui.panel = "overlay";
        const auto note = [&](const char* label, ImVec2 c, float r) {
            record(ui, label, {c.x - r, c.y - r}, {c.x + r, c.y + r}, {}, false);
        };
        note("wipe:line", line.at, ui.px(kGrip));
        note("wipe:turn", turn_grip(ui, line), ui.px(kTurnGrip));
        ui.panel = "views";
    }
    if (mouse.hovered && !on_line) draw_loupe_pair(ui, pane);
    draw_minimap(ui, minimap, pane, Side::after);
    draw_result_strip(ui, {area.x, area.y, area.width, strip}, "Wipe");
}

}  // namespace tonescope::ui
