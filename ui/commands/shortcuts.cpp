// What keys make of the table of commands, and the list of them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/commands/commands.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

struct Group {
    std::string title;
    std::vector<std::pair<std::string, std::string>> lines;  // keys, and what they do
};

// What the mouse does has no place in the table of commands.
constexpr std::pair<const char*, const char*> kMouse[] = {
    {"Wheel", "Zoom at the pointer"},       {"Drag, double-click", "Move the image, fit it"},
    {"Drop", "Open files and folders"},     {"Double-click, Ctrl+click", "Type a slider's value"},
    {"Shift+drag", "Move a slider finely"}, {"Right-click", "Reset a slider"},
};

/// Commands that have keys, as the table groups them, and the mouse.
std::vector<Group> make_groups() {
    std::vector<Group> groups;
    for (const Command& command : commands()) {
        if (command.keys.empty()) continue;
        if (groups.empty() || groups.back().title != command.group) groups.push_back({std::string(command.group), {}});
        const std::string keys = (command.press == Press::holds ? "Hold " : "") + std::string(command.keys);
        const std::string_view title = command.title;
        groups.back().lines.emplace_back(keys, title.substr(0, title.size() - (title.ends_with("...") ? 3 : 0)));
    }
    groups.push_back({"Mouse", {std::begin(kMouse), std::end(kMouse)}});
    return groups;
}

constexpr float kHelpLine = 21, kHeading = 25, kHelpGap = 12, kKeys = 150, kColumn = 376, kColumnGap = 24;

float group_height(const Group& group) {
    return kHeading + kHelpLine * static_cast<float>(group.lines.size()) + kHelpGap;
}

using HelpColumns = std::vector<std::span<const Group>>;

/// The groups in so many columns that are about as high.
HelpColumns make_columns(std::span<const Group> groups, size_t count) {
    float left = 0;
    for (const Group& group : groups) left += group_height(group);
    HelpColumns columns;
    size_t first = 0;
    for (size_t k = 0; k < count; ++k) {
        const float wanted = left / static_cast<float>(count - k);
        float height = 0;
        size_t end = first;
        while (end < groups.size() && (k + 1 == count || height + group_height(groups[end]) / 2 < wanted))
            height += group_height(groups[end++]);
        columns.push_back(groups.subspan(first, end - first));
        first = end;
        left -= height;
    }
    return columns;
}

void draw_column(Ui& ui, std::span<const Group> groups, ImVec2 at, float width) {
    for (const Group& group : groups) {
        draw_text({at.x, at.y + ui.px(3)}, ui.theme.strong, ui.colors.text, group.title);
        at.y += ui.px(kHeading);
        for (const auto& [keys, what] : group.lines) {
            draw_text(at, ui.theme.body, ui.colors.text, keys);
            draw_line_cut(ui, {at.x + ui.px(kKeys), at.y, width - ui.px(kKeys), ui.theme.body.size_px}, ui.theme.body,
                          ui.colors.text_quiet, what);
            at.y += ui.px(kHelpLine);
        }
        at.y += ui.px(kHelpGap);
    }
}

float columns_height(const Ui& ui, const HelpColumns& columns) {
    float most = 0;
    for (const auto& column : columns) {
        float height = 0;
        for (const Group& group : column) height += ui.px(group_height(group));
        most = std::max(most, height);
    }
    return most;
}

bool dialog_open(const Ui& ui) {
    return ui.browser.is_open() || ui.help_open || ui.palette.open || !ui.model->saving.question.path.empty() ||
           ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

/// Whether its keys are for the view, and not for the control that has the keyboard.
bool is_for_view(const Ui& ui, const Chord& chord) {
    if (!operates_widgets(chord)) return true;
    return chord.key == ImGuiKey_Escape ? ui.keyboard.is_home() : ui.keyboard.is_on_view();
}

bool triggered(const Command& command, const Ui& ui) {
    const bool typing = ImGui::GetIO().WantTextInput;
    for (const Chord& chord : parse_chords(command.keys)) {
        if (typing && !works_while_typing(chord)) continue;
        if (command.reach == Reach::views && !is_for_view(ui, chord)) continue;
        if (command.press == Press::holds ? chord_held(chord) : chord_pressed(chord, command.press == Press::repeats))
            return true;
    }
    return false;
}

}  // namespace

void draw_help(Ui& ui) {
    if (std::exchange(ui.help_requested, false)) ImGui::OpenPopup("##help");
    ui.panel = "help";
    static const std::vector<Group> groups = make_groups();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    // As many columns as have room.
    const float room = (display.x - ui.px(64)) / ui.px(kColumn + kColumnGap);
    const auto count = static_cast<size_t>(std::clamp(std::floor(room), 1.0F, 3.0F));
    const HelpColumns columns = make_columns(groups, count);
    const float width = ui.px(static_cast<float>(count) * (kColumn + kColumnGap) - kColumnGap + 48);
    const float around = ui.px(16 + 40 + kControlHeight + 18);
    ui.help_open = begin_dialog(ui, "##help", {width, around + columns_height(ui, columns)}, {ui.px(24), ui.px(16)});
    if (!ui.help_open) return;
    const float height = ImGui::GetWindowHeight();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const Area area = area_at_cursor(0);
    draw_text(area.min(), ui.theme.title, ui.colors.text, "Shortcuts");
    ImGui::SetCursorScreenPos({area.x, area.y + ui.px(40)});
    begin_child("##groups", {area.width, height - around}, 0);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float step = (area.width + ui.px(kColumnGap)) / static_cast<float>(count);
    for (size_t k = 0; k < count; ++k)
        draw_column(ui, columns[k], {std::floor(top.x + static_cast<float>(k) * step), top.y},
                    step - ui.px(kColumnGap));
    ImGui::Dummy({area.width, columns_height(ui, columns)});
    end_child(ui);
    const bool close =
        button(ui, {area.right() - ui.px(90), area.y + height - ui.px(32 + kControlHeight)}, "Close", ui.px(90));
    ImGui::PopStyleVar();
    const bool toggled = !ImGui::IsWindowAppearing() && typed('?');
    if (close || toggled || escape_pressed(ui)) ImGui::CloseCurrentPopup();
    end_dialog(ui);
}

void handle_shortcuts(Ui& ui) {
    Keyboard& keyboard = ui.keyboard;
    const bool in_dialog = dialog_open(ui);
    const bool at_home = keyboard.is_home();
    const bool reaches_views = at_home || (ui.views.state.pointed_at && !keyboard.is_visible());
    for (const Command& command : commands()) {
        if (command.reach != Reach::dialogs && in_dialog) continue;
        if (command.reach == Reach::views && !reaches_views) continue;
        if (is_available(command, ui) && triggered(command, ui)) command.run(ui);
    }
    if (!at_home && !in_dialog && key_pressed(ImGuiKey_Escape) && !ImGui::IsAnyItemActive()) keyboard.go_home();
}

}  // namespace tonescope::ui
