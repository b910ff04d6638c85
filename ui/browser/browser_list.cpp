// The file browser's list, its order and selection.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/browser/browser.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kRow = 44, kHeader = 24, kSizeColumn = 74, kNameColumn = 52;

}  // namespace

const BrowserEntry& Browser::entry_at(const std::vector<size_t>& visible, int row) const {
    return files().entries[visible[static_cast<size_t>(row)]];
}

void Browser::draw_entry(Frame& ui, const std::vector<size_t>& visible, int row) {
    const BrowserEntry& entry = entry_at(visible, row);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Area area{at.x, at.y, columns_.right - at.x, ui.px(kRow)};
    const Area ground{area.x, area.y, area.width, area.height - 1};
    ImGui::PushID(row);
    const bool clicked = part_area("entry", area);
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    const bool selected = selected_.count(entry.name) > 0;
    if (selected || hovered) fill(ground, selected ? ui.colors.selected : ui.colors.frame, ui.px(kRadius));
    if (row == cursor_)
        ImGui::GetWindowDrawList()->AddRect(ground.min(), ground.max(), fade(ui.colors.accent, 0.7F), ui.px(kRadius));
    const float side = ui.px(36);
    draw_thumbnail(ui, entry.thumbnail,
                   {area.x + ui.px(6), area.y + std::floor((area.height - 1 - side) / 2), side, side},
                   entry.is_folder ? Icon::folder : Icon::picture);
    const auto column = [&](float left, float right) { return Area{left, area.y, right - left, area.height}; };
    const Font& small = ui.theme.small;
    draw_line_cut(ui, column(columns_.name, columns_.size_right - ui.px(kSizeColumn)), ui.theme.body, ui.colors.text,
                  entry.name, true);
    if (!entry.is_folder && !entry.modified.empty())
        draw_line(column(columns_.name, columns_.size_right), small, ui.colors.text_quiet,
                  format_bytes(entry.size_bytes), Align::right);
    draw_line_cut(ui, column(columns_.date, area.right()), small, ui.colors.text_quiet, entry.modified);
    record(ui, "entry:" + entry.name, ground, selected ? "selected" : entry.is_folder ? "folder" : "");
    const ImGuiIO& io = ImGui::GetIO();
    chosen_by_mouse_ |= clicked;
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        choose_entry(visible, row, false, false);
        activate_ = true;
    } else if (clicked && !activate_) {
        choose_entry(visible, row, io.KeyShift, io.KeyCtrl);
    }
}

void Browser::draw_header(Frame& ui, const Area& area) {
    const Font& font = ui.theme.small;
    const auto cell = [&](int column, const char* text, float min_x, float max_x, float text_x) {
        const Area place{min_x, area.y, max_x - min_x, area.height};
        if (hit_area(ui, text, place)) {
            descending_ = sort_column_ == column && !descending_;
            sort_column_ = column;
            cursor_ = anchor_ = -1;
        }
        const bool sorted = sort_column_ == column;
        const ImU32 ink = ImGui::IsItemHovered() || sorted ? ui.colors.text : ui.colors.text_faint;
        draw_text({text_x, middle(font, area.y, area.height)}, font, ink, text);
        record(ui, std::string("sort:") + text, place, !sorted ? "" : descending_ ? "descending" : "ascending");
    };
    const float size_left = columns_.size_right - ui.px(kSizeColumn);
    const float size_end = columns_.size_right + ui.px(8);
    cell(0, "Name", area.x, size_left, columns_.name);
    cell(1, "Size", size_left, size_end, columns_.size_right - text_width(font, "Size"));
    cell(2, "Modified", size_end, area.right(), columns_.date);
    fill({area.x, area.bottom(), area.width, 1}, ui.colors.line_soft);
}

/// What stands in the list's place where it has nothing to show.
void Browser::draw_empty_list(Frame& ui, size_t shown, const Area& area) {
    const ImVec2 text{area.x + ui.px(6), area.y + ui.px(14)};
    if (!files().error.empty()) {
        draw_text(text, ui.theme.body, ui.colors.error, files().error, area.width - ui.px(12));
        record(ui, "browser error", {area.x, area.y, area.width, ui.px(40)}, files().error, false);
    } else if (files().loading) {
        spinner(ui, area.center(), ui.px(12), ui.colors.accent);
    } else if (shown == 0) {
        draw_text(text, ui.theme.body, ui.colors.text_faint,
                  !files().entries.empty()      ? "Nothing matches the filter"
                  : mode_ == Mode::save_session ? "No folders or sessions (.tonescope) here"
                  : of_presets()                ? "No folders or presets (.json) here"
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

void Browser::draw_entries(Frame& ui, const Area& area) {
    const float date_width = text_width(ui.theme.small, "2026-03-01 14:05") + ui.px(12);
    const float right = area.right() - ui.px(12);  // leaves room for the scroll bar
    columns_ = {area.x + ui.px(kNameColumn), right - date_width - ui.px(20), right - date_width, right};
    draw_header(ui, {area.x, area.y, area.width, ui.px(kHeader)});
    const float header = ui.px(kHeader + 4);
    const Area list{area.x, area.y + header, area.width, area.height - header};
    ImGui::SetCursorScreenPos(list.min());
    const std::vector<size_t> visible = visible_entries();
    const auto count = static_cast<int>(visible.size());
    if (filter_ != filter_shown_) cursor_ = count > 0 ? 0 : -1;
    cursor_ = std::min(cursor_, count - 1);
    begin_child("##entries", list.size());
    if (cursor_ >= 0 && std::exchange(scroll_to_cursor_, false)) scroll_to_row(cursor_, ui.px(kRow), list.height);
    ImGuiListClipper clipper;
    clipper.Begin(count, ui.px(kRow));
    int first = count;
    int last = 0;
    while (clipper.Step()) {
        for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) draw_entry(ui, visible, k);
        first = std::min(first, clipper.DisplayStart);
        last = std::max(last, clipper.DisplayEnd);
    }
    draw_empty_list(ui, visible.size(), list);
    end_child(ui);
    list_focused_ = list_control(ui, "list", list, chosen_by_mouse_);
    chosen_by_mouse_ = false;
    want_thumbnails(ui, visible, first, last);
    if (activate_) activate_entry(ui);
    activate_ = false;
}

// Order, selection and keys ------------------------------------------------------------------------------------------

/// Folders stay first; entries that are equal keep their order.
bool Browser::comes_before(const BrowserEntry& a, const BrowserEntry& b) const {
    if (a.is_folder != b.is_folder) return a.is_folder;
    const BrowserEntry& first = descending_ ? b : a;
    const BrowserEntry& second = descending_ ? a : b;
    if (sort_column_ == 0) return &first < &second;  // the application's order, which is by name
    if (sort_column_ == 1) return first.size_bytes < second.size_bytes;
    return first.modified < second.modified;
}

void Browser::select_range(const std::vector<size_t>& visible, int from, int to) {
    for (int k = std::min(from, to); k <= std::max(from, to); ++k) {
        const BrowserEntry& entry = entry_at(visible, k);
        if (!entry.is_folder) selected_.insert(entry.name);
    }
}

std::vector<size_t> Browser::visible_entries() const {
    const std::vector<BrowserEntry>& entries = files().entries;
    const std::string_view filter = opens() && !looks_like_path(filter_) ? std::string_view(filter_) : "";
    std::vector<size_t> visible;
    for (size_t k = 0; k < entries.size(); ++k)
        if (contains_text(entries[k].name, filter)) visible.push_back(k);
    if (sort_column_ != 0 || descending_)
        std::ranges::stable_sort(visible, [&](size_t a, size_t b) { return comes_before(entries[a], entries[b]); });
    return visible;
}

void Browser::choose_entry(const std::vector<size_t>& visible, int row, bool extend, bool toggle) {
    const BrowserEntry& entry = entry_at(visible, row);
    const bool several = mode_ == Mode::open;
    cursor_ = row;
    if (several && extend && anchor_ >= 0 && anchor_ < static_cast<int>(visible.size())) {
        selected_.clear();
        select_range(visible, anchor_, row);
        return;
    }
    anchor_ = row;
    if (several && toggle) {
        if (!entry.is_folder && selected_.erase(entry.name) == 0) selected_.insert(entry.name);
        return;
    }
    selected_.clear();
    if (entry.is_folder) return;
    if (opens())
        selected_.insert(entry.name);
    else
        file_name_ = entry.name;
}

void Browser::handle_list_keys(const Keyboard& keyboard) {
    const int by = cursor_step(8);
    if (by == 0 && !list_focused_) return;
    const std::vector<size_t> visible = visible_entries();
    if (visible.empty()) return;
    const int last = static_cast<int>(visible.size()) - 1;
    int row = cursor_;
    if (by != 0) {
        row = std::clamp(cursor_ + by, 0, last);
    } else if (list_focused_ && key_pressed(ImGuiKey_Home)) {
        row = 0;
    } else if (list_focused_ && key_pressed(ImGuiKey_End)) {
        row = last;
    } else {
        const auto begun = std::ranges::find_if(
            visible, [&](size_t k) { return list_focused_ && keyboard.types_beginning(files().entries[k].name); });
        if (begun == visible.end()) return;
        row = static_cast<int>(begun - visible.begin());
    }
    choose_entry(visible, row, ImGui::GetIO().KeyShift, false);
    scroll_to_cursor_ = true;
}

void Browser::activate_entry(Frame& ui) {
    const std::vector<size_t> visible = visible_entries();
    if (cursor_ >= 0 && cursor_ < static_cast<int>(visible.size())) {
        const BrowserEntry& entry = entry_at(visible, cursor_);
        if (entry.is_folder) {
            browse_to(ui, join_path(files().folder, entry.name));
            return;
        }
        if (!opens())
            file_name_ = entry.name;
        else if (selected_.empty())
            selected_.insert(entry.name);
    }
    if (opens()) open_selected(ui);
}

}  // namespace tonescope::ui
