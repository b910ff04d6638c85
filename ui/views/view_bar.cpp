// The bar above the views: modes at the left, commands at the right, the mode's options between them or in a row below.
#include <algorithm>
#include <cmath>

#include "ui/views/views.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kModeWidth = 36, kInset = 8;  // at 96 dpi

struct ActionButton {
    const char* command;
    Icon icon;
    int needed;  // shown where there is room for so many
};
// Where there is little room those that are missed least give way first; the way to everything stays.
constexpr ActionButton kActionButtons[] = {
    {"undo", Icon::undo, 5},      {"redo", Icon::redo, 5},         {"palette", Icon::commands, 1},
    {"shortcuts", Icon::help, 2}, {"settings", Icon::settings, 3},
};

BarRow action_buttons(Frame& ui, int count) {
    BarRow row(ui);
    row.gap = 2;
    const float side = ui.px(kSegmentHeight);
    for (const ActionButton& each : kActionButtons) {
        if (each.needed > count) continue;
        row.add(side, [&ui, &each, side](ImVec2) {
            const std::string label = std::string("bar:") + each.command;
            if (icon_button(ui, label.c_str(), each.icon, side, ui.commands->available(each.command)))
                ui.commands->run(each.command);
            tooltip(ui, ui.command_help(each.command));
        });
    }
    return row;
}

/// As many as `room` holds, at least one.
BarRow action_buttons_in(Frame& ui, float room) {
    for (const int count : {5, 3, 2})
        if (BarRow row = action_buttons(ui, count); row.width() <= room) return row;
    return action_buttons(ui, 1);
}

void draw_modes(Frame& ui, Views& views, ImVec2 at, float width) {
    const std::span<const ViewModeInfo> modes = view_modes();
    const float height = ui.px(kSegmentHeight);
    const float inset = ui.px(2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + width * static_cast<float>(modes.size()), at.y + height};
    list.AddRectFilled(at, end, ui.colors.frame, ui.px(4));
    record(ui, "mode", at, end, modes[views.shown_mode()].id, false);
    for (size_t k = 0; k < modes.size(); ++k, at.x += width) {
        const ViewModeInfo& mode = modes[k];
        const ImVec2 max{at.x + width, at.y + height};
        const std::string label = "mode:" + std::string(mode.id);
        const bool usable = mode.can_show(*views.state.model);
        ImGui::SetCursorScreenPos(at);
        ImGui::BeginDisabled(!usable);
        if (hit_area(label.c_str(), {width, height})) views.choose_mode(ui, k);
        const bool hovered = ImGui::IsItemHovered();
        ImGui::EndDisabled();
        const bool on = k == views.shown_mode();
        if (on || hovered)
            list.AddRectFilled({at.x + inset, at.y + inset}, {max.x - inset, max.y - inset},
                               on ? ui.colors.accent_deep : ui.colors.frame_active, ui.px(3));
        const ImU32 ink = on ? IM_COL32_WHITE : hovered ? ui.colors.text : ui.colors.text_quiet;
        views.mode(k).draw_icon(ui, {std::round((at.x + max.x) / 2), std::round((at.y + max.y) / 2)},
                                usable ? ink : ui.colors.text_faint);
        tooltip(ui, usable ? std::string(mode.help) + ui.keys(mode.id) : std::string(mode.need->help));
        record(ui, label, at, max, on ? "on" : "", true, usable);
    }
}

}  // namespace

float Views::draw_bar(Frame& ui, const Area& area) {
    const float row = ui.px(kBarRow);
    const float gap = ui.px(6);
    const float padding = ui.px(kInset);
    const float apart = ui.px(16);
    const auto mode_count = static_cast<float>(view_modes().size());
    const float least_actions = gap + action_buttons(ui, 1).width() + padding;
    const float mode_width =
        std::min(ui.px(kModeWidth), std::floor((area.width - padding - least_actions) / mode_count));
    const float modes_end = padding + mode_width * mode_count;

    BarRow toggles(ui);
    toggles.toggle("pin", "Pin", "pin", !state.model->views.reference.empty(),
                   "Keeps this result as reference: others are compared against it, not against the image");
    toggles.toggle("explain", "Explain", "explain", explains(ui, state.model->run),
                   can_explain(state.model->run)
                       ? "How it works: tiles, tables and quadrants at the pixel under the mouse"
                       : "This operator has nothing to explain");
    const bool toggles_up = modes_end + ui.px(8) + toggles.width() + least_actions <= area.width;
    const float used = modes_end + (toggles_up ? ui.px(8) + toggles.width() : 0);
    const BarRow actions = action_buttons_in(ui, area.width - used - gap - padding);
    const float actions_x = area.right() - padding - actions.width();
    BarRow options(ui);
    mode(shown_mode_).add_options(ui, state, options, area.width - 2 * padding);
    const bool options_up = toggles_up && used + apart + options.width() + apart <= actions_x - area.x;
    const bool options_beside =
        !toggles_up && padding + toggles.width() + apart + options.width() + padding <= area.width;
    int rows = toggles_up ? 1 : 2;
    if (!options.empty() && !options_up && !options_beside) ++rows;
    const float step = row - ui.px(4);
    const float height = row + static_cast<float>(rows - 1) * step;
    ImGui::GetWindowDrawList()->AddRectFilled(area.min(), {area.right(), area.y + height}, ui.colors.panel);

    const float top = area.y + std::floor((row - ui.px(kSegmentHeight)) / 2);
    draw_modes(ui, *this, {area.x + padding, top}, mode_width);
    actions.draw({actions_x, top});
    const ImVec2 toggles_at =
        toggles_up ? ImVec2{area.x + modes_end + ui.px(8), top} : ImVec2{area.x + padding, top + step};
    toggles.draw(toggles_at);
    if (options_up)
        options.draw({actions_x - apart - options.width(), top});
    else if (options_beside)
        options.draw({area.right() - padding - options.width(), toggles_at.y});
    else
        options.draw({area.x + padding, top + static_cast<float>(rows - 1) * step});
    return height;
}

}  // namespace tonescope::ui
