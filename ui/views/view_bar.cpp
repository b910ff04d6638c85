// The bar above the views: modes at the left, commands at the right, the mode's options between them or in a row below.
#include <algorithm>
#include <cmath>

#include "ui/state.h"
#include "ui/views/view_options.h"
#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

constexpr float kModeWidth = 36, kInset = 8;  // at 96 dpi

struct ModeButton {
    ViewMode mode;
    const char* help;
};
constexpr ModeButton kModes[] = {
    {ViewMode::side_by_side, "Side by side (1)"},
    {ViewMode::stacked, "One above the other (2)"},
    {ViewMode::wipe, "Wipe: a line parts before and after (3)"},
    {ViewMode::flicker, "Flicker: before and after in turn (4)"},
    {ViewMode::single, "The result alone (5)"},
    {ViewMode::difference, "Difference of after and before (6)"},
    {ViewMode::grid, "Grid: several values of a parameter (7)"},
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
        case ViewMode::grid:
            for (const ImVec2& from :
                 {min, {c.x + ui.px(1), min.y}, {min.x, c.y + ui.px(1)}, {c.x + ui.px(1), c.y + ui.px(1)}})
                list.AddRectFilled(from, {from.x + w - ui.px(1), from.y + h - ui.px(1)}, ink, ui.px(1));
            break;
    }
}

void draw_modes(Ui& ui, ImVec2 at, float width) {
    const ViewMode current = ui.view.view.mode;
    const float height = ui.px(kSegmentHeight);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + width * static_cast<float>(std::size(kModes)), at.y + height};
    list.AddRectFilled(at, end, ui.colors.frame, ui.px(4));
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
                               on ? ui.colors.accent_deep : ui.colors.frame_active, ui.px(3));
        const ImU32 ink = on ? IM_COL32_WHITE : hovered ? ui.colors.text : ui.colors.text_quiet;
        draw_mode_icon(ui, mode, {std::round((at.x + max.x) / 2), std::round((at.y + max.y) / 2)},
                       usable ? ink : ui.colors.text_faint);
        tooltip(ui, usable                   ? help
                    : mode == ViewMode::grid ? "Needs a filter with parameters"
                                             : "Needs a result of the image's size");
        record(ui, label, at, max, on ? "on" : "", true, usable);
        at.x += width;
    }
}

}  // namespace

float draw_view_bar(Ui& ui, const Area& area) {
    const float row = ui.px(kBarRow);
    const float gap = ui.px(6);
    const float pad = ui.px(kInset);
    const auto mode_count = static_cast<float>(std::size(kModes));
    const float least_actions = gap + action_buttons_width(ui, 1) + pad;
    const float mode_width = std::min(ui.px(kModeWidth), std::floor((area.width - pad - least_actions) / mode_count));
    const float modes = mode_width * mode_count;
    const float pin = std::ceil(text_width(ui.theme.body, "Pin")) + ui.px(20);
    const float explain = std::ceil(text_width(ui.theme.body, "Explain")) + ui.px(20);
    const float toggles = pin + gap + explain;
    const bool toggles_up = pad + modes + ui.px(8) + toggles + least_actions <= area.width;
    const float used = pad + modes + (toggles_up ? ui.px(8) + toggles : 0);
    const int actions = action_buttons_in(ui, area.width - used - gap - pad);
    const float actions_x = area.right() - pad - action_buttons_width(ui, actions);
    const Options options = options_of(ui, area.width - 2 * pad);
    const bool options_up = toggles_up && used + ui.px(16) + options.width + ui.px(16) <= actions_x - area.x;
    const bool options_beside = !toggles_up && pad + toggles + ui.px(16) + options.width + pad <= area.width;
    int rows = toggles_up ? 1 : 2;
    if (options.draw && !options_up && !options_beside) ++rows;
    const float step = row - ui.px(4);
    const float height = row + static_cast<float>(rows - 1) * step;
    ImGui::GetWindowDrawList()->AddRectFilled(area.min(), {area.right(), area.y + height}, ui.colors.panel);
    const float top = area.y + std::floor((row - ui.px(kSegmentHeight)) / 2);
    draw_modes(ui, {area.x + pad, top}, mode_width);
    draw_action_buttons(ui, {actions_x, top}, actions);
    const ImVec2 toggles_at =
        toggles_up ? ImVec2{area.x + pad + modes + ui.px(8), top} : ImVec2{area.x + pad, top + step};
    ImGui::SetCursorScreenPos(toggles_at);
    if (toggle(ui, "pin", "Pin", !ui.model->views.reference.empty(), pin,
               "Keeps this result as reference: others are compared against it, not against the image (P)",
               can_toggle_reference(*ui.model)))
        toggle_reference(ui);
    ImGui::SetCursorScreenPos({toggles_at.x + pin + gap, toggles_at.y});
    const bool explicable = can_explain(ui.model->run);
    if (toggle(ui, "explain", "Explain", explains(ui), explain,
               explicable ? "How it works: tiles, tables and quadrants at the pixel under the mouse (E)"
                          : "This operator has nothing to explain",
               explicable))
        toggle_explains(ui);
    if (!options.draw) return height;
    if (options_up)
        options.draw({actions_x - ui.px(16) - options.width, top});
    else if (options_beside)
        options.draw({area.right() - pad - options.width, toggles_at.y});
    else
        options.draw({area.x + pad, top + static_cast<float>(rows - 1) * step});
    return height;
}

}  // namespace tonescope::ui
