// Everything that can be done in the window, listed once: command palette, list of shortcuts and the handling of keys
// are made from this table (in commands.cpp).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/commands/parts.h"

namespace tonescope::ui {

/// Where the keys of a command work.
enum class Reach : uint8_t {
    views,    // while a view has the focus or the mouse; keys that move or use widgets only with the focus
    window,   // in panels too
    dialogs,  // even while a dialog has the keyboard
};

enum class Press : uint8_t {
    once,
    repeats,  // again and again while the key is held
    holds,    // lasts while the key is held: run() is called in each such frame
};

struct Command {
    std::string_view id;     // "open-images"
    std::string_view group;  // heading in the list of shortcuts
    std::string_view title;  // "Open images..."
    std::string_view keys;   // "Ctrl+R, F5" (see keys.h); empty: only in the palette
    std::function<void(Ui&)> run;
    std::function<bool(const Ui&)> available = nullptr;  // empty: always
    Reach reach = Reach::window;
    Press press = Press::once;
};

/// In the order of the list of shortcuts; groups stay together.
std::span<const Command> commands();
/// The one with this id, which must exist.
const Command& command_of(std::string_view id);

/// The table for panels, which do not include it.
class CommandTable final : public CommandAccess {
  public:
    explicit CommandTable(Ui& ui) : ui_(ui) {}
    std::string_view title(std::string_view id) const override { return command_of(id).title; }
    std::string_view keys(std::string_view id) const override { return command_of(id).keys; }
    bool available(std::string_view id) const override;
    void run(std::string_view id) override { command_of(id).run(ui_); }

  private:
    Ui& ui_;
};

inline bool is_available(const Command& command, const Ui& ui) {
    return command.available == nullptr || command.available(ui);
}

/// A line of the palette: a command, or a choice that the model offers (an operator, a recent file, ...).
struct PaletteEntry {
    std::string title;
    std::string detail;  // quiet, behind the title
    std::string keys;
    bool available = true;
    std::function<void(Ui&)> run;
};
std::vector<PaletteEntry> palette_entries(const Ui& ui);

/// How well `text` fits what was typed: every character of `typed` occurs in order, without regard to case. Negative:
/// it does not; larger is better (beginnings of words, runs of characters).
int fuzzy_score(std::string_view typed, std::string_view text);

}  // namespace tonescope::ui
