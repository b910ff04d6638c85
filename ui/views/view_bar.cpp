// The bar above the views: modes at the left, commands at the right, the mode's options between them; what has no room
// stands in rows below.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ui/views/views.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

// At 96 dpi: of a mode without its name, beside the outermost pieces, between pieces, what a mode's options may take
// before names give way, and the height below which options get no row of their own.
constexpr float kModeWidth = 36, kInset = 8, kApart = 16, kOptionsRoom = 330, kLowViews = 320;
constexpr float kIcon = 16;  // with names

struct ActionButton {
    const char* command;
    Icon icon;
};
constexpr ActionButton kActionButtons[] = {
    {"undo", Icon::undo},      {"redo", Icon::redo},         {"palette", Icon::commands},
    {"shortcuts", Icon::help}, {"settings", Icon::settings},
};

/// Beside an icon.
float name_width(const Frame& ui, std::string_view name) {
    return std::ceil(text_width(ui.theme.body, name)) + ui.px(6);
}

/// `named`: with the commands' names beside the icons.
BarRow action_buttons(Frame& ui, bool named) {
    BarRow row(ui);
    row.gap = 2;
    const float side = ui.px(kSegmentHeight);
    for (const ActionButton& each : kActionButtons) {
        const std::string name = named ? ui.commands->title(each.command) : "";
        const float width = side + (named ? name_width(ui, name) : 0);
        row.add(width, [&ui, &each, side, name](ImVec2 at) {
            const bool usable = ui.commands->available(each.command);
            const std::string label = std::string("bar:") + each.command;
            if (icon_button(ui, at, label.c_str(), each.icon, side, usable, true, name)) ui.commands->run(each.command);
            tooltip(ui, ui.commands->help(each.command));
        });
    }
    return row;
}

/// Of each mode's button.
std::vector<float> mode_widths(const Frame& ui, bool named) {
    std::vector<float> widths;
    for (const ViewModeInfo& mode : view_modes())
        widths.push_back(named ? ui.px(kIcon + 18) + name_width(ui, mode.name) : ui.px(kModeWidth));
    return widths;
}

void draw_modes(Frame& ui, Views& views, ImVec2 at, const std::vector<float>& widths, bool named) {
    const std::span<const ViewModeInfo> modes = view_modes();
    Area area{at.x, at.y, 0, ui.px(kSegmentHeight)};
    const Area whole{at.x, at.y, std::accumulate(widths.begin(), widths.end(), 0.0F), area.height};
    fill(whole, ui.colors.frame, ui.px(kRadius));
    record(ui, "mode", whole, modes[views.shown_mode()].id, false);
    ui.keyboard.begin_group(ImGui::GetID("modes"), false);
    for (size_t k = 0; k < modes.size(); ++k) {
        const ViewModeInfo& mode = modes[k];
        const std::string label = "mode:" + std::string(mode.id);
        const bool usable = mode.can_show(*views.state.model);
        area.width = widths[k];
        begin_disabled(ui, !usable);
        if (hit_area(ui, label.c_str(), area, k == views.shown_mode(), mode.name)) views.choose_mode(ui, k);
        end_disabled(ui, !usable);
        const ImU32 ground_ink =
            switch_ground(ui, area.inset(ui.px(2)), k == views.shown_mode(), ui.colors.frame_active);
        const ImU32 ink = usable ? ground_ink : ui.colors.text_faint;
        const float icon_x = named ? area.x + ui.px(10) : std::round(area.center().x) - ui.px(kIcon / 2);
        const Area icon{icon_x, std::round(area.center().y) - ui.px(6), ui.px(kIcon), 2 * ui.px(6)};
        views.mode(k).draw_icon(ui, icon, ink);
        if (named) draw_line({icon.right() + ui.px(6), area.y, 0, area.height}, ui.theme.body, ink, mode.name);
        tooltip(ui, usable ? std::string(mode.help) + ui.keys(mode.id) : std::string(mode.need->help));
        record(ui, label, area, k == views.shown_mode() ? "on" : "", true, usable);
        area.x += area.width;
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
    const float apart = ui.px(kApart);
    const Area inner{area.x + ui.px(kInset), area.y, area.width - 2 * ui.px(kInset), area.height};
    const auto fit = [&](std::initializer_list<float> widths) {
        return std::accumulate(widths.begin(), widths.end(), static_cast<float>(widths.size() - 1) * apart) <=
               inner.width;
    };
    const auto make_toggles = [&](const char* pin) {
        BarRow row(ui);
        row.toggle("pin", pin, "pin", state.model->views.basis != Basis::image,
                   "Pins this result: others are compared with it, not with the image");
        row.toggle("explain", "Explain", "explain", explains(ui, state.model->run),
                   can_explain(state.model->run) ? "Explains the pixel under the mouse: its tiles, tables or quadrants"
                                                 : "This operator has nothing to explain");
        return row;
    };
    const BarRow short_toggles = make_toggles("Pin"), long_toggles = make_toggles("Pin result");

    // Names stand beside the icons where the widest options have room too: they do not come and go with the mode.
    const auto sum = [](const std::vector<float>& widths) {
        return std::accumulate(widths.begin(), widths.end(), 0.0F);
    };
    const BarRow with_names = action_buttons(ui, true);
    const float options_room = ui.px(kOptionsRoom);
    const float named_modes = sum(mode_widths(ui, true));
    const bool names_modes = fit({named_modes, short_toggles.width(), options_room, action_buttons(ui, false).width()});
    const bool names_actions = fit({named_modes, short_toggles.width(), options_room, with_names.width()});
    const BarRow actions = names_actions ? with_names : action_buttons(ui, false);
    const bool names_pin = fit({named_modes, long_toggles.width(), options_room, with_names.width()});
    const BarRow& toggles = names_pin ? long_toggles : short_toggles;
    std::vector<float> widths = mode_widths(ui, names_modes);
    const float narrow = std::floor(inner.width / static_cast<float>(widths.size()));
    if (!names_modes) std::ranges::fill(widths, std::min(widths[0], narrow));
    const float modes = sum(widths);

    // What has no room in the first row stands in the second, and options without room there in the third.
    const bool actions_up = fit({modes, actions.width()});
    const bool toggles_up = actions_up ? fit({modes, toggles.width(), actions.width()}) : fit({modes, toggles.width()});
    const bool has_second = !actions_up || !toggles_up;
    const float beside = (toggles_up ? 0 : toggles.width() + apart) + (actions_up ? 0 : actions.width() + apart);
    // A low window keeps its height for the image: options make do with what is left beside.
    const bool is_low = has_second && area.height < ui.px(kLowViews);
    BarRow options(ui);
    mode(shown_mode_).add_options(ui, state, options, inner.width - (is_low ? beside : 0));
    const bool options_up = actions_up && toggles_up && fit({modes, toggles.width(), options.width(), actions.width()});
    const bool options_beside = has_second && beside + options.width() <= inner.width;
    const int rows = 1 + (has_second ? 1 : 0) + (options.empty() || options_up || options_beside ? 0 : 1);
    const float step = ui.px(kBarRow) - ui.px(4);
    const float height = ui.px(kBarRow) + static_cast<float>(rows - 1) * step;
    fill({area.x, area.y, area.width, height}, ui.colors.panel);

    const float top = area.y + std::floor((ui.px(kBarRow) - ui.px(kSegmentHeight)) / 2);
    const float actions_x = inner.right() - actions.width();
    const auto draw_options = [&](float end, float y) { options.draw({end - options.width(), y}); };
    draw_modes(ui, *this, {inner.x, top}, widths, names_modes);
    if (toggles_up) toggles.draw({inner.x + modes + ui.px(8), top});
    if (options_up) draw_options(actions_x - apart, top);
    if (actions_up) actions.draw({actions_x, top});
    if (!toggles_up) toggles.draw({inner.x, top + step});
    if (options_beside && !options_up) draw_options(actions_up ? inner.right() : actions_x - apart, top + step);
    if (!actions_up) actions.draw({actions_x, top + step});
    if (!options_up && !options_beside) options.draw({inner.x, top + static_cast<float>(rows - 1) * step});
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
