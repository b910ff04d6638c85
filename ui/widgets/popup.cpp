#include "ui/widgets/popup.h"
#include "ui/widgets/keys.h"

#include <algorithm>
#include <cmath>

namespace tonescope::ui {

bool begin_popup(Frame& ui, PopupState& state, const char* title, ImVec2 size) {
    if (std::exchange(state.requested, false)) ImGui::OpenPopup(title);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    size = {std::floor(std::min(size.x, display.x - ui.px(16))), std::floor(std::min(size.y, display.y - ui.px(16)))};
    ImGui::SetNextWindowPos({std::floor((display.x - size.x) / 2), std::floor((display.y - size.y) / 2)});
    ImGui::SetNextWindowSize(size);
    push_dialog_style(ui, {ui.px(20), ui.px(16)});
    state.open = ImGui::BeginPopupModal(title, nullptr,
                                        ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                            ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
    pop_dialog_style();
    if (!state.open) return false;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    draw_text(start, ui.theme.title, ui.colors.text, title);
    ImGui::SetCursorScreenPos({start.x + width - ui.px(26), start.y - ui.px(2)});
    if (icon_button(ui, "Close", Icon::close, ui.px(26))) ImGui::CloseCurrentPopup();
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(40)});
    return true;
}

void end_popup(PopupState& state, bool close) {
    if (close || (key_pressed(ImGuiKey_Escape) && !ImGui::IsWindowAppearing())) {
        ImGui::CloseCurrentPopup();
        state.open = false;
    }
    ImGui::PopStyleVar();
    ImGui::EndPopup();
}

}  // namespace tonescope::ui
