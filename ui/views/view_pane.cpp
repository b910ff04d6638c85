// One pane of the views: its title, the mouse over it, and its picture.
#include <algorithm>
#include <cmath>

#include "ui/state.h"
#include "ui/views/view_parts.h"
#include "ui/views/view_transform.h"
#include "ui/widgets/explained_areas.h"
#include "ui/widgets/progress.h"

namespace tonescope::ui {
namespace {

/// A view of its own for results that are no image of the same size (a plot).
View own_view(const ImageSpec& spec, const Area& area) {
    View view;
    settle(view, spec, {area.width, area.height});
    if (view.zoom > 1) view.zoom = std::floor(view.zoom);
    return view;
}

void update_hover(Ui& ui, const Area& area) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    ViewState& state = ui.view;
    const ImageToScreen map = map_view(state.view, area);
    const double x = (mouse.x - map.origin_x) / map.zoom;
    const double y = (mouse.y - map.origin_y) / map.zoom;
    if (x < 0 || y < 0 || x >= state.spec.width || y >= state.spec.height) return;
    state.hovered = true;
    state.mouse_x = x;
    state.mouse_y = y;
    state.hover_x = static_cast<int>(x);
    state.hover_y = static_cast<int>(y);
}

}  // namespace

std::string size_text(const ImageSpec& spec) {
    return spec.empty() ? std::string() : format("%d \xc3\x97 %d", spec.width, spec.height);
}

std::string_view image_name(const Model& model) {
    const bool known =
        model.images.current >= 0 && model.images.current < static_cast<int>(model.images.entries.size());
    return known ? std::string_view(model.images.entries[static_cast<size_t>(model.images.current)].name) : "";
}

const Picture& picture_of(const Ui& ui, Side side) {
    const Model& model = *ui.model;
    if (side == Side::before) return model.views.before;
    if (!ui.view.show_original) return model.views.after;
    return model.views.reference.empty() ? model.views.before : model.views.original;
}

void draw_strip(const Ui& ui, const Area& strip, std::string_view title, std::string_view detail, bool is_result,
                std::string_view size, float reserved, ImU32 size_ink) {
    ImGui::GetWindowDrawList()->AddRectFilled(strip.min(), strip.max(), ui.colors.raised);
    const float pad = ui.px(12);
    float x = strip.x + pad;
    draw_text({x, middle(ui.theme.strong, strip.y, strip.height)}, ui.theme.strong, ui.colors.text, title);
    x += text_width(ui.theme.strong, title) + ui.px(10);
    const float size_width = text_width(ui.theme.small, size);
    const bool room_for_size = strip.right() - pad - size_width - x > ui.px(80);
    const float room = strip.right() - pad - x - reserved - (room_for_size ? size_width + ui.px(12) : 0);
    draw_text({x, middle(ui.theme.body, strip.y, strip.height)}, ui.theme.body,
              is_result ? ui.colors.accent : ui.colors.text_quiet, shorten(ui.theme.body, detail, room, !is_result));
    if (room_for_size)
        draw_text_right({strip.right() - pad, middle(ui.theme.small, strip.y, strip.height)}, ui.theme.small,
                        size_ink != 0 ? size_ink : ui.colors.text_faint, size);
}

void draw_side_strip(Ui& ui, const Area& strip, Side side) {
    const Model& model = *ui.model;
    if (side == Side::before)
        draw_strip(ui, strip, model.views.before_title(),
                   model.views.reference.empty() ? image_name(model) : model.views.reference,
                   !model.views.reference.empty(), size_text(ui.view.spec));
    else
        draw_result_strip(ui, strip, "After");
}

void draw_result_strip(Ui& ui, const Area& strip, std::string_view title) {
    const Model& model = *ui.model;
    if (ui.view.show_original) {
        draw_strip(ui, strip, "Original", "while B is held", false, {});
        return;
    }
    // A run that was stopped leaves the result before it, or none.
    const bool is_earlier = !model.work.busy && model.views.after_is_stale && !model.views.before.empty();
    const std::string_view op = model.run.op != nullptr ? model.run.op->name : "";
    if (model.work.is_long()) {
        draw_strip(ui, strip, title, op, true, {}, busy_width(ui, strip));
        draw_busy(ui, model.work, strip);
    } else if (is_earlier) {
        draw_strip(ui, strip, title, op, true, model.views.after.empty() ? "stopped" : "of earlier settings", 0,
                   ui.colors.warning);
        record(ui, "result:earlier", strip.min(), strip.max(), "", false);
    } else {
        draw_strip(ui, strip, title, op, true, size_text(model.views.after.spec));
    }
}

PaneMouse pane_item(const char* label, const Area& area) {
    ImGui::SetCursorScreenPos(area.min());
    const bool released = ImGui::InvisibleButton(label, {std::max(area.width, 1.0F), std::max(area.height, 1.0F)},
                                                 ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
    const ImGuiIO& io = ImGui::GetIO();
    const bool clicked = released && ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
                         io.MouseDragMaxDistanceSqr[0] < io.MouseDragThreshold * io.MouseDragThreshold;
    return {ImGui::IsItemHovered(), ImGui::IsItemActivated(), ImGui::IsItemActive(), clicked};
}

void navigate(Ui& ui, const Area& area, const PaneMouse& mouse, bool pan_allowed) {
    if (pan_allowed && handle_selection(ui, area, mouse)) pan_allowed = false;
    View& view = ui.view.view;
    ui.view.pane_width = area.width;
    ui.view.pane_height = area.height;
    const ImGuiIO& io = ImGui::GetIO();
    if (mouse.hovered) {
        const double at_x = io.MousePos.x - area.x - area.width / 2;
        const double at_y = io.MousePos.y - area.y - area.height / 2;
        if (io.MouseWheel != 0 && ui.view.loupe)
            ui.view.loupe_factor = std::clamp(ui.view.loupe_factor * std::pow(2.0, io.MouseWheel / 3.0), 1.5, 64.0);
        else if (io.MouseWheel != 0)
            zoom_at(view, std::pow(2.0, io.MouseWheel / 3.0), at_x, at_y);
        if (pan_allowed && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) view.fit = true;
    }
    // The way to where the button went down is no drag, however few frames there were.
    if (pan_allowed && mouse.active && !mouse.activated && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
        pan(view, io.MouseDelta.x, io.MouseDelta.y);
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    }
    settle(view, ui.view.spec, {area.width, area.height});
    if (mouse.hovered) update_hover(ui, area);
    if (pan_allowed && mouse.clicked && (ui.view.hovered || ui.explain.kept)) toggle_kept(ui);
}

int preview_step(const Model& model) {
    const Rect& region = model.views.preview_region;
    const ImageSpec& spec = model.views.preview.spec;
    if (model.views.preview.empty() || spec.empty() || region.width <= 0 || region.height <= 0) return 0;
    return std::max((region.width + spec.width - 1) / spec.width, (region.height + spec.height - 1) / spec.height);
}

void draw_preview(const Ui& ui, const ImageToScreen& map, const Shape& shape) {
    const Model& model = *ui.model;
    const Rect& region = model.views.preview_region;
    const int step = preview_step(model);
    if (step == 0) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(map.at(region.x, region.y), map.at(region.x + region.width, region.y + region.height), true);
    draw_picture_in(model.views.preview, map, shape, region.x, region.y, step);
    list.PopClipRect();
}

void draw_linked(Ui& ui, const Area& area, const Picture& picture, const PixelBlock* numbers, bool marked,
                 std::optional<Side> side) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(area.min(), area.max(), true);
    const View& view = ui.view.view;
    const ImageToScreen map = map_view(view, area);
    draw_picture(ui, picture, map, area);
    if (side == Side::after && !ui.view.show_original) draw_preview(ui, map, shape_of(area));
    if (side)
        draw_clipping(ui, map, area, *side);
    else
        draw_clipping(ui, map, area, picture);
    draw_pixel_grid(map, area, view.visible);
    draw_selection(ui, map, area);
    if (numbers != nullptr) draw_numbers(ui, map, area, *numbers);
    if (side) draw_explained(ui, map, area);  // others are results of other parameters
    if (marked && ui.view.hovered) draw_marker(ui, map, ui.view.hover_x, ui.view.hover_y);
    list.PopClipRect();
}

void draw_pane(Ui& ui, const Area& area, Side side, bool marked) {
    const Model& model = *ui.model;
    const bool is_result = side == Side::after && !ui.view.show_original;
    const Picture& picture = picture_of(ui, side);
    if (!is_result || is_linked(model)) {
        const bool is_compared = side == Side::before || model.views.reference.empty();
        const PixelBlock* numbers = is_result     ? &model.views.numbers_after
                                    : is_compared ? &model.views.numbers_before
                                                  : nullptr;
        draw_linked(ui, area, picture, numbers, marked, side);
        return;
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(area.min(), area.max(), true);
    const View view = own_view(picture.spec, area);
    ui.view.view.minified |= view.zoom < 1;
    draw_picture(ui, picture, map_view(view, area), area);
    list.PopClipRect();
}

}  // namespace tonescope::ui
