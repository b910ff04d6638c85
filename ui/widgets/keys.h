// Keys as they are written in the table of commands: "Ctrl+Shift+Z", "F5", "Tab", "B", "+".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ui/widgets/imgui_compat.h"

namespace tonescope::ui {

/// Since the last frame. With `repeat`, also again while the key is held.
inline bool key_pressed(ImGuiKey key, bool repeat = false) {
    return ImGui::IsKeyPressed(key, repeat);
}
inline bool enter_pressed() {
    return key_pressed(ImGuiKey_Enter) || key_pressed(ImGuiKey_KeypadEnter);
}
/// How far the arrow keys and Page Up and Page Down move a list's cursor in this frame.
int cursor_step(int page);
/// What the keys of this frame make of a slider or a handle that has the keyboard.
struct KeyedSteps {
    int count = 0;  // along with the arrows one, with the page keys ten
    bool fine = false;
    bool to_least = false, to_most = false, reset = false;
    bool begin = false;  // a key has gone down, and is not just held
};
/// None while Ctrl or Alt is held. `both_ways`: Up and Down count as Left and Right.
KeyedSteps keyed_steps(bool both_ways = false);
/// Whether this character was typed since the last frame. Works on every keyboard layout, unlike keys.
bool typed(char character);

/// A key with its modifiers, or a character.
struct Chord {
    ImGuiKey key{};
    char character = 0;  // not 0: read as text, so that it works on every keyboard layout
    bool ctrl = false, shift = false, alt = false;
};

/// One chord; nothing where the text names no key.
std::optional<Chord> parse_chord(std::string_view text);
/// "Ctrl+R, F5": the alternatives; those that name no key are left out.
std::vector<Chord> parse_chords(std::string_view text);

/// Since the last frame. With `repeat`, also again while the key is held.
bool chord_pressed(const Chord& chord, bool repeat = false);
bool chord_held(const Chord& chord);
/// Neither a function key nor with Ctrl.
bool is_single_key(const Chord& chord);
/// Function keys, and those with Ctrl of which a text field makes no use.
bool works_while_typing(const Chord& chord);
/// Arrows, Tab, Enter, Space and Esc: what has the keyboard is moved or used with them.
bool operates_widgets(const Chord& chord);

}  // namespace tonescope::ui
