// What keys make of the table of commands.
#include "ui/commands/commands.h"
#include "ui/commands/parts.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

bool dialog_open(const Ui& ui) {
    return ui.browser.is_open() || ui.help_open || ui.palette.open || !ui.model->saving.overwrite_path.empty() ||
           ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

/// `focused`: what the command is about has the keyboard.
bool triggered(const Command& command, bool focused) {
    const bool typing = ImGui::GetIO().WantTextInput;
    for (const Chord& chord : parse_chords(command.keys)) {
        if (typing && !works_while_typing(chord)) continue;
        if (!focused && operates_widgets(chord)) continue;
        if (command.press == Press::holds ? chord_held(chord) : chord_pressed(chord, command.press == Press::repeats))
            return true;
    }
    return false;
}

}  // namespace

void handle_shortcuts(Ui& ui) {
    const bool in_dialog = dialog_open(ui);
    const bool in_views = ui.focused_area == 0;
    if (!in_views && !in_dialog && key_pressed(ImGuiKey_Escape) && !ImGui::IsAnyItemActive()) ui.focus_request = 0;
    for (const Command& command : commands()) {
        if (command.reach != Reach::dialogs && in_dialog) continue;
        const bool focused = command.reach != Reach::views || in_views;
        if (!focused && !ui.views.state.pointed_at) continue;
        if (is_available(command, ui) && triggered(command, focused)) command.run(ui);
    }
}

}  // namespace tonescope::ui
