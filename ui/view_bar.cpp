// The bar above the views: modes at the left, the mode's options at the right or in a second row.
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/view_parts.h"
#include "ui/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kModeWidth = 36, kInset = 8, kTrack = 84;  // at 96 dpi
constexpr double kLeastInterval_ms = 100, kMostInterval_ms = 2000;
constexpr double kMostGain = 64;

struct Mode {
    ViewMode mode;
    const char* help;
};
constexpr Mode kModes[] = {
    {ViewMode::side_by_side, "Side by side (1)"},
    {ViewMode::stacked, "One above the other (2)"},
    {ViewMode::wipe, "Wipe: a line parts before and after (3)"},
    {ViewMode::flicker, "Flicker: before and after in turn (4)"},
    {ViewMode::single, "The result alone (5)"},
    {ViewMode::difference, "Difference of after and before (6)"},
};

void draw_mode_icon(const Ui& ui, ViewMode mode, ImVec2 c, ImU32 ink) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float w = ui.px(8);
    const float h = ui.px(6);
    const float line = std::max(1.0F, std::round(1.2F * ui.theme.scale));
    const ImVec2 min{c.x - w, c.y - h};
    const ImVec2 max{c.x + w, c.y + h};
    const auto frame = [&] { list.AddRect(min, max, ink, ui.px(1), 0, line); };
    switch (mode) {
        case ViewMode::side_by_side:
            frame();
            list.AddRectFilled({c.x, min.y}, max, ink);
            break;
        case ViewMode::stacked:
            frame();
            list.AddRectFilled({min.x, c.y}, max, ink);
            break;
        case ViewMode::wipe:
            frame();
            list.AddTriangleFilled({max.x, min.y}, max, {min.x, max.y}, ink);
            break;
        case ViewMode::flicker: {
            const ImVec2 shift{ui.px(3), ui.px(2)};
            list.AddRect({min.x, min.y - shift.y}, {max.x - shift.x * 2, max.y - shift.y * 2}, ink, ui.px(1), 0, line);
            list.AddRectFilled({min.x + shift.x * 2, min.y + shift.y * 2}, {max.x, max.y + shift.y}, ink, ui.px(1));
            break;
        }
        case ViewMode::single:
            list.AddRectFilled(min, max, ink, ui.px(1));
            break;
        case ViewMode::difference: {
            const ImVec2 delta[] = {{c.x, min.y - ui.px(1)}, {max.x - ui.px(1), max.y}, {min.x + ui.px(1), max.y}};
            list.AddPolyline(delta, 3, ink, compat::kClosed, std::max(1.0F, 1.5F * ui.theme.scale));
            break;
        }
    }
}

void draw_modes(Ui& ui, ImVec2 at) {
    const ViewMode current = ui.view.view.mode;
    const float height = ui.px(kSegmentHeight);
    const float width = ui.px(kModeWidth);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + width * static_cast<float>(std::size(kModes)), at.y + height};
    list.AddRectFilled(at, end, color::kFrame, ui.px(4));
    record(ui, "mode", at, end, kViewModeIds[static_cast<size_t>(current)], false);
    for (const auto& [mode, help] : kModes) {
        const ImVec2 max{at.x + width, at.y + height};
        const std::string label = std::string("mode:") + kViewModeIds[static_cast<size_t>(mode)];
        const bool usable = can_show(*ui.model, mode);
        ImGui::SetCursorScreenPos(at);
        ImGui::BeginDisabled(!usable);
        if (ImGui::InvisibleButton(label.c_str(), {width, height})) choose_view_mode(ui, mode);
        const bool hovered = ImGui::IsItemHovered();
        ImGui::EndDisabled();
        const float inset = ui.px(2);
        const bool on = mode == current;
        if (on || hovered)
            list.AddRectFilled({at.x + inset, at.y + inset}, {max.x - inset, max.y - inset},
                               on ? color::kAccentDeep : color::kFrameActive, ui.px(3));
        const ImU32 ink = on ? IM_COL32_WHITE : hovered ? color::kText : color::kTextQuiet;
        draw_mode_icon(ui, mode, {std::round((at.x + max.x) / 2), std::round((at.y + max.y) / 2)},
                       usable ? ink : color::kTextFaint);
        tooltip(ui, usable ? help : "Needs a result of the image's size");
        record(ui, label, at, max, on ? "on" : "", true, usable);
        at.x += width;
    }
}

/// A button that is on or off.
bool toggle(Ui& ui, const char* label, const char* text, bool on, float width, const char* help, bool enabled = true) {
    ImGui::BeginDisabled(!enabled);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max{min.x + width, min.y + ui.px(kSegmentHeight)};
    const bool clicked = ImGui::InvisibleButton(label, {width, max.y - min.y});
    const bool hovered = ImGui::IsItemHovered();
    ImGui::GetWindowDrawList()->AddRectFilled(min, max,
                                              on        ? color::kAccentDeep
                                              : hovered ? color::kFrameActive
                                                        : color::kFrame,
                                              ui.px(4));
    const Font& font = ui.theme.body;
    draw_text({(min.x + max.x - text_width(font, text)) / 2, middle(font, min.y, max.y - min.y)}, font,
              on        ? IM_COL32_WHITE
              : hovered ? color::kText
                        : color::kTextQuiet,
              text);
    ImGui::EndDisabled();
    tooltip(ui, help);
    record(ui, label, min, max, on ? "on" : "", true, enabled);
    return clicked;
}

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
    list.AddRectFilled({min.x, y - half}, {max.x, y + half}, color::kFrameActive, half);
    list.AddRectFilled({min.x, y - half}, {at, y + half}, active || hovered ? color::kAccent : color::kAccentDeep,
                       half);
    list.AddCircleFilled({at, y}, grab, active || hovered ? color::kText : color::kGrab, 20);
    draw_text_right({max.x + ui.px(8) + value_width, middle(ui.theme.small, min.y, height)}, ui.theme.small,
                    color::kTextQuiet, value);
    if (!active) tooltip(ui, help);
    record(ui, label, min, max, value);
    return position != before;
}

struct Options {
    float width = 0;
    std::function<void(ImVec2)> draw;  // from the left end
};

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
    return {
        run + ui.px(12) + ui.px(kTrack + 8) + value, [&ui, &flicker, run, value](ImVec2 at) {
            ImGui::SetCursorScreenPos(at);
            if (toggle(ui, "flicker:run", flicker.running ? "Pause" : "Run", false, run,
                       "Stops and starts the change (Space)"))
                flicker.running = !flicker.running;
            ImGui::SetCursorScreenPos({at.x + run + ui.px(12), at.y});
            const double range = std::log(kMostInterval_ms / kLeastInterval_ms);
            double position = std::log(flicker.interval_ms / kLeastInterval_ms) / range;
            if (small_slider(ui, "flicker:interval", format("%.2f s", flicker.interval_ms / 1000.0), value, position,
                             std::log(500 / kLeastInterval_ms) / range, "How long each is shown ([ and ])"))
                flicker.interval_ms =
                    static_cast<int>(std::round(kLeastInterval_ms * std::exp(position * range) / 10) * 10);
        }};
}

Options difference_options(Ui& ui) {
    DifferenceLook& look = ui.view.look;
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
                double position = std::log(double{look.gain}) / std::log(kMostGain);
                if (small_slider(ui, "difference:gain", format("\xc3\x97 %.3g", double{look.gain}), value, position, 0,
                                 "Gain: differences are multiplied by it ([ and ])"))
                    look.gain = static_cast<float>(std::exp2(std::round(position * 12) / 2));
            }};
}

Options options_of(Ui& ui) {
    switch (ui.view.view.mode) {
        case ViewMode::wipe:
            return wipe_options(ui);
        case ViewMode::flicker:
            return flicker_options(ui);
        case ViewMode::difference:
            return difference_options(ui);
        default:
            return {};
    }
}

}  // namespace

void turn_wipe(Ui& ui) {
    double& angle = ui.view.wipe.angle;
    angle = std::fmod((std::floor(angle / 45) + 1) * 45, 180);
}

void step_option(Ui& ui, int by) {
    FlickerState& flicker = ui.view.flicker;
    DifferenceLook& look = ui.view.look;
    const double interval = std::clamp(flicker.interval_ms * std::exp2(by / 2.0), kLeastInterval_ms, kMostInterval_ms);
    if (ui.view.view.mode == ViewMode::flicker) flicker.interval_ms = static_cast<int>(std::round(interval / 10) * 10);
    const double gain = std::exp2(std::round(std::log2(double{look.gain}) * 2 + by) / 2);
    if (ui.view.view.mode == ViewMode::difference) look.gain = static_cast<float>(std::clamp(gain, 1.0, kMostGain));
}

float draw_view_bar(Ui& ui, const Area& area) {
    const float row = ui.px(kBarRow);
    const float gap = ui.px(6);
    const float pad = ui.px(kInset);
    const float modes = ui.px(kModeWidth) * static_cast<float>(std::size(kModes));
    const float pin = std::ceil(text_width(ui.theme.body, "Pin")) + ui.px(20);
    const Options options = options_of(ui);
    const float explain = std::ceil(text_width(ui.theme.body, "Explain")) + ui.px(20);
    const float buttons = pad + modes + ui.px(8) + pin + gap + explain;
    const bool one_row = area.width >= buttons + ui.px(16) + options.width + pad;
    const float height = options.draw && !one_row ? 2 * row - ui.px(4) : row;
    ImGui::GetWindowDrawList()->AddRectFilled(area.min(), {area.right(), area.y + height}, color::kPanel);
    const float top = area.y + std::floor((row - ui.px(kSegmentHeight)) / 2);
    draw_modes(ui, {area.x + pad, top});
    ImGui::SetCursorScreenPos({area.x + pad + modes + ui.px(8), top});
    if (toggle(ui, "pin", "Pin", !ui.model->reference.empty(), pin,
               "Keeps this result as reference: others are compared against it, not against the image (P)",
               can_toggle_reference(*ui.model)))
        toggle_reference(ui);
    ImGui::SetCursorScreenPos({area.x + buttons - explain, top});
    const bool explicable = can_explain(*ui.model);
    if (toggle(ui, "explain", "Explain", explains(ui), explain,
               explicable ? "How it works: tiles, tables and quadrants at the pixel under the mouse (E)"
                          : "This operator has nothing to explain",
               explicable))
        toggle_explains(ui);
    if (options.draw && one_row) options.draw({area.right() - pad - options.width, top});
    if (options.draw && !one_row) options.draw({area.x + pad, top + row - ui.px(4)});
    return height;
}

}  // namespace tonescope::ui
