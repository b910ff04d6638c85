// The table of view modes: everything that lists them walks it (the bar, commands and keys, saved state, tests).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "ui/model/model.h"

namespace tonescope::ui {

class ViewMode;

/// What a mode needs of image and result.
struct ViewModeNeed {
    bool (*is_met)(const Model&);
    std::string_view help;  // where it is not met
};

struct ViewModeInfo {
    std::string_view id;       // in commands, saved state and --ui-state
    std::string_view keys;     // that choose it
    std::string_view title;    // of its command
    std::string_view name;     // beside its icon where there is room
    std::string_view help;     // of its button
    const ViewModeNeed* need;  // null: it can always be shown
    std::unique_ptr<ViewMode> (*make)();

    bool can_show(const Model& model) const { return need == nullptr || need->is_met(model); }
};

/// In the order of the bar.
std::span<const ViewModeInfo> view_modes();
/// Null where there is no mode of this id.
const ViewModeInfo* find_view_mode(std::string_view id);

}  // namespace tonescope::ui
