// The file browser's order, selection and keys.
#include <algorithm>

#include "ui/browser/browser.h"
#include "ui/browser/browser_paths.h"
#include "ui/state.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

/// Folders stay first; entries that are equal keep the application's order, which is by name.
bool comes_before(const BrowserEntry& a, const BrowserEntry& b, const BrowserState& state) {
    if (a.is_folder != b.is_folder) return a.is_folder;
    const BrowserEntry& first = state.descending ? b : a;
    const BrowserEntry& second = state.descending ? a : b;
    if (state.sort_column == 1) return first.size_bytes < second.size_bytes;
    return first.modified < second.modified;
}

void select_range(Ui& ui, const std::vector<size_t>& visible, int from, int to) {
    for (int k = std::min(from, to); k <= std::max(from, to); ++k) {
        const BrowserEntry& entry = ui.model->browser.entries[visible[static_cast<size_t>(k)]];
        if (!entry.is_folder) ui.browser.selected.insert(entry.name);
    }
}

}  // namespace

void browse_to(Ui& ui, const std::string& folder) {
    ui.ask(BrowseTo{folder, ui.browser.of_presets()});
}

std::vector<size_t> visible_entries(const Ui& ui) {
    const BrowserState& state = ui.browser;
    const std::vector<BrowserEntry>& entries = ui.model->browser.entries;
    const std::string_view filter = state.opens() ? std::string_view(state.filter) : "";
    std::vector<size_t> visible;
    for (size_t k = 0; k < entries.size(); ++k)
        if (contains_text(entries[k].name, filter)) visible.push_back(k);
    if (state.sort_column == 0 && state.descending) {
        const auto files =
            std::find_if(visible.begin(), visible.end(), [&](size_t k) { return !entries[k].is_folder; });
        std::reverse(visible.begin(), files);
        std::reverse(files, visible.end());
    } else if (state.sort_column != 0) {
        std::stable_sort(visible.begin(), visible.end(),
                         [&](size_t a, size_t b) { return comes_before(entries[a], entries[b], state); });
    }
    return visible;
}

void choose_entry(Ui& ui, const std::vector<size_t>& visible, int row, bool extend, bool toggle) {
    BrowserState& state = ui.browser;
    const BrowserEntry& entry = ui.model->browser.entries[visible[static_cast<size_t>(row)]];
    const bool several = state.mode == BrowserState::Mode::open;
    state.cursor = row;
    if (several && extend && state.anchor >= 0 && state.anchor < static_cast<int>(visible.size())) {
        state.selected.clear();
        select_range(ui, visible, state.anchor, row);
        return;
    }
    state.anchor = row;
    if (several && toggle) {
        if (!entry.is_folder && state.selected.erase(entry.name) == 0) state.selected.insert(entry.name);
        return;
    }
    state.selected.clear();
    if (entry.is_folder) return;
    if (state.opens())
        state.selected.insert(entry.name);
    else
        state.file_name = entry.name;
}

void list_keys(Ui& ui) {
    BrowserState& state = ui.browser;
    int by = 0;
    if (compat::key_pressed(compat::kKeyUp, true)) by = -1;
    if (compat::key_pressed(compat::kKeyDown, true)) by = 1;
    if (compat::key_pressed(compat::kKeyPageUp, true)) by = -8;
    if (compat::key_pressed(compat::kKeyPageDown, true)) by = 8;
    if (by == 0) return;
    const std::vector<size_t> visible = visible_entries(ui);
    if (visible.empty()) return;
    const int row = std::clamp(state.cursor + by, 0, static_cast<int>(visible.size()) - 1);
    choose_entry(ui, visible, row, ImGui::GetIO().KeyShift, false);
    state.scroll_to_cursor = true;
}

void activate_entry(Ui& ui) {
    BrowserState& state = ui.browser;
    const std::vector<size_t> visible = visible_entries(ui);
    if (state.cursor >= 0 && state.cursor < static_cast<int>(visible.size())) {
        const BrowserEntry& entry = ui.model->browser.entries[visible[static_cast<size_t>(state.cursor)]];
        if (entry.is_folder) {
            browse_to(ui, join_path(ui.model->browser.folder, entry.name));
            return;
        }
        if (!state.opens())
            state.file_name = entry.name;
        else if (state.selected.empty())
            state.selected.insert(entry.name);
    }
    if (state.opens()) open_selected(ui);
}

}  // namespace tonescope::ui
