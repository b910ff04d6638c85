// The command palette: everything that can be done, found by typing.
#include <algorithm>
#include <cmath>

#include "ui/commands/commands.h"
#include "ui/commands/parts.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kPaletteRow = 30, kPadding = 10;
constexpr int kPage = 10;

using Entries = std::vector<PaletteEntry>;

/// Those that fit what was typed, the best first.
Entries fitting(const Ui& ui) {
    std::vector<std::pair<int, PaletteEntry>> scored;
    for (PaletteEntry& entry : palette_entries(ui)) {
        const int in_title = fuzzy_score(ui.palette.typed, entry.title);
        const int anywhere = fuzzy_score(ui.palette.typed, entry.title + " " + entry.detail) - 1;
        const int score = std::max(in_title, anywhere);
        if (score >= 0) scored.emplace_back(score, std::move(entry));
    }
    std::ranges::stable_sort(scored, std::greater(), [](const auto& s) { return s.first; });
    Entries entries;
    for (auto& [score, entry] : scored) entries.push_back(std::move(entry));
    return entries;
}

void close(Ui& ui) {
    ui.palette.open = false;
    ImGui::CloseCurrentPopup();
}

void run(Ui& ui, const PaletteEntry& entry) {
    if (!entry.available) return;
    close(ui);
    entry.run(ui);
}

void move_cursor(Ui& ui, int count) {
    PaletteState& state = ui.palette;
    const int before = state.cursor;
    if (key_pressed(ImGuiKey_UpArrow, true)) --state.cursor;
    if (key_pressed(ImGuiKey_DownArrow, true)) ++state.cursor;
    if (state.cursor < 0) state.cursor = count - 1;
    if (state.cursor >= count) state.cursor = 0;
    if (key_pressed(ImGuiKey_PageUp, true)) state.cursor = std::max(state.cursor - kPage, 0);
    if (key_pressed(ImGuiKey_PageDown, true)) state.cursor = std::min(state.cursor + kPage, count - 1);
    if (state.typed != state.typed_before) state.cursor = 0;
    if (state.cursor != before || state.typed != state.typed_before) state.scroll_to_cursor = true;
    state.typed_before = state.typed;
}

/// Returns true when it was clicked.
bool entry_row(Ui& ui, const PaletteEntry& entry, int index, float width) {
    PaletteState& state = ui.palette;
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const float height = ui.px(kPaletteRow);
    const ImVec2 max{min.x + width, min.y + height};
    ImGui::PushID(index);
    const bool clicked = hit_area("entry", {width, height});
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (ImGui::IsItemHovered() && (moved.x != 0 || moved.y != 0)) state.cursor = index;
    ImGui::PopID();
    const bool current = index == state.cursor;
    if (current) ImGui::GetWindowDrawList()->AddRectFilled(min, max, ui.colors.selected, ui.px(4));
    if (current && state.scroll_to_cursor) {
        ImGui::SetScrollHereY(0.5F);
        state.scroll_to_cursor = false;
    }
    const float left = min.x + ui.px(10);
    const float keys_width = entry.keys.empty() ? 0 : text_width(ui.theme.small, entry.keys) + ui.px(16);
    const float room = width - ui.px(20) - keys_width;
    const std::string title = shorten(ui.theme.body, entry.title, room);
    const float title_width = text_width(ui.theme.body, title);
    draw_text({left, middle(ui.theme.body, min.y, height)}, ui.theme.body,
              entry.available ? ui.colors.text : ui.colors.text_faint, title);
    if (!entry.detail.empty() && room - title_width > ui.px(60))
        draw_text({left + title_width + ui.px(10), middle(ui.theme.small, min.y, height)}, ui.theme.small,
                  ui.colors.text_faint, shorten(ui.theme.small, entry.detail, room - title_width - ui.px(10), true));
    draw_text_right({max.x - ui.px(10), middle(ui.theme.small, min.y, height)}, ui.theme.small, ui.colors.text_quiet,
                    entry.keys);
    record(ui, "command:" + entry.title, min, max, current ? "current" : "", true, entry.available);
    return clicked;
}

void draw_list(Ui& ui, const Entries& entries, float width, float height) {
    const bool entered = key_pressed(ImGuiKey_Enter) || key_pressed(ImGuiKey_KeypadEnter);
    int chosen = entered ? ui.palette.cursor : -1;
    begin_child("##entries", {width + ui.px(8), height}, ImGuiWindowFlags_NoNav, width);
    for (size_t k = 0; k < entries.size(); ++k)
        if (entry_row(ui, entries[k], static_cast<int>(k), width)) chosen = static_cast<int>(k);
    if (entries.empty())
        draw_text({ImGui::GetCursorScreenPos().x + ui.px(10), ImGui::GetCursorScreenPos().y + ui.px(6)}, ui.theme.body,
                  ui.colors.text_quiet, "Nothing is called so");
    ImGui::EndChild();
    if (chosen >= 0 && chosen < static_cast<int>(entries.size())) run(ui, entries[static_cast<size_t>(chosen)]);
}

}  // namespace

void open_palette(Ui& ui) {
    ui.palette = {};
    ui.palette.open = ui.palette.appearing = true;
}

void draw_palette(Ui& ui) {
    PaletteState& state = ui.palette;
    if (!state.open) return;
    constexpr const char* id = "##palette";
    if (state.appearing) ImGui::OpenPopup(id);
    ui.panel = "palette";
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::floor(std::min(ui.px(620), display.x - ui.px(16)));
    const float rows = std::floor(std::min(ui.px(kPaletteRow) * 12, display.y * 0.7F));
    const ImVec2 size{width, rows + ui.px(kControlHeight + 8 + 2 * kPadding)};
    ImGui::SetNextWindowPos({std::floor((display.x - width) / 2), std::floor(std::min(ui.px(56), display.y * 0.1F))});
    ImGui::SetNextWindowSize(size);
    push_dialog_style(ui, {ui.px(kPadding), ui.px(kPadding)});
    const bool shown = ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                                 ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoNav);
    pop_dialog_style();
    if (!shown) {  // a click beside it
        state.open = false;
        return;
    }
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float inner = ImGui::GetContentRegionAvail().x;
    text_field(ui, "Command", "Type what you want to do", state.typed, inner, state.appearing);
    state.appearing = false;
    const Entries entries = fitting(ui);
    move_cursor(ui, static_cast<int>(entries.size()));
    if (key_pressed(ImGuiKey_Escape)) {
        close(ui);
    } else {
        ImGui::SetCursorScreenPos({start.x, start.y + ui.px(kControlHeight + 8)});
        draw_list(ui, entries, inner, rows);
    }
    ImGui::PopStyleVar();
    ImGui::EndPopup();
}

}  // namespace tonescope::ui
