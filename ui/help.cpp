// The list of shortcuts.
#include <algorithm>
#include <cmath>

#include "ui/widgets.h"

namespace tonescope::ui {
namespace {

struct Entry {
    const char* keys;
    const char* what;
};

/// Empty entries part the groups.
constexpr Entry kEntries[] = {
    {"Ctrl+O", "Open images"},
    {"Ctrl+S", "Save the result"},
    {"Ctrl+R, F5", "Read the image again"},
    {"Up, Down", "Previous, next image"},
    {"Ctrl+Q", "Quit"},
    {"", ""},
    {"F, double-click", "Fit the image"},
    {"Ctrl+0", "One screen pixel per image pixel"},
    {"+, \xe2\x80\x93, wheel", "Zoom"},
    {"Drag", "Move the image"},
    {"Hold B or \\", "Show the original"},
    {"", ""},
    {"K", "Compare the rungs; Esc goes back"},
    {"Tab", "Hide the panels"},
    {"F11", "Full screen"},
    {"F6", "To the next of views and panels"},
    {"?", "This list"},
    {"", ""},
    {"Double-click, Ctrl+click", "Type a slider's value"},
    {"Shift+drag", "Move a slider finely"},
    {"Right-click", "Reset a slider"},
};

}  // namespace

void draw_help(Ui& ui) {
    if (ui.help_requested) {
        ui.help_requested = false;
        ImGui::OpenPopup("##help");
    }
    ui.panel = "help";
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    float lines = 0;
    for (const Entry& entry : kEntries) lines += ui.px(entry.keys[0] != 0 ? 23 : 11);
    const float width = std::floor(std::min(ui.px(480), display.x - ui.px(16)));
    const float wanted = ui.px(16 + 40 + 12 + kControlHeight + 18) + lines;
    const float height = std::floor(std::min(wanted, display.y - ui.px(16)));
    ImGui::SetNextWindowPos({std::floor((display.x - width) / 2), std::floor((display.y - height) / 2)});
    ImGui::SetNextWindowSize({width, height});
    push_dialog_style(ui, {ui.px(24), ui.px(16)});
    ui.help_open = ImGui::BeginPopupModal("##help", nullptr,
                                          ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                              ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
    pop_dialog_style();
    if (!ui.help_open) return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float inner = ImGui::GetContentRegionAvail().x;
    draw_text(start, ui.theme.title, color::kText, "Shortcuts");
    float y = start.y + ui.px(40);
    for (const Entry& entry : kEntries) {
        draw_text({start.x, y}, ui.theme.body, color::kText, entry.keys);
        draw_text({start.x + ui.px(190), y}, ui.theme.body, color::kTextQuiet, entry.what);
        y += ui.px(entry.keys[0] != 0 ? 23 : 11);
    }
    ImGui::Dummy({inner, y - start.y + ui.px(12)});
    ImGui::SetCursorScreenPos({start.x + inner - ui.px(90), y + ui.px(12)});
    const bool close = button(ui, "Close", ui.px(90));
    ImGui::PopStyleVar();
    const bool toggled = !ImGui::IsWindowAppearing() && compat::typed('?');
    if (close || toggled || compat::key_pressed(compat::kKeyEscape)) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

}  // namespace tonescope::ui
