// The list of shortcuts.
#include <algorithm>
#include <cmath>

#include "ui/commands/commands.h"
#include "ui/commands/parts.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

struct Line {
    std::string keys;
    std::string what;
};

struct Group {
    std::string title;
    std::vector<Line> lines;
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
        groups.back().lines.push_back({keys, std::string(command.title)});
    }
    Group& mouse = groups.emplace_back(Group{"Mouse", {}});
    for (const auto& [keys, what] : kMouse) mouse.lines.push_back({keys, what});
    for (Group& group : groups)
        for (Line& line : group.lines)
            if (line.what.ends_with("...")) line.what.resize(line.what.size() - 3);
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

void draw_column(const Ui& ui, std::span<const Group> groups, ImVec2 at, float width) {
    for (const Group& group : groups) {
        draw_text({at.x, at.y + ui.px(3)}, ui.theme.strong, ui.colors.text, group.title);
        at.y += ui.px(kHeading);
        for (const Line& line : group.lines) {
            draw_text(at, ui.theme.body, ui.colors.text, line.keys);
            draw_text({at.x + ui.px(kKeys), at.y}, ui.theme.body, ui.colors.text_quiet,
                      shorten(ui.theme.body, line.what, width - ui.px(kKeys)));
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

}  // namespace

void draw_help(Ui& ui) {
    if (ui.help_requested) {
        ui.help_requested = false;
        ImGui::OpenPopup("##help");
    }
    ui.panel = "help";
    static const std::vector<Group> groups = make_groups();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    // As many columns as have room.
    const float room = (display.x - ui.px(64)) / ui.px(kColumn + kColumnGap);
    const auto count = static_cast<size_t>(std::clamp(std::floor(room), 1.0F, 3.0F));
    const HelpColumns columns = make_columns(groups, count);
    const float wanted_width = static_cast<float>(count) * (kColumn + kColumnGap) - kColumnGap + 48;
    const float width = std::floor(std::min(ui.px(wanted_width), display.x - ui.px(16)));
    const float around = ui.px(16 + 40 + kControlHeight + 18);
    const float wanted = around + columns_height(ui, columns);
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
    draw_text(start, ui.theme.title, ui.colors.text, "Shortcuts");
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(40)});
    begin_child("##groups", {inner, height - around}, 0);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float step = (inner + ui.px(kColumnGap)) / static_cast<float>(count);
    for (size_t k = 0; k < count; ++k)
        draw_column(ui, columns[k], {std::floor(top.x + static_cast<float>(k) * step), top.y},
                    step - ui.px(kColumnGap));
    ImGui::Dummy({inner, columns_height(ui, columns)});
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({start.x + inner - ui.px(90), start.y + height - ui.px(32 + kControlHeight)});
    const bool close = button(ui, "Close", ui.px(90));
    ImGui::PopStyleVar();
    const bool toggled = !ImGui::IsWindowAppearing() && typed('?');
    if (close || toggled || key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

}  // namespace tonescope::ui
