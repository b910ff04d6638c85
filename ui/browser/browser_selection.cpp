// The file browser's order, selection and keys.
#include <algorithm>

#include "ui/browser/browser.h"
#include "ui/browser/browser_paths.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {

/// Folders stay first; entries that are equal keep the application's order, which is by name.
bool Browser::comes_before(const BrowserEntry& a, const BrowserEntry& b) const {
    if (a.is_folder != b.is_folder) return a.is_folder;
    const BrowserEntry& first = descending_ ? b : a;
    const BrowserEntry& second = descending_ ? a : b;
    if (sort_column_ == 1) return first.size_bytes < second.size_bytes;
    return first.modified < second.modified;
}

void Browser::select_range(const std::vector<size_t>& visible, int from, int to) {
    for (int k = std::min(from, to); k <= std::max(from, to); ++k) {
        const BrowserEntry& entry = entry_at(visible, k);
        if (!entry.is_folder) selected_.insert(entry.name);
    }
}

void Browser::browse_to(Frame& ui, const std::string& folder) const {
    ui.ask(BrowseTo{folder, of_presets()});
}

std::vector<size_t> Browser::visible_entries() const {
    const std::vector<BrowserEntry>& entries = files().entries;
    const std::string_view filter = opens() ? std::string_view(filter_) : "";
    std::vector<size_t> visible;
    for (size_t k = 0; k < entries.size(); ++k)
        if (contains_text(entries[k].name, filter)) visible.push_back(k);
    if (sort_column_ == 0 && descending_) {
        const auto files =
            std::find_if(visible.begin(), visible.end(), [&](size_t k) { return !entries[k].is_folder; });
        std::reverse(visible.begin(), files);
        std::reverse(files, visible.end());
    } else if (sort_column_ != 0) {
        std::stable_sort(visible.begin(), visible.end(),
                         [&](size_t a, size_t b) { return comes_before(entries[a], entries[b]); });
    }
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

void Browser::handle_list_keys() {
    int by = 0;
    if (key_pressed(ImGuiKey_UpArrow, true)) by = -1;
    if (key_pressed(ImGuiKey_DownArrow, true)) by = 1;
    if (key_pressed(ImGuiKey_PageUp, true)) by = -8;
    if (key_pressed(ImGuiKey_PageDown, true)) by = 8;
    if (by == 0) return;
    const std::vector<size_t> visible = visible_entries();
    if (visible.empty()) return;
    const int row = std::clamp(cursor_ + by, 0, static_cast<int>(visible.size()) - 1);
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
