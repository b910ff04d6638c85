// The list of shortcuts.
#include <algorithm>
#include <cmath>

#include "ui/commands.h"
#include "ui/widgets.h"

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

constexpr float kLine = 22, kHeading = 26, kGap = 12, kKeys = 164, kColumn = 400, kColumnGap = 28;

float group_height(const Group& group) {
    return kHeading + kLine * static_cast<float>(group.lines.size()) + kGap;
}

/// How many of the groups stand in the first column, so that both are about as high.
size_t first_column(const std::vector<Group>& groups) {
    float total = 0;
    for (const Group& group : groups) total += group_height(group);
    float height = 0;
    size_t count = 0;
    while (count < groups.size() && height + group_height(groups[count]) / 2 < total / 2)
        height += group_height(groups[count++]);
    return count;
}

float draw_column(const Ui& ui, std::span<const Group> groups, ImVec2 at, float width) {
    for (const Group& group : groups) {
        draw_text({at.x, at.y + ui.px(3)}, ui.theme.strong, color::kText, group.title);
        at.y += ui.px(kHeading);
        for (const Line& line : group.lines) {
            draw_text(at, ui.theme.body, color::kText, line.keys);
            draw_text({at.x + ui.px(kKeys), at.y}, ui.theme.body, color::kTextQuiet,
                      shorten(ui.theme.body, line.what, width - ui.px(kKeys)));
            at.y += ui.px(kLine);
        }
        at.y += ui.px(kGap);
    }
    return at.y;
}

/// Returns its height.
float draw_groups(const Ui& ui, const std::vector<Group>& groups, ImVec2 at, float width, bool two_columns) {
    const std::span<const Group> all(groups);
    if (!two_columns) return draw_column(ui, all, at, width) - at.y;
    const size_t first = first_column(groups);
    const float each = std::floor((width - ui.px(kColumnGap)) / 2);
    const float left = draw_column(ui, all.first(first), at, each);
    const float right = draw_column(ui, all.subspan(first), {at.x + width - each, at.y}, each);
    return std::max(left, right) - at.y;
}

float groups_height(const Ui& ui, const std::vector<Group>& groups, bool two_columns) {
    const size_t first = two_columns ? first_column(groups) : groups.size();
    float heights[2] = {};
    for (size_t k = 0; k < groups.size(); ++k) heights[k < first ? 0 : 1] += ui.px(group_height(groups[k]));
    return std::max(heights[0], heights[1]);
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
    const bool two_columns = display.x >= ui.px(2 * kColumn + kColumnGap + 64);
    const float columns = two_columns ? 2 * kColumn + kColumnGap : kColumn;
    const float width = std::floor(std::min(ui.px(columns + 48), display.x - ui.px(16)));
    const float around = ui.px(16 + 40 + kControlHeight + 18);
    const float wanted = around + groups_height(ui, groups, two_columns);
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
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(40)});
    compat::begin_child("##groups", {inner, height - around}, 0);
    const float taken = draw_groups(ui, groups, ImGui::GetCursorScreenPos(), inner, two_columns);
    ImGui::Dummy({inner, taken});
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({start.x + inner - ui.px(90), start.y + height - ui.px(32 + kControlHeight)});
    const bool close = button(ui, "Close", ui.px(90));
    ImGui::PopStyleVar();
    const bool toggled = !ImGui::IsWindowAppearing() && compat::typed('?');
    if (close || toggled || compat::key_pressed(compat::kKeyEscape)) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

}  // namespace tonescope::ui
