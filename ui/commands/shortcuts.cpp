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

constexpr float kLineGap = 6, kHeading = 25, kHelpGap = 12, kKeys = 150, kColumn = 376, kColumnGap = 24;

/// Both wrapped, in a column of this width; pixels.
float line_height(const Ui& ui, const std::pair<std::string, std::string>& line, float width) {
    const Font& font = ui.theme.body;
    return std::max(text_height(font, line.first, ui.px(kKeys - 8)),
                    text_height(font, line.second, width - ui.px(kKeys))) +
           ui.px(kLineGap);
}

float group_height(const Ui& ui, const Group& group, float width) {
    float height = ui.px(kHeading) + ui.px(kHelpGap);
    for (const auto& line : group.lines) height += line_height(ui, line, width);
    return height;
}

using HelpColumns = std::vector<std::span<const Group>>;

/// The groups in so many columns that are about as high.
HelpColumns make_columns(const Ui& ui, std::span<const Group> groups, size_t count, float width) {
    float left = 0;
    for (const Group& group : groups) left += group_height(ui, group, width);
    HelpColumns columns;
    size_t first = 0;
    for (size_t k = 0; k < count; ++k) {
        const float wanted = left / static_cast<float>(count - k);
        float height = 0;
        size_t end = first;
        while (end < groups.size() && (k + 1 == count || height + group_height(ui, groups[end], width) / 2 < wanted))
            height += group_height(ui, groups[end++], width);
        columns.push_back(groups.subspan(first, end - first));
        first = end;
        left -= height;
    }
    return columns;
}

void draw_column(Ui& ui, std::span<const Group> groups, ImVec2 at, float width) {
    for (const Group& group : groups) {
        draw_text({at.x, at.y + ui.px(4)}, ui.theme.strong, ui.colors.text, group.title);
        at.y += ui.px(kHeading);
        for (const auto& line : group.lines) {
            draw_text(at, ui.theme.body, ui.colors.text, line.first, ui.px(kKeys - 8));
            draw_text({at.x + ui.px(kKeys), at.y}, ui.theme.body, ui.colors.text_quiet, line.second,
                      width - ui.px(kKeys));
            record(ui, "shortcut:" + line.second, {at.x, at.y, width, line_height(ui, line, width)}, line.first, false);
            at.y += line_height(ui, line, width);
        }
        at.y += ui.px(kHelpGap);
    }
}

float columns_height(const Ui& ui, const HelpColumns& columns, float width) {
    float most = 0;
    for (const auto& column : columns) {
        float height = 0;
        for (const Group& group : column) height += group_height(ui, group, width);
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
    if (chord.key == ImGuiKey_PageUp || chord.key == ImGuiKey_PageDown) return !ui.keyboard.is_on_slider();
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
    constexpr float kMargin = 24;
    const float around_x = 2 * ui.px(kMargin) + ImGui::GetStyle().ScrollbarSize;
    const float column = std::min(ui.px(kColumn), display.x - ui.px(16) - around_x);
    const float step = column + ui.px(kColumnGap);
    const HelpColumns columns = make_columns(ui, groups, count, column);
    const float content = columns_height(ui, columns, column);
    const float around = ui.px(16 + 40 + kControlHeight + 18);
    ui.help_open =
        begin_dialog(ui, "##help", {static_cast<float>(count) * step - ui.px(kColumnGap) + around_x, around + content},
                     {ui.px(kMargin), ui.px(16)});
    if (!ui.help_open) return;
    const float height = ImGui::GetWindowHeight();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const Area area = area_at_cursor(0);
    draw_text(area.min(), ui.theme.title, ui.colors.text, "Shortcuts");
    ImGui::SetCursorScreenPos({area.x, area.y + ui.px(40)});
    begin_child("##groups", {area.width, height - around}, 0);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    for (size_t k = 0; k < count; ++k)
        draw_column(ui, columns[k], {top.x + static_cast<float>(k) * step, top.y}, column);
    ImGui::Dummy({area.width, content});
    if (const int lines = cursor_step(10); lines != 0)
        ImGui::SetScrollY(ImGui::GetScrollY() + static_cast<float>(lines) * (ui.theme.body.size_px + ui.px(kLineGap)));
    end_child(ui);
    const bool close =
        button(ui, {area.right() - ui.px(90), area.y + height - ui.px(32 + kControlHeight)}, "Close", ui.px(90));
    ImGui::PopStyleVar();
    const bool toggled = !ImGui::IsWindowAppearing() && triggered(command_of("shortcuts"), ui);
    if (close || toggled || escape_pressed(ui)) ImGui::CloseCurrentPopup();
    end_dialog(ui);
}

void handle_shortcuts(Ui& ui) {
    Keyboard& keyboard = ui.keyboard;
    const bool in_dialog = dialog_open(ui);
    const bool at_home = keyboard.is_home();
    const bool reaches_views = at_home || !keyboard.is_visible() || (keyboard.is_on_slider() && ui.slider.typing == 0);
    for (const Command& command : commands()) {
        if (command.reach != Reach::dialogs && in_dialog) continue;
        if (command.reach == Reach::views && !reaches_views) continue;
        if (is_available(command, ui) && triggered(command, ui)) command.run(ui);
    }
    // A text field that keeps the keyboard would open again.
    if (!at_home && !in_dialog && key_pressed(ImGuiKey_Escape) && (!ImGui::IsAnyItemActive() || keyboard.is_on_text()))
        keyboard.go_home();
}

}  // namespace tonescope::ui
