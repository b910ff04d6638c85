// The line above a pane.
#include "ui/views/view_parts.h"
#include "ui/widgets/progress.h"

namespace tonescope::ui {
namespace {

std::string size_text(const ImageSpec& spec) {
    return spec.empty() ? std::string() : format("%d \xc3\x97 %d", spec.width, spec.height);
}

std::string_view image_name(const ImagesModel& images) {
    const bool known = images.current >= 0 && images.current < static_cast<int>(images.entries.size());
    return known ? std::string_view(images.entries[static_cast<size_t>(images.current)].name) : "";
}

}  // namespace

void draw_head(const Frame& ui, const Area& area, const PaneHead& head) {
    ImGui::GetWindowDrawList()->AddRectFilled(area.min(), area.max(), ui.colors.raised);
    const auto line = [&](const Font& font) { return middle(font, area.y, area.height); };
    const float pad = ui.px(12);
    float x = area.x + pad;
    draw_text({x, line(ui.theme.strong)}, ui.theme.strong, ui.colors.text, head.title);
    x += text_width(ui.theme.strong, head.title) + ui.px(10);
    const float note = text_width(ui.theme.small, head.note);
    const bool room_for_note = area.right() - pad - note - x > ui.px(80);
    const float room = area.right() - pad - x - head.reserved_px - (room_for_note ? note + ui.px(12) : 0);
    draw_text({x, line(ui.theme.body)}, ui.theme.body, head.is_result ? ui.colors.accent : ui.colors.text_quiet,
              shorten(ui.theme.body, head.detail, room, !head.is_result));
    if (room_for_note)
        draw_text_right({area.right() - pad, line(ui.theme.small)}, ui.theme.small,
                        head.is_warning ? ui.colors.warning : ui.colors.text_faint, head.note);
}

void draw_image_head(const Frame& ui, const ViewState& state, const Area& area, std::string_view title) {
    draw_head(ui, area, {title, image_name(state.model->images), false, size_text(state.spec)});
}

void draw_side_head(Frame& ui, const ViewState& state, const Area& area, Side side) {
    const ViewsModel& views = state.model->views;
    if (side == Side::after)
        draw_result_head(ui, state, area, "After");
    else if (views.reference.empty())
        draw_image_head(ui, state, area, views.before_title());
    else
        draw_head(ui, area, {views.before_title(), views.reference, true, size_text(state.spec)});
}

void draw_result_head(Frame& ui, const ViewState& state, const Area& area, std::string_view title) {
    const Model& model = *state.model;
    if (state.show_original) return draw_head(ui, area, {"Original", "while B is held"});
    PaneHead head{title, model.run.op != nullptr ? model.run.op->name : "", true};
    // A run that was stopped leaves the result before it, or none.
    const bool is_earlier = !model.work.busy && model.views.after_is_stale && !model.views.before.empty();
    if (model.work.is_long()) {
        head.reserved_px = busy_width(ui, area);
    } else if (is_earlier) {
        head.note = model.views.after.empty() ? "stopped" : "of earlier settings";
        head.is_warning = true;
        record(ui, "result:earlier", area.min(), area.max(), "", false);
    } else {
        head.note = size_text(model.views.after.spec);
    }
    draw_head(ui, area, head);
    if (model.work.is_long()) draw_busy(ui, model.work, area);
}

}  // namespace tonescope::ui
