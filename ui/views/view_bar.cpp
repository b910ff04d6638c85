// The bar above the views: modes at the left, commands at the right, the mode's options between them or in a row below.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/views/views.h"
#include "ui/widgets/keys.h"

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
        row.add(side, [&ui, &each, side](ImVec2 at) {
            const std::string label = std::string("bar:") + each.command;
            if (icon_button(ui, at, label.c_str(), each.icon, side, ui.commands->available(each.command)))
                ui.commands->run(each.command);
            tooltip(ui, ui.commands->help(each.command));
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
    Area area{at.x, at.y, width, ui.px(kSegmentHeight)};
    const Area whole{at.x, at.y, width * static_cast<float>(modes.size()), area.height};
    fill(whole, ui.colors.frame, ui.px(4));
    record(ui, "mode", whole, modes[views.shown_mode()].id, false);
    ui.keyboard.begin_group(ImGui::GetID("modes"), false);
    for (size_t k = 0; k < modes.size(); ++k, area.x += width) {
        const ViewModeInfo& mode = modes[k];
        const std::string label = "mode:" + std::string(mode.id);
        const bool usable = mode.can_show(*views.state.model);
        begin_disabled(ui, !usable);
        if (hit_area(ui, label.c_str(), area, k == views.shown_mode(), mode.title)) views.choose_mode(ui, k);
        end_disabled(ui, !usable);
        const ImU32 ink = switch_ground(ui, area.inset(ui.px(2)), k == views.shown_mode(), ui.colors.frame_active);
        const Area icon{std::round(area.center().x) - ui.px(8), std::round(area.center().y) - ui.px(6), 2 * ui.px(8),
                        2 * ui.px(6)};
        views.mode(k).draw_icon(ui, icon, usable ? ink : ui.colors.text_faint);
        tooltip(ui, usable ? std::string(mode.help) + ui.keys(mode.id) : std::string(mode.need->help));
        record(ui, label, area, k == views.shown_mode() ? "on" : "", true, usable);
    }
    ui.keyboard.end_group();
}

/// Where the keys bring the slider that has the keyboard; what goes by steps goes by its own.
double keyed_position(const Frame& ui, double position) {
    for (const auto& [key, command] : {std::pair{ImGuiKey_LeftArrow, "less"}, {ImGuiKey_RightArrow, "more"}})
        if (key_pressed(key, true) && ui.commands->available(command)) ui.commands->run(command);
    if (key_pressed(ImGuiKey_Home)) return 0;
    return key_pressed(ImGuiKey_End) ? 1 : position;
}

constexpr float kTrack = 84, kValueGap = 8, kSliderGap = 12;  // at 96 dpi

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
    toggles.toggle("pin", "Pin", "pin", state.model->views.basis != Basis::image,
                   "Pins this result: others are compared with it, not with the image");
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
    fill({area.x, area.y, area.width, height}, ui.colors.panel);

    const float top = area.y + std::floor((row - ui.px(kSegmentHeight)) / 2);
    draw_modes(ui, *this, {area.x + padding, top}, mode_width);
    const ImVec2 toggles_at =
        toggles_up ? ImVec2{area.x + modes_end + ui.px(8), top} : ImVec2{area.x + padding, top + step};
    toggles.draw(toggles_at);
    if (options_up)
        options.draw({actions_x - apart - options.width(), top});
    else if (options_beside)
        options.draw({area.right() - padding - options.width(), toggles_at.y});
    else
        options.draw({area.x + padding, top + static_cast<float>(rows - 1) * step});
    actions.draw({actions_x, top});
    return height;
}

void BarRow::add(float width, std::function<void(ImVec2)> draw) {
    if (!controls_.empty()) width_ += ui_.px(gap);
    controls_.push_back({width_, std::move(draw)});
    width_ += width;
}

void BarRow::toggle(const char* label, const char* text, std::string_view command, bool on, const char* help,
                    const char* widest) {
    const float width = std::ceil(text_width(ui_.theme.body, widest != nullptr ? widest : text)) + ui_.px(20);
    add(width, [=, &ui = ui_](ImVec2 at) {
        const Area area{at.x, at.y, width, ui.px(kSegmentHeight)};
        const bool enabled = ui.commands->available(command);
        begin_disabled(ui, !enabled);
        const bool clicked = hit_area(ui, label, area);
        const ImU32 ink = switch_ground(ui, area, on, ui.colors.frame_active, ui.colors.frame, 4);
        end_disabled(ui, !enabled);
        draw_line(area, ui.theme.body, enabled ? ink : ui.colors.text_faint, text, Align::center);
        tooltip(ui, help + ui.keys(command));
        record(ui, label, area, on ? "on" : "", true, enabled);
        if (clicked) ui.commands->run(command);
    });
}

void BarRow::slider(const char* label, const std::string& value, const char* widest, double position, double reset,
                    const char* help, std::function<void(double)> change) {
    const float value_width = std::ceil(text_width(ui_.theme.small, widest));
    gap = kSliderGap;
    add(ui_.px(kTrack + kValueGap) + value_width, [=, &ui = ui_](ImVec2 at) {
        const Area track{at.x, at.y, ui.px(kTrack), ui.px(kSegmentHeight)};
        mouse_area(label, track);
        ui.keyboard.add({ImGui::GetID(label), track.min(), track.max(), TakesKeys::across});
        const bool active = ImGui::IsItemActive();
        const bool hovered = ImGui::IsItemHovered();
        const float grab = ui.px(5);
        double moved = position;
        if (active)
            moved = std::clamp((ImGui::GetIO().MousePos.x - at.x - grab) / double{track.width - 2 * grab}, 0.0, 1.0);
        if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) moved = reset;
        if (ui.keyboard.is_on(ImGui::GetID(label))) moved = keyed_position(ui, moved);
        draw_slider(ui, track, moved, active || hovered, {grab, 20, ui.colors.frame_active});
        draw_line({track.right() + ui.px(kValueGap), at.y, value_width, track.height}, ui.theme.small,
                  ui.colors.text_quiet, value, Align::right);
        if (!active) tooltip(ui, help_of_steps(ui, help));
        record(ui, label, track, value);
        if (moved != position) change(moved);
    });
}

void BarRow::draw(ImVec2 at) const {
    for (const Control& control : controls_) {
        ImGui::SetCursorScreenPos({at.x + control.x, at.y});
        control.draw({at.x + control.x, at.y});
    }
}

std::string help_of_steps(const Frame& ui, const char* help) {
    return std::string(help) + " (" + std::string(ui.commands->keys("less")) + " and " +
           std::string(ui.commands->keys("more")) + ")";
}

}  // namespace tonescope::ui
