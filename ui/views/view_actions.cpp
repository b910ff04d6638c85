// What is done most, as buttons at the right end of the bar of modes.
#include <algorithm>

#include "ui/state.h"
#include "ui/views/view_parts.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

struct ActionButton {
    const char* command;
    Icon icon;
    int needed;  // shown where there is room for so many
};
// Where there is little room those that are missed least give way first; the way to everything stays.
constexpr ActionButton kActionButtons[] = {
    {"undo", Icon::undo, 5},      {"redo", Icon::redo, 5},         {"palette", Icon::commands, 1},
    {"shortcuts", Icon::help, 2}, {"settings", Icon::settings, 3},
};
constexpr float kActionGap = 2;  // at 96 dpi

}  // namespace

float action_buttons_width(const Ui& ui, int count) {
    const auto buttons = static_cast<float>(count);
    return buttons * ui.px(kSegmentHeight) + (buttons - 1) * ui.px(kActionGap);
}

int action_buttons_in(const Ui& ui, float room) {
    for (const int count : {5, 3, 2})
        if (action_buttons_width(ui, count) <= room) return count;
    return 1;
}

void draw_action_buttons(Ui& ui, ImVec2 at, int count) {
    const float side = ui.px(kSegmentHeight);
    for (const ActionButton& each : kActionButtons) {
        if (each.needed > count) continue;
        ImGui::SetCursorScreenPos(at);
        const std::string label = std::string("bar:") + each.command;
        if (icon_button(ui, label.c_str(), each.icon, side, ui.commands->available(each.command)))
            ui.commands->run(each.command);
        tooltip(ui, ui.command_help(each.command));
        at.x += side + ui.px(kActionGap);
    }
}

}  // namespace tonescope::ui
