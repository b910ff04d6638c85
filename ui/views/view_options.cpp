// The options of the view modes, in the bar above the views.
#include "ui/views/view_options.h"
#include "ui/state.h"

#include <algorithm>
#include <cmath>

namespace tonescope::ui {
namespace {

constexpr float kTrack = 84;  // at 96 dpi
constexpr double kMinInterval_ms = 100, kMaxInterval_ms = 2000;
constexpr double kMaxGain = 64;

/// A small slider with its value at the right; a right click resets it. `position` 0 to 1; true where it changed.
bool small_slider(Ui& ui, const char* label, const std::string& value, float value_width, double& position,
                  double reset, const char* help) {
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const float height = ui.px(kSegmentHeight);
    const float track = ui.px(kTrack);
    const ImVec2 max{min.x + track, min.y + height};
    ImGui::InvisibleButton(label, {track, height});
    const bool active = ImGui::IsItemActive();
    const bool hovered = ImGui::IsItemHovered();
    const float grab = ui.px(5);
    const double before = position;
    if (active) position = std::clamp((ImGui::GetIO().MousePos.x - min.x - grab) / double{track - 2 * grab}, 0.0, 1.0);
    if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) position = reset;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = std::floor((min.y + max.y) / 2);
    const float half = std::max(1.0F, ui.px(2));
    const float at = min.x + grab + (track - 2 * grab) * static_cast<float>(position);
    list.AddRectFilled({min.x, y - half}, {max.x, y + half}, ui.colors.frame_active, half);
    list.AddRectFilled({min.x, y - half}, {at, y + half}, active || hovered ? ui.colors.accent : ui.colors.accent_deep,
                       half);
    list.AddCircleFilled({at, y}, grab, active || hovered ? ui.colors.text : ui.colors.grab, 20);
    draw_text_right({max.x + ui.px(8) + value_width, middle(ui.theme.small, min.y, height)}, ui.theme.small,
                    ui.colors.text_quiet, value);
    if (!active) tooltip(ui, help);
    record(ui, label, min, max, value);
    return position != before;
}

Options wipe_options(Ui& ui) {
    WipeState& wipe = ui.view.wipe;
    const float turn = std::ceil(text_width(ui.theme.body, "Turn")) + ui.px(20);
    const float swap = std::ceil(text_width(ui.theme.body, "Swap")) + ui.px(20);
    return {turn + ui.px(6) + swap, [&ui, &wipe, turn, swap](ImVec2 at) {
                ImGui::SetCursorScreenPos(at);
                if (toggle(ui, "wipe:turn by 45", "Turn", false, turn,
                           "Turns the line by 45 degrees (R). Drag the small grip for any angle"))
                    turn_wipe(ui);
                ImGui::SetCursorScreenPos({at.x + turn + ui.px(6), at.y});
                if (toggle(ui, "wipe:swap", "Swap", wipe.swapped, swap, "Swaps the sides (X)"))
                    wipe.swapped = !wipe.swapped;
            }};
}

Options flicker_options(Ui& ui) {
    FlickerState& flicker = ui.view.flicker;
    const float run = std::ceil(text_width(ui.theme.body, "Pause")) + ui.px(20);
    const float value = std::ceil(text_width(ui.theme.small, "2.00 s"));
    return {run + ui.px(12) + ui.px(kTrack + 8) + value, [&ui, &flicker, run, value](ImVec2 at) {
                ImGui::SetCursorScreenPos(at);
                if (toggle(ui, "flicker:run", flicker.running ? "Pause" : "Run", false, run,
                           "Stops and starts the change (Space)"))
                    flicker.running = !flicker.running;
                ImGui::SetCursorScreenPos({at.x + run + ui.px(12), at.y});
                const double range = std::log(kMaxInterval_ms / kMinInterval_ms);
                double position = std::log(flicker.interval_ms / kMinInterval_ms) / range;
                if (small_slider(ui, "flicker:interval", format("%.2f s", flicker.interval_ms / 1000.0), value,
                                 position, std::log(500 / kMinInterval_ms) / range, "How long each is shown ([ and ])"))
                    flicker.interval_ms =
                        static_cast<int>(std::round(kMinInterval_ms * std::exp(position * range) / 10) * 10);
            }};
}

Options difference_options(Ui& ui) {
    DifferenceAppearance& look = ui.view.look;
    const float kind = ui.px(136);
    const float map = std::ceil(text_width(ui.theme.body, "Map")) + ui.px(20);
    const float value = std::ceil(text_width(ui.theme.small, "\xc3\x97 64.0"));
    const float gap = ui.px(8);
    return {kind + gap + map + gap + ui.px(4) + ui.px(kTrack + 8) + value, [=, &ui, &look](ImVec2 at) {
                ImGui::SetCursorScreenPos(at);
                constexpr std::string_view kinds[] = {"Signed", "Absolute"};
                const int clicked = segmented(ui, "difference", kinds, look.is_signed ? 0 : 1, kind);
                if (clicked >= 0) look.is_signed = clicked == 0;
                at.x += kind + gap;
                ImGui::SetCursorScreenPos(at);
                if (toggle(ui, "difference:false colour", "Map", look.false_color, map,
                           "False colour: one scale for the channel that differs most (M)"))
                    look.false_color = !look.false_color;
                at.x += map + gap + ui.px(4);
                ImGui::SetCursorScreenPos(at);
                double position = std::log(double{look.gain}) / std::log(kMaxGain);
                if (small_slider(ui, "difference:gain", format("\xc3\x97 %.3g", double{look.gain}), value, position, 0,
                                 "Gain: differences are multiplied by it ([ and ])"))
                    look.gain = static_cast<float>(std::exp2(std::round(position * 12) / 2));
            }};
}

}  // namespace

bool toggle(Ui& ui, const char* label, const char* text, bool on, float width, const char* help, bool enabled) {
    ImGui::BeginDisabled(!enabled);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max{min.x + width, min.y + ui.px(kSegmentHeight)};
    const bool clicked = ImGui::InvisibleButton(label, {width, max.y - min.y});
    const bool hovered = ImGui::IsItemHovered();
    ImGui::GetWindowDrawList()->AddRectFilled(min, max,
                                              on        ? ui.colors.accent_deep
                                              : hovered ? ui.colors.frame_active
                                                        : ui.colors.frame,
                                              ui.px(4));
    const Font& font = ui.theme.body;
    draw_text({(min.x + max.x - text_width(font, text)) / 2, middle(font, min.y, max.y - min.y)}, font,
              on        ? IM_COL32_WHITE
              : hovered ? ui.colors.text
                        : ui.colors.text_quiet,
              text);
    ImGui::EndDisabled();
    tooltip(ui, help);
    record(ui, label, min, max, on ? "on" : "", true, enabled);
    return clicked;
}

Options options_of(Ui& ui, float room) {
    switch (ui.view.view.mode) {
        case ViewMode::wipe:
            return wipe_options(ui);
        case ViewMode::flicker:
            return flicker_options(ui);
        case ViewMode::difference:
            return difference_options(ui);
        case ViewMode::grid:
            return grid_options(ui, room);
        default:
            return {};
    }
}

void turn_wipe(Ui& ui) {
    double& angle = ui.view.wipe.angle;
    angle = std::fmod((std::floor(angle / 45) + 1) * 45, 180);
}

void step_option(Ui& ui, int by) {
    FlickerState& flicker = ui.view.flicker;
    DifferenceAppearance& look = ui.view.look;
    const double interval = std::clamp(flicker.interval_ms * std::exp2(by / 2.0), kMinInterval_ms, kMaxInterval_ms);
    if (ui.view.view.mode == ViewMode::flicker) flicker.interval_ms = static_cast<int>(std::round(interval / 10) * 10);
    const double gain = std::exp2(std::round(std::log2(double{look.gain}) * 2 + by) / 2);
    if (ui.view.view.mode == ViewMode::grid)
        ui.settings.grid_panes = std::clamp(ui.settings.grid_panes + by, 2, kMaxPanes);
    if (ui.view.view.mode == ViewMode::difference) look.gain = static_cast<float>(std::clamp(gain, 1.0, kMaxGain));
}

}  // namespace tonescope::ui
