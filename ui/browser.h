// Parts of the file browser.
#pragma once

#include "ui/state.h"

namespace tonescope::ui {

/// The list of folders and files, filtered and sorted.
void draw_entries(Ui& ui, float width, float height);
/// Arrow keys and Page Up, Page Down.
void list_keys(Ui& ui);
/// Enters the folder or opens the file under the cursor, or the selected ones.
void activate_entry(Ui& ui);
void open_selected(Ui& ui);

}  // namespace tonescope::ui
