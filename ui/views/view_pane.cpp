// One pane of the views: its head, the mouse over it, and its picture.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

/// A view of its own for results that are no image of the same size (a plot).
View own_view(const ImageSpec& spec, const Area& area) {
    View view;
    settle(view, spec, {area.width, area.height});
    if (view.zoom > 1) view.zoom = std::floor(view.zoom);
    return view;
}

void update_hovered(ViewState& state, const Area& area) {
    const ImagePoint at = map_view(state.view, area).image_at(ImGui::GetIO().MousePos);
    if (at.x < 0 || at.y < 0 || at.x >= state.spec.width || at.y >= state.spec.height) return;
    state.hovered = Pixel{static_cast<int>(at.x), static_cast<int>(at.y)};
    state.mouse = at;
}

/// Says that a side is shown through a window, at the left end of an area; a click there shows the full range again.
/// Returns the width that this takes.
float draw_window_note(Frame& ui, const ViewState& state, const Area& area, Side side) {
    const ViewsModel& views = state.model->views;
    const bool is_after = side == Side::after;
    const SampleWindow& window = views.windows.of(is_after);
    if (window.is_full()) return 0;
    const Picture& picture = is_after && !views.after.empty() ? views.after : views.before;
    const SampleRange range = window.range_in(picture.spec.max_sample);
    std::string text =
        window.range ? "C " + sample_text((int64_t{range.low} + range.high) / 2) + " W " + sample_text(range.width())
                     : std::string();
    if (window.inverse) text += text.empty() ? "inverse" : " inverse";
    const Font& font = ui.theme.small;
    const float height = ui.px(20);
    const Area place{area.x, area.y + std::floor((area.height - height) / 2),
                     std::min(text_width(font, text) + ui.px(12), area.width), height};
    const std::string label = is_after ? "window:after" : "window:before";
    if (!views.picturing) {
        if (mouse_area(ui, label.c_str(), place, "window-full")) {
            SampleWindows windows = views.windows;
            windows.set(is_after, {});
            ui.ask(SetWindows{windows});
        }
        fill(place, ImGui::IsItemHovered() ? ui.colors.frame_hovered : ui.colors.frame, ui.px(kRadius));
        tooltip(ui, "Shown through a window: " + window_text(window, picture.spec.max_sample) +
                        "\nA click shows the full range again" + ui.keys("window-full"));
    }
    draw_line_cut(ui, {place.x + ui.px(6), place.y, place.width - ui.px(8), height}, font, ui.colors.warning, text);
    record(ui, label, place, text);
    return place.width + ui.px(10);
}

}  // namespace

std::string fit_caption(Frame& ui, const Area& area, const Font& font, const Caption& caption) {
    const std::string whole = caption.text();
    if (text_width(font, whole) <= area.width) return whole;
    const char* mark = "";
    for (Caption fitting = caption; fitting.parts.size() > 1;) {
        if (fitting.drop_least() != kDefaultValues) mark = ", \u2026";
        const std::string text = fitting.text() + mark;
        if (text_width(font, text) > area.width) continue;
        tooltip_at(ui, area, whole);
        return text;
    }
    return cut_text(ui, area, font, whole);
}

void draw_head(Frame& ui, ViewState& state, const Area& area, const PaneHead& head) {
    fill(area, ui.colors.raised);
    const Font& font = ui.theme.body;
    const float pad = ui.px(12);
    const float right = area.right() - pad;
    const float strip = ui.px(kStripHeight);  // of one line
    float x = area.x + pad;
    if (!head.title.empty())
        x += draw_line_cut(ui, {x, area.y, right - x, strip}, ui.theme.strong, ui.colors.text, head.title) + ui.px(10);
    if (head.windowed) x += draw_window_note(ui, state, {x, area.y, right - x, strip}, *head.windowed);
    const std::string whole = head.caption.text();
    const ImU32 ink = head.is_result ? ui.colors.accent : ui.colors.text_quiet;
    const float whole_width = text_width(font, whole);
    const float note = text_width(ui.theme.small, head.note);
    // What the picture is of comes before its size.
    const float wanted = head.is_warning ? ui.px(80) : whole_width + ui.px(12);
    const bool room_for_note = note > 0 && right - note - x - head.reserved_px > wanted;
    const float room = right - x - head.reserved_px - (room_for_note ? note + ui.px(12) : 0);
    if (state.model->views.picturing && whole_width > room) {  // a picture has no tooltips
        const float top = middle(font, area.y, strip);
        draw_text({x, top}, font, ink, whole, std::max(room, 1.0F));
        const float lines = text_height(font, whole, std::max(room, 1.0F));
        state.needed_head_px = std::max(state.needed_head_px, std::ceil(lines + 2 * (top - area.y)));
    } else {
        const Area place{x, area.y, room, strip};
        draw_line(place, font, ink, fit_caption(ui, place, font, head.caption));
    }
    record(ui, "caption:" + std::string(head.title), area, whole, false);
    if (room_for_note)
        draw_line({x, area.y, right - x, strip}, ui.theme.small,
                  head.is_warning ? ui.colors.warning : ui.colors.text_faint, head.note, Align::right);
}

std::string_view side_title(const ViewState& state, Side side) {
    if (side == Side::before) return state.model->views.before_title();
    return state.show_original ? "Original" : "After";
}

Caption side_caption(const ViewState& state, Side side) {
    const ViewsModel& views = state.model->views;
    if (side == Side::after)
        return state.show_original ? caption_of(views.image_subject()) : caption_of(views.result_subject());
    const PictureSubject& before = views.before_subject;
    return caption_of(before, before.run ? before.name() : std::string());
}

void draw_side_head(Frame& ui, ViewState& state, const Area& area, Side side) {
    if (side == Side::after) return draw_result_head(ui, state, area, "After", side_caption(state, side));
    const bool is_result = state.model->views.before_subject.run.has_value();
    draw_head(ui, state, area,
              {.title = side_title(state, side),
               .caption = side_caption(state, side),
               .is_result = is_result,
               .windowed = side});
}

void draw_result_head(Frame& ui, ViewState& state, const Area& area, std::string_view title, Caption caption,
                      std::optional<Side> windowed) {
    const Model& model = *state.model;
    if (state.show_original)
        return draw_head(ui, state, area,
                         {.title = "Original",
                          .caption = side_caption(state, Side::after),
                          .note = "while B is held",
                          .windowed = Side::before});
    PaneHead head{.title = title, .caption = std::move(caption), .is_result = true, .windowed = windowed};
    // A run that was stopped leaves the result before it, or none.
    const bool is_earlier = !model.work.busy && model.views.after_is_stale && !model.views.before.empty();
    if (model.work.is_long()) {
        head.reserved_px = busy_width(ui, area);
    } else if (is_earlier) {
        head.note = model.views.after.empty() ? "stopped" : "from earlier parameters";
        head.is_warning = true;
        record(ui, "result:earlier", area, "", false);
    } else {
        head.note = size_text(model.views.after.spec);
    }
    draw_head(ui, state, area, head);
    if (model.work.is_long()) draw_busy(ui, model.work, area);
}

Pane original_pane(const ViewsModel& views, std::string name, const Area& head, const Area& area) {
    const bool is_before = views.basis == Basis::image;
    return {std::move(name), head, area, &views.original_picture(), is_before ? &views.numbers_before : nullptr};
}

Pane side_pane(const ViewState& state, Side side, std::string name, const Area& area) {
    const ViewsModel& views = state.model->views;
    const float height = state.head_px;
    const Area head{area.x, area.y, area.width, height};
    const Area below{area.x, head.bottom(), area.width, std::max(area.height - height, 1.0F)};
    Pane pane = original_pane(views, std::move(name), head, below);
    pane.side = side;
    if (side == Side::before) {
        pane.picture = &views.before;
        pane.numbers = &views.numbers_before;
    } else if (!state.show_original) {
        pane.picture = &views.after;
        pane.numbers = &views.numbers_after;
        pane.linked = views.is_linked();
    }
    return pane;
}

PaneMouse pane_item(Frame& ui, const Pane& pane) {
    const Area& area = pane.area;
    const bool released = mouse_area(
        ui, ("view:" + pane.name).c_str(), {area.x, area.y, std::max(area.width, 1.0F), std::max(area.height, 1.0F)},
        "pan-left",
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
    const ImGuiIO& io = ImGui::GetIO();
    const bool clicked = released && ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
                         io.MouseDragMaxDistanceSqr[0] < io.MouseDragThreshold * io.MouseDragThreshold;
    const bool right = ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Right) &&
                       !ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseDown(ImGuiMouseButton_Middle);
    return {ImGui::IsItemHovered(), ImGui::IsItemActivated(), ImGui::IsItemActive(), right, clicked};
}

void navigate(Frame& ui, ViewState& state, const Area& area, const PaneMouse& mouse, bool can_pan) {
    if (can_pan && !state.picks_no_data && handle_selection(ui, state, area, mouse)) can_pan = false;
    View& view = state.view;
    state.pane = {area.width, area.height};
    const ImGuiIO& io = ImGui::GetIO();
    if (mouse.hovered) {
        const double factor = std::pow(2.0, io.MouseWheel / 3.0);
        if (io.MouseWheel != 0 && state.loupe)
            state.loupe_factor = std::clamp(state.loupe_factor * factor, 1.5, 64.0);
        else if (io.MouseWheel != 0)
            zoom_at(view, factor, io.MousePos.x - area.x - area.width / 2, io.MousePos.y - area.y - area.height / 2);
        if (can_pan && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) view.fit = true;
    }
    // The way to where the button went down is no drag, however few frames there were.
    if (can_pan && mouse.active && !mouse.activated && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
        pan(view, io.MouseDelta.x, io.MouseDelta.y);
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    }
    settle(view, state.spec, state.pane);
    if (mouse.hovered) update_hovered(state, area);
    if (can_pan && state.picks_no_data && mouse.clicked && state.hovered) {
        ui.ask(PickNoData{*state.hovered});
        state.picks_no_data = false;
    } else if (can_pan && mouse.clicked && (state.hovered || state.explained.kept) && explains(ui, state.model->run)) {
        state.explained.toggle_kept();
    }
}

int preview_step(const ViewsModel& views) {
    const Rect& region = views.preview_region;
    const ImageSpec& spec = views.preview.spec;
    if (views.preview.empty() || spec.empty() || region.width <= 0 || region.height <= 0) return 0;
    return std::max((region.width + spec.width - 1) / spec.width, (region.height + spec.height - 1) / spec.height);
}

void draw_preview(ViewState& state, const ImageToScreen& map, const Shape& shape) {
    const ViewsModel& views = state.model->views;
    const Rect& region = views.preview_region;
    const int step = preview_step(views);
    if (step == 0) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(map.at(region.x, region.y), map.at(region.x + region.width, region.y + region.height), true);
    draw_through_window(state, views.preview,
                        [&] { draw_picture_in(views.preview, map, shape, region.x, region.y, step); });
    list.PopClipRect();
}

ImVec2 label_size(const Frame& ui, std::string_view text, const LabelLook& look, float wrap) {
    const Font& font = ui.theme.small;
    const float width = text_width(font, text);
    const float below = wrap > 0 ? text_height(font, text, wrap) - font.size_px : 0;
    return {(wrap > 0 ? std::min(width, wrap) : width) + ui.px(2 * look.padding), ui.px(look.height) + below};
}

void draw_label(const Frame& ui, ImVec2 min, std::string_view text, const LabelLook& look, float wrap) {
    const ImVec2 size = label_size(ui, text, look, wrap);
    fill({min.x, min.y, size.x, size.y}, IM_COL32(20, 20, 21, look.alpha), ui.px(look.rounding));
    draw_text({min.x + ui.px(look.padding), middle(ui.theme.small, min.y, ui.px(look.height))}, ui.theme.small,
              IM_COL32(235, 236, 240, 255), text, wrap);
}

void draw_over_picture(Frame& ui, const ViewState& state, const ImageToScreen& map, const Area& area) {
    draw_pixel_grid(map, area, state.view.visible);
    draw_selection(ui, state, map, area);
}

void draw_pane(Frame& ui, ViewState& state, const Pane& pane, bool marked) {
    const Area& area = pane.area;
    if (!pane.linked) {
        const View view = own_view(pane.picture->spec, area);
        state.view.minified |= view.zoom < 1;
        draw_picture(ui, *pane.picture, map_view(view, area), area);
        return;
    }
    const ImageToScreen map = map_view(state.view, area);
    const bool is_result = pane.side == Side::after && !state.show_original;
    draw_checkerboard_under(ui, *pane.picture, map, area);
    draw_through_window(state, *pane.picture, [&] { draw_picture_in(*pane.picture, map, shape_of(area)); });
    if (is_result) draw_preview(state, map, shape_of(area));
    draw_clipping(ui, state, map, area, *pane.picture, is_result);
    draw_over_picture(ui, state, map, area);
    if (pane.numbers != nullptr)
        draw_numbers(ui, map, area, *pane.numbers, window_of(state.model->views, *pane.picture));
    // The explanation is of one result: it is not marked in panes of other parameters.
    if (pane.side || pane.params == state.model->views.explained.params) draw_explained(ui, state, map, area);
    if (marked && state.hovered) draw_marker(ui, map, state.hovered->x, state.hovered->y);
}

}  // namespace tonescope::ui
