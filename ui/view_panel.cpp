// Middle: before and after, side by side, moved as one.
#include <algorithm>
#include <cmath>

#include "ui/picture_drawing.h"
#include "ui/view_transform.h"
#include "ui/widgets.h"

namespace tonescope::ui {
namespace {

/// The line above a view: what it shows, and its size at the right.
/// `reserved`: width at the right that something else is drawn in.
void draw_strip(const Ui& ui, const Area& strip, std::string_view title, std::string_view detail, bool is_result,
                std::string_view size, float reserved = 0) {
    ImGui::GetWindowDrawList()->AddRectFilled(strip.min(), strip.max(), color::kRaised);
    const float pad = ui.px(12);
    float x = strip.x + pad;
    draw_text({x, middle(ui.theme.strong, strip.y, strip.height)}, ui.theme.strong, color::kText, title);
    x += text_width(ui.theme.strong, title) + ui.px(10);
    const float size_width = text_width(ui.theme.small, size);
    const bool room_for_size = strip.right() - pad - size_width - x > ui.px(80);
    const float room = strip.right() - pad - x - reserved - (room_for_size ? size_width + ui.px(12) : 0);
    draw_text({x, middle(ui.theme.body, strip.y, strip.height)}, ui.theme.body,
              is_result ? color::kAccent : color::kTextQuiet, shorten(ui.theme.body, detail, room, !is_result));
    if (room_for_size)
        draw_text_right({strip.right() - pad, middle(ui.theme.small, strip.y, strip.height)}, ui.theme.small,
                        color::kTextFaint, size);
}

std::string size_text(const ImageSpec& spec) {
    return spec.empty() ? std::string() : format("%d \xc3\x97 %d", spec.width, spec.height);
}

bool same_size(const ImageSpec& a, const ImageSpec& b) {
    return a.width == b.width && a.height == b.height;
}

/// A view of its own for results that are no image of the same size (a plot).
View own_view(const ImageSpec& spec, const Area& area) {
    View view;
    settle(view, spec, {area.width, area.height});
    if (view.zoom > 1) view.zoom = std::floor(view.zoom);
    return view;
}

void draw_preview(const Ui& ui, const ImageToScreen& map, const Area& area) {
    const Model& model = *ui.model;
    const Rect& region = model.preview_region;
    const ImageSpec& spec = model.preview.spec;
    if (model.preview.empty() || spec.empty() || region.width <= 0 || region.height <= 0) return;
    const int step =
        std::max((region.width + spec.width - 1) / spec.width, (region.height + spec.height - 1) / spec.height);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(map.at(region.x, region.y), map.at(region.x + region.width, region.y + region.height), true);
    draw_picture(ui, model.preview, map, area, region.x, region.y, step);
    list.PopClipRect();
}

/// Shows in one view where the mouse is in the other.
void draw_marker(const Ui& ui, const ImageToScreen& map, int x, int y) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 min = map.at(x, y);
    const ImVec2 max = map.at(x + 1, y + 1);
    const ImVec2 c{std::round((min.x + max.x) / 2), std::round((min.y + max.y) / 2)};
    const float inner = std::max(ui.px(4), (max.x - min.x) / 2 + ui.px(2));
    const float outer = inner + ui.px(7);
    const ImVec2 directions[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    struct Pass {
        float width;
        ImU32 ink;
    };
    for (const Pass& pass :
         {Pass{ui.px(1) + 2, IM_COL32(0, 0, 0, 150)}, Pass{ui.px(1), IM_COL32(255, 255, 255, 230)}}) {
        for (const ImVec2& d : directions)
            list.AddLine({c.x + d.x * inner, c.y + d.y * inner}, {c.x + d.x * outer, c.y + d.y * outer}, pass.ink,
                         pass.width);
        if (map.zoom >= 6) list.AddRect({min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, pass.ink, 0, 0, pass.width);
    }
}

void handle_mouse(Ui& ui, const Area& area) {
    View& view = ui.view.view;
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemHovered()) {
        const double at_x = io.MousePos.x - area.x - area.width / 2;
        const double at_y = io.MousePos.y - area.y - area.height / 2;
        if (io.MouseWheel != 0) zoom_at(view, std::pow(2.0, io.MouseWheel / 3.0), at_x, at_y);
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) view.fit = true;
    }
    if (ImGui::IsItemActive() && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
        pan(view, io.MouseDelta.x, io.MouseDelta.y);
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    }
}

void update_hover(Ui& ui, const Area& area) {
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const ImageToScreen map = map_view(ui.view.view, area);
    const double x = std::floor((mouse.x - map.origin_x) / map.zoom);
    const double y = std::floor((mouse.y - map.origin_y) / map.zoom);
    if (x < 0 || y < 0 || x >= ui.view.spec.width || y >= ui.view.spec.height) return;
    ui.view.hovered = true;
    ui.view.hover_x = static_cast<int>(x);
    ui.view.hover_y = static_cast<int>(y);
}

void report_hover(Ui& ui) {
    ViewState& s = ui.view;
    const bool same_pixel = s.hover_x == s.reported_x && s.hover_y == s.reported_y;
    if (s.hovered == s.reported_hover && (!s.hovered || same_pixel)) return;
    s.reported_hover = s.hovered;
    s.reported_x = s.hover_x;
    s.reported_y = s.hover_y;
    ui.ask(Hover{s.hover_x, s.hover_y, s.hovered});
}

/// Mouse of one view; drawing comes later, when both have had their say about zoom and centre. True while it is
/// hovered.
bool pane_input(Ui& ui, const char* label, const Area& area, bool linked) {
    ImGui::SetCursorScreenPos(area.min());
    ImGui::InvisibleButton(label, {std::max(area.width, 1.0F), std::max(area.height, 1.0F)},
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
    if (linked) {
        handle_mouse(ui, area);
        settle(ui.view.view, ui.view.spec, {area.width, area.height});
        update_hover(ui, area);
    }
    return ImGui::IsItemHovered();
}

void draw_pane(const Ui& ui, const Area& area, const Picture& picture, bool linked, bool marked, bool with_preview) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(area.min(), area.max(), true);
    const View view = linked ? ui.view.view : own_view(picture.spec, area);
    const ImageToScreen map = map_view(view, area);
    draw_picture(ui, picture, map, area);
    if (linked && with_preview) draw_preview(ui, map, area);
    if (linked) draw_pixel_grid(map, area, view.visible);
    if (linked && marked && ui.view.hovered) draw_marker(ui, map, ui.view.hover_x, ui.view.hover_y);
    list.PopClipRect();
}

void draw_strips(Ui& ui, const Area& before, const Area& after) {
    const Model& model = *ui.model;
    const bool known = model.current >= 0 && model.current < static_cast<int>(model.images.size());
    const std::string_view name = known ? std::string_view(model.images[static_cast<size_t>(model.current)].name) : "";
    draw_strip(ui, before, "Before", name, false, size_text(ui.view.spec));
    if (ui.view.show_original) {
        draw_strip(ui, after, "Original", "while B is held", false, {});
        return;
    }
    const bool busy = model.busy && model.busy_s > 0.2;
    draw_strip(ui, after, "After", model.op != nullptr ? model.op->name : "", true,
               busy ? std::string() : size_text(model.after.spec), busy ? busy_width(ui, after) : 0);
    if (busy) draw_busy(ui, after);
}

void draw_panes(Ui& ui, const Area& area) {
    const Model& model = *ui.model;
    ViewState& state = ui.view;
    const ImageSpec& spec = model.before.empty() ? model.after.spec : model.before.spec;
    if (!same_size(spec, state.spec)) state.view.fit = true;
    state.spec = spec;

    const float strip = ui.px(kStripHeight);
    const float gap = std::max(1.0F, ui.px(2));
    const float half = std::floor((area.width - gap) / 2);
    const Area before{area.x, area.y + strip, half, area.height - strip};
    const Area after{area.x + half + gap, before.y, area.width - half - gap, before.height};
    const bool linked = state.show_original || model.after.empty() || same_size(model.after.spec, spec);

    settle(state.view, spec, {before.width, before.height});
    const bool in_before = pane_input(ui, "view:before", before, true);
    const bool in_after = pane_input(ui, "view:after", after, linked);
    const std::string zoom = format("%.4g", state.view.zoom);
    record(ui, "view:before", before.min(), before.max(), zoom);
    record(ui, "view:after", after.min(), after.max(), state.show_original ? "original" : zoom);
    report_hover(ui);
    draw_pane(ui, before, model.before, true, in_after, false);
    if (state.show_original)
        draw_pane(ui, after, model.before, true, in_before, false);
    else
        draw_pane(ui, after, model.after, linked, in_before, true);
    draw_strips(ui, {before.x, area.y, before.width, strip}, {after.x, area.y, after.width, strip});
    ImGui::GetWindowDrawList()->AddRectFilled({before.right(), area.y}, {after.x, area.bottom()}, color::kLine);
}

}  // namespace

void draw_views(Ui& ui, const Area& area) {
    ui.panel = "views";
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, color::kBackdrop);
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize({area.width, area.height});
    const Model& model = *ui.model;
    ImGui::Begin("##views", nullptr, model.comparison.shown ? kAreaFlags : kAreaFlags | ImGuiWindowFlags_NoNav);
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) ui.focused_area = 0;
    ui.view.hovered = false;
    if (model.comparison.shown) {
        report_hover(ui);
        ui.view.view.visible = {};
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
        draw_comparison(ui, area);
        ImGui::PopStyleVar();
    } else if (model.before.empty() && model.after.empty()) {
        report_hover(ui);
        ui.view.view.visible = {};
        draw_empty_state(ui, area);
    } else {
        draw_panes(ui, area);
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

}  // namespace tonescope::ui
