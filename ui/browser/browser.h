// Parts of the file browser.
#pragma once

#include <vector>

#include "ui/state.h"

namespace tonescope::ui {

void browse_to(Ui& ui, const std::string& folder);
/// Indices of the entries that pass the filter, in the order shown.
std::vector<size_t> visible_entries(const Ui& ui);
/// A click on a row or a move of the cursor to it, with the modifiers that extend a selection.
void choose_entry(Ui& ui, const std::vector<size_t>& visible, int row, bool extend, bool toggle);
/// Arrow keys, Page Up and Page Down.
void list_keys(Ui& ui);
/// Enters the folder or opens the file under the cursor, or the selected ones.
void activate_entry(Ui& ui);
void open_selected(Ui& ui);
/// The list itself.
void draw_entries(Ui& ui, float width, float height);

}  // namespace tonescope::ui
