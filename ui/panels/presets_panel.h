// Presets: parameters by name.
#pragma once

#include <string>
#include <utility>

#include "ui/model/run.h"
#include "ui/widgets/popup.h"

namespace tonescope::ui {

class PresetsPanel {
  public:
    void open();
    void draw(Frame& ui, const PresetsModel& model, const RunModel& run);
    /// The name of the preset that the user wants to export; empty: none. Says it once.
    std::string take_export() { return std::exchange(to_export_, {}); }

  private:
    /// True when the dialog is done: the preset was loaded, or is to be exported.
    bool draw_row(Frame& ui, const PresetEntry& preset, bool is_set, float width);
    /// Names the preset that keeps what is set now.
    void draw_save_row(Frame& ui, const PresetsModel& presets, float width);

    PopupState popup_;
    std::string name_;       // of the one to be saved
    std::string to_delete_;  // waits for a second click
    std::string to_export_;
};

}  // namespace tonescope::ui
