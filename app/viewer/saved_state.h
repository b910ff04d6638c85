// What lasts from run to run: the window's place, its settings, recent files, and what was chosen last.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/system/text_file.h"
#include "app/viewer/choices.h"
#include "ui/model/window.h"

namespace tonescope {

struct SavedState {
    std::optional<Rect> window;  // outside full screen, screen coordinates
    ui::Settings settings;
    std::vector<std::string> recent;          // paths, the newest first
    std::map<std::string, int> recent_pages;  // shown last, from 0, of files of which that is not the first one
    std::vector<std::string> recent_folders;  // that were used in dialogs
    std::optional<Choice> choice;
    std::optional<BackendKind> backend;  // the user's choice; nothing: whatever there is
    bool operator==(const SavedState&) const = default;
};

Json state_json(const SavedState& state);
/// Values out of range become the nearest allowed ones; unknown names are ignored. Throws UserError for a state of a
/// newer version, and what the JSON library throws for values of a wrong type.
SavedState state_from_json(const Json& json);

}  // namespace tonescope
