// The controls of the bar above the views.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/views/view_mode.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

/// Where the keys bring the slider that has the keyboard; what goes by steps goes by its own.
double keyed_position(const Frame& ui, double position) {
    constexpr double kPage = 0.25;
    if (ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeyAlt) return position;
    for (const auto& [key, command] : {std::pair{ImGuiKey_LeftArrow, "less"}, {ImGuiKey_RightArrow, "more"}})
        if (key_pressed(key, true) && ui.commands->available(command)) ui.commands->run(command);
    for (const auto& [key, way] : {std::pair{ImGuiKey_PageDown, -1.0}, {ImGuiKey_PageUp, 1.0}})
        if (key_pressed(key, true)) return std::clamp(position + way * kPage, 0.0, 1.0);
    if (key_pressed(ImGuiKey_Home)) return 0;
    return key_pressed(ImGuiKey_End) ? 1 : position;
}

constexpr float kTrack = 84, kValueGap = 8, kSliderGap = 12;  // at 96 dpi

}  // namespace

void BarRow::add(float width, std::function<void(ImVec2)> draw) {
    const float before = controls_.empty() ? 0 : ui_.px(gap);
    controls_.push_back({before, width, std::move(draw)});
    width_ += before + width;
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
        part_area(label, track);
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

void BarRow::draw(size_t control, ImVec2 at) const {
    ImGui::SetCursorScreenPos(at);
    controls_[control].draw(at);
}

std::string help_of_steps(const Frame& ui, const char* help) {
    return std::string(help) + " (" + std::string(ui.commands->keys("less")) + " and " +
           std::string(ui.commands->keys("more")) + ")";
}

}  // namespace tonescope::ui
