// The file browser's list.
#include <algorithm>
#include <cmath>

#include "ui/browser/browser.h"
#include "ui/browser/browser_paths.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kRow = 44, kHeader = 24, kSizeColumn = 74, kNameColumn = 52;

}  // namespace

struct Browser::Columns {
    float name, size_right, date, right;
};

const BrowserEntry& Browser::entry_at(const std::vector<size_t>& visible, int row) const {
    return files().entries[visible[static_cast<size_t>(row)]];
}

void Browser::draw_entry(Frame& ui, const std::vector<size_t>& visible, int row, const Columns& columns) {
    const BrowserEntry& entry = entry_at(visible, row);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max{columns.right, min.y + ui.px(kRow)};
    ImGui::PushID(row);
    const bool clicked = hit_area("entry", {max.x - min.x, max.y - min.y});
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    const bool selected = selected_.count(entry.name) > 0;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 fill_max{max.x, max.y - 1};
    if (selected)
        list.AddRectFilled(min, fill_max, ui.colors.selected, ui.px(4));
    else if (hovered)
        list.AddRectFilled(min, fill_max, ui.colors.frame, ui.px(4));
    if (row == cursor_) list.AddRect(min, fill_max, fade(ui.colors.accent, 0.7F), ui.px(4));
    const float side = ui.px(36);
    const ImVec2 thumb{min.x + ui.px(6), min.y + std::floor((ui.px(kRow) - 1 - side) / 2)};
    draw_thumbnail(ui, entry.thumbnail, thumb, {thumb.x + side, thumb.y + side},
                   entry.is_folder ? Icon::folder : Icon::picture);
    const float room = columns.size_right - ui.px(kSizeColumn) - columns.name;
    const float small_y = middle(ui.theme.small, min.y, ui.px(kRow));
    draw_text({columns.name, middle(ui.theme.body, min.y, ui.px(kRow))}, ui.theme.body, ui.colors.text,
              shorten(ui.theme.body, entry.name, room, true));
    if (!entry.is_folder)
        draw_text_right({columns.size_right, small_y}, ui.theme.small, ui.colors.text_quiet,
                        format_bytes(entry.size_bytes));
    draw_text({columns.date, small_y}, ui.theme.small, ui.colors.text_quiet,
              shorten(ui.theme.small, entry.modified, max.x - columns.date));
    record(ui, "entry:" + entry.name, min, fill_max, selected ? "selected" : entry.is_folder ? "folder" : "");
    const ImGuiIO& io = ImGui::GetIO();
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        choose_entry(visible, row, false, false);
        activate_ = true;
    } else if (clicked && !activate_) {
        choose_entry(visible, row, io.KeyShift, io.KeyCtrl);
    }
}

void Browser::draw_header(Frame& ui, ImVec2 start, const Columns& columns, float width) {
    const float height = ui.px(kHeader);
    const Font& font = ui.theme.small;
    const auto cell = [&](int column, const char* text, float min_x, float max_x, float text_x) {
        ImGui::SetCursorScreenPos({min_x, start.y});
        if (hit_area(text, {max_x - min_x, height})) {
            descending_ = sort_column_ == column && !descending_;
            sort_column_ = column;
            cursor_ = anchor_ = -1;
        }
        const bool sorted = sort_column_ == column;
        const ImU32 ink = ImGui::IsItemHovered() || sorted ? ui.colors.text : ui.colors.text_faint;
        draw_text({text_x, middle(font, start.y, height)}, font, ink, text);
        record(ui, std::string("sort:") + text, {min_x, start.y}, {max_x, start.y + height},
               !sorted       ? ""
               : descending_ ? "descending"
                             : "ascending");
    };
    const float size_left = columns.size_right - ui.px(kSizeColumn);
    const float size_end = columns.size_right + ui.px(8);
    cell(0, "Name", start.x, size_left, columns.name);
    cell(1, "Size", size_left, size_end, columns.size_right - text_width(font, "Size"));
    cell(2, "Modified", size_end, start.x + width, columns.date);
    ImGui::GetWindowDrawList()->AddRectFilled({start.x, start.y + height}, {start.x + width, start.y + height + 1},
                                              ui.colors.line_soft);
}

void Browser::scroll_to_cursor(const Frame& ui, float height) {
    if (!scroll_to_cursor_ || cursor_ < 0) return;
    scroll_to_cursor_ = false;
    const float row = ui.px(kRow);
    const float top = static_cast<float>(cursor_) * row;
    const float scroll = ImGui::GetScrollY();
    if (top < scroll)
        ImGui::SetScrollY(top);
    else if (top + row > scroll + height)
        ImGui::SetScrollY(top + row - height);
}

/// What stands in the list's place where it has nothing to show.
void Browser::draw_empty_list(Frame& ui, size_t shown, float width, float height) {
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 text{at.x + ui.px(6), at.y + ui.px(14)};
    if (!files().error.empty()) {
        draw_text(text, ui.theme.body, ui.colors.error, files().error, width - ui.px(12));
        record(ui, "browser error", at, {at.x + width, at.y + ui.px(40)}, files().error, false);
    } else if (files().loading) {
        spinner(ui, {at.x + width / 2, at.y + height / 2}, ui.px(12), ui.colors.accent);
    } else if (shown == 0) {
        draw_text(text, ui.theme.body, ui.colors.text_faint,
                  !files().entries.empty() ? "Nothing matches the filter"
                  : of_presets()           ? "No folders or presets (.json) here"
                                           : "No folders or images here");
    }
}

void Browser::want_thumbnails(Frame& ui, const std::vector<size_t>& visible, int first, int last) {
    if (of_presets()) return;
    std::vector<std::string> wanted;
    for (int k = first; k < last; ++k) {
        const BrowserEntry& entry = entry_at(visible, k);
        if (!entry.is_folder && entry.thumbnail.empty()) wanted.push_back(join_path(files().folder, entry.name));
    }
    if (wanted == wanted_) return;
    wanted_ = wanted;
    ui.ask(WantThumbnails{std::move(wanted)});
}

void Browser::draw_entries(Frame& ui, float width, float height) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float date_width = text_width(ui.theme.small, "2026-03-01 14:05") + ui.px(12);
    const float right = start.x + width - ui.px(12);  // leaves room for the scroll bar
    const Columns columns{start.x + ui.px(kNameColumn), right - date_width - ui.px(20), right - date_width, right};
    draw_header(ui, start, columns, width);
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(kHeader + 4)});
    const float list_height = height - ui.px(kHeader + 4);
    const std::vector<size_t> visible = visible_entries();
    const auto count = static_cast<int>(visible.size());
    if (filter_ != filter_shown_) cursor_ = count > 0 ? 0 : -1;
    cursor_ = std::min(cursor_, count - 1);
    begin_child("##entries", {width, list_height}, ImGuiWindowFlags_NoNav);
    scroll_to_cursor(ui, list_height);
    ImGuiListClipper clipper;
    clipper.Begin(count, ui.px(kRow));
    int first = count;
    int last = 0;
    while (clipper.Step()) {
        for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) draw_entry(ui, visible, k, columns);
        first = std::min(first, clipper.DisplayStart);
        last = std::max(last, clipper.DisplayEnd);
    }
    draw_empty_list(ui, visible.size(), width, list_height);
    ImGui::EndChild();
    want_thumbnails(ui, visible, first, last);
    if (activate_) activate_entry(ui);
    activate_ = false;
}

}  // namespace tonescope::ui
