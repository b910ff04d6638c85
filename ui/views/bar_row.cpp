#include "ui/views/bar_row.h"
#include "ui/widgets/widgets.h"

#include <algorithm>
#include <cmath>

namespace tonescope::ui {
namespace {

constexpr float kTrack = 84, kValueGap = 8, kSliderGap = 12;  // at 96 dpi

/// The new position while the mouse changes it, else `position`.
double drag_small_slider(Frame& ui, const char* label, ImVec2 min, const std::string& value, float value_width,
                         double position, double reset, const std::string& help) {
    const float height = ui.px(kSegmentHeight);
    const float track = ui.px(kTrack);
    const ImVec2 max{min.x + track, min.y + height};
    hit_area(label, {track, height});
    const bool active = ImGui::IsItemActive();
    const bool hovered = ImGui::IsItemHovered();
    const float grab = ui.px(5);
    if (active) position = std::clamp((ImGui::GetIO().MousePos.x - min.x - grab) / double{track - 2 * grab}, 0.0, 1.0);
    if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) position = reset;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool lit = active || hovered;
    const float y = std::floor((min.y + max.y) / 2);
    const float half = std::max(1.0F, ui.px(2));
    const float at = min.x + grab + (track - 2 * grab) * static_cast<float>(position);
    list.AddRectFilled({min.x, y - half}, {max.x, y + half}, ui.colors.frame_active, half);
    list.AddRectFilled({min.x, y - half}, {at, y + half}, lit ? ui.colors.accent : ui.colors.accent_deep, half);
    list.AddCircleFilled({at, y}, grab, lit ? ui.colors.text : ui.colors.grab, 20);
    draw_text_right({max.x + ui.px(kValueGap) + value_width, middle(ui.theme.small, min.y, height)}, ui.theme.small,
                    ui.colors.text_quiet, value);
    if (!active) tooltip(ui, help);
    record(ui, label, min, max, value);
    return position;
}

/// True when it was clicked.
bool draw_toggle(Frame& ui, const char* label, const char* text, bool on, ImVec2 min, float width, bool enabled,
                 const std::string& help) {
    ImGui::BeginDisabled(!enabled);
    const ImVec2 max{min.x + width, min.y + ui.px(kSegmentHeight)};
    const bool clicked = hit_area(label, {width, max.y - min.y});
    const bool hovered = ImGui::IsItemHovered();
    const ImU32 fill = on ? ui.colors.accent_deep : hovered ? ui.colors.frame_active : ui.colors.frame;
    const ImU32 ink = on ? IM_COL32_WHITE : hovered ? ui.colors.text : ui.colors.text_quiet;
    const Font& font = ui.theme.body;
    ImGui::GetWindowDrawList()->AddRectFilled(min, max, fill, ui.px(4));
    draw_text({(min.x + max.x - text_width(font, text)) / 2, middle(font, min.y, max.y - min.y)}, font, ink, text);
    ImGui::EndDisabled();
    tooltip(ui, help);
    record(ui, label, min, max, on ? "on" : "", true, enabled);
    return clicked;
}

}  // namespace

void BarRow::add(float width, std::function<void(ImVec2)> draw) {
    if (!controls_.empty()) width_ += ui_.px(gap);
    controls_.push_back({width_, std::move(draw)});
    width_ += width;
}

void BarRow::add(const BarRow& others) {
    add(others.width(), [others](ImVec2 at) { others.draw(at); });
}

void BarRow::toggle(const char* label, const char* text, std::string_view command, bool on, const char* help,
                    const char* widest) {
    const float width = std::ceil(text_width(ui_.theme.body, widest != nullptr ? widest : text)) + ui_.px(20);
    add(width, [=, &ui = ui_](ImVec2 at) {
        if (draw_toggle(ui, label, text, on, at, width, ui.commands->available(command), help + ui.keys(command)))
            ui.commands->run(command);
    });
}

void BarRow::slider(const char* label, const std::string& value, const char* widest, double position, double reset,
                    const char* help, std::function<void(double)> change) {
    const float value_width = std::ceil(text_width(ui_.theme.small, widest));
    gap = kSliderGap;
    add(ui_.px(kTrack + kValueGap) + value_width, [=, &ui = ui_](ImVec2 at) {
        const double moved =
            drag_small_slider(ui, label, at, value, value_width, position, reset, help_of_steps(ui, help));
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
