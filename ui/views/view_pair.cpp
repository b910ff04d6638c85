// Before and after in two panes, or one of them alone.
#include <algorithm>
#include <cmath>

#include "ui/state.h"
#include "ui/views/view_parts.h"
#include "ui/views/view_transform.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

struct PairLayout {
    Area before_strip, after_strip, before, after, line;
};

/// Both panes have the same size, since they share the view.
PairLayout arrange_pair(const Ui& ui, const Area& area, bool stacked) {
    const float strip = ui.px(kStripHeight);
    const float gap = std::max(1.0F, ui.px(2));
    PairLayout l;
    if (stacked) {
        const float half = std::floor((area.height - gap) / 2);
        const float pane = std::max(half - strip, 1.0F);
        const float second = area.bottom() - half;
        l.before_strip = {area.x, area.y, area.width, strip};
        l.before = {area.x, area.y + strip, area.width, pane};
        l.line = {area.x, area.y + half, area.width, second - area.y - half};
        l.after_strip = {area.x, second, area.width, strip};
        l.after = {area.x, second + strip, area.width, pane};
    } else {
        const float half = std::floor((area.width - gap) / 2);
        const float second = area.right() - half;
        l.before_strip = {area.x, area.y, half, strip};
        l.before = {area.x, area.y + strip, half, area.height - strip};
        l.line = {area.x + half, area.y, second - area.x - half, area.height};
        l.after_strip = {second, area.y, half, strip};
        l.after = {second, area.y + strip, half, area.height - strip};
    }
    return l;
}

/// One pane over the whole area.
void draw_alone(Ui& ui, const Area& area, Side side, const char* label, const std::string& value) {
    const bool original = ui.view.show_original;
    if (original) side = Side::after;
    const float strip = ui.px(kStripHeight);
    const Area pane{area.x, area.y + strip, area.width, area.height - strip};
    settle(ui.view.view, ui.view.spec, {pane.width, pane.height});
    const bool linked = original || side == Side::before || is_linked(*ui.model);
    const Minimap minimap = linked ? minimap_item(ui, pane) : Minimap{};
    const PaneMouse mouse = pane_item(label, pane);
    if (linked) navigate(ui, pane, mouse, true);
    record(ui, label, pane.min(), pane.max(), original ? "original" : value);
    report_hover(ui);
    draw_pane(ui, pane, side, false);
    if (linked && mouse.hovered) draw_loupe_pair(ui, pane);
    draw_minimap(ui, minimap, pane, side);
    draw_side_strip(ui, {area.x, area.y, area.width, strip}, side);
}

}  // namespace

void draw_pair(Ui& ui, const Area& area, bool stacked) {
    ViewState& state = ui.view;
    const PairLayout l = arrange_pair(ui, area, stacked);
    const bool linked = state.show_original || is_linked(*ui.model);
    settle(state.view, state.spec, {l.before.width, l.before.height});
    const Minimap minimap = linked ? minimap_item(ui, l.after) : Minimap{};
    const PaneMouse in_before = pane_item("view:before", l.before);
    navigate(ui, l.before, in_before, true);
    const PaneMouse in_after = pane_item("view:after", l.after);
    if (linked) navigate(ui, l.after, in_after, true);
    const std::string zoom = format("%.4g", state.view.zoom);
    record(ui, "view:before", l.before.min(), l.before.max(), zoom);
    record(ui, "view:after", l.after.min(), l.after.max(), state.show_original ? "original" : zoom);
    report_hover(ui);
    draw_pane(ui, l.before, Side::before, in_after.hovered && !state.loupe);
    draw_pane(ui, l.after, Side::after, in_before.hovered && !state.loupe);
    draw_loupe(ui, l.before, Side::before);
    if (linked) draw_loupe(ui, l.after, Side::after);
    draw_minimap(ui, minimap, l.after, Side::after);
    draw_side_strip(ui, l.before_strip, Side::before);
    draw_side_strip(ui, l.after_strip, Side::after);
    ImGui::GetWindowDrawList()->AddRectFilled(l.line.min(), l.line.max(), ui.colors.line);
}

void draw_single(Ui& ui, const Area& area) {
    draw_alone(ui, area, Side::after, "view:after", format("%.4g", ui.view.view.zoom));
}

void draw_flicker(Ui& ui, const Area& area) {
    FlickerState& flicker = ui.view.flicker;
    if (flicker.running) {
        ui.animating = true;
        const double interval_s = flicker.interval_ms / 1000.0;
        if (ui.time_s - flicker.switched_s >= interval_s) {
            flicker.shows_before = !flicker.shows_before;
            // In step with the interval, unless frames have been left out.
            flicker.switched_s = std::max(flicker.switched_s + interval_s, ui.time_s - interval_s / 2);
        }
    }
    const bool before = flicker.shows_before;
    draw_alone(ui, area, before ? Side::before : Side::after, "view:flicker", before ? "before" : "after");
}

}  // namespace tonescope::ui
