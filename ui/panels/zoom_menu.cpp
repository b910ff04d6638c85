#include "ui/panels/zoom_menu.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kZoomRow = 28, kZoomWidth = 132, kZoomPadding = 6;

struct ZoomChoice {
    const char* text;
    const char* command;
    double zoom;  // 0: fitted
};
constexpr ZoomChoice kZoomChoices[] = {
    {"Fit", "fit", 0},        {"1:1", "actual-size", 1}, {"200 %", "zoom-200", 2},
    {"400 %", "zoom-400", 4}, {"800 %", "zoom-800", 8},
};

/// True when it was chosen.
bool zoom_row(Frame& ui, const ZoomChoice& choice, const View& view, float width, float height) {
    const bool current = choice.zoom > 0 ? !view.fit && view.zoom == choice.zoom : view.fit;
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max{min.x + width, min.y + height};
    const std::string id = std::string("##") + choice.command;
    const bool clicked = ImGui::Selectable(id.c_str(), current, 0, {width, height});
    if (current) ImGui::SetItemDefaultFocus();
    // Dear ImGui activates with Space; lists are left with Enter.
    const bool entered = ImGui::IsItemFocused() && !ImGui::IsWindowAppearing() &&
                         (key_pressed(ImGuiKey_Enter) || key_pressed(ImGuiKey_KeypadEnter));
    focus_ring(ui, min, max);
    draw_text({min.x + ui.px(10), middle(ui.theme.body, min.y, height)}, ui.theme.body, ui.colors.text, choice.text);
    draw_text_right({max.x - ui.px(10), middle(ui.theme.small, min.y, height)}, ui.theme.small, ui.colors.text_quiet,
                    ui.commands->keys(choice.command));
    record(ui, std::string("zoom:") + choice.text, min, max, current ? "on" : "");
    return clicked || entered;
}

}  // namespace

void ZoomMenu::draw(Frame& ui, const View& view, const Area& figure) {
    constexpr const char* id = "##zoom menu";
    if (std::exchange(popup_.requested, false)) ImGui::OpenPopup(id);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float pad = ui.px(kZoomPadding);
    const float row = ui.px(kZoomRow);
    const float width = ui.px(kZoomWidth);
    const float height = std::min(row * static_cast<float>(std::size(kZoomChoices)) + 2 * pad, figure.y - 2 * ui.px(4));
    const float x = std::clamp(figure.right() - width, 0.0F, std::max(display.x - width - ui.px(4), 0.0F));
    ImGui::SetNextWindowPos({std::floor(x), std::floor(figure.y - height - ui.px(4))});
    ImGui::SetNextWindowSize({width, height});
    push_dialog_style(ui, {pad, pad});
    popup_.open = ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    pop_dialog_style();
    if (!popup_.open) return;
    const std::string panel = std::exchange(ui.panel, "zoom menu");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const float inner = ImGui::GetContentRegionAvail().x;
    for (const ZoomChoice& choice : kZoomChoices) {
        if (!zoom_row(ui, choice, view, inner, row)) continue;
        ui.commands->run(choice.command);
        ImGui::CloseCurrentPopup();
    }
    if (key_pressed(ImGuiKey_Escape) && !ImGui::IsWindowAppearing()) ImGui::CloseCurrentPopup();
    ImGui::PopStyleVar();
    ImGui::EndPopup();
    ui.panel = panel;
}

}  // namespace tonescope::ui
