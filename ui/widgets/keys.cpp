#include "ui/widgets/keys.h"

#include <algorithm>
#include <utility>

namespace tonescope::ui {
namespace {

std::optional<ImGuiKey> key_of(std::string_view name) {
    // Letters, digits and function keys follow each other, in the platform library's numbers as in Dear ImGui's.
    const auto after = [](ImGuiKey first, int steps) { return static_cast<ImGuiKey>(static_cast<int>(first) + steps); };
    if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z') return after(ImGuiKey_A, name[0] - 'A');
    if (name.size() == 1 && name[0] >= '0' && name[0] <= '9') return after(ImGuiKey_0, name[0] - '0');
    if (name.size() == 2 && name[0] == 'F' && name[1] >= '1' && name[1] <= '9')
        return after(ImGuiKey_F1, name[1] - '1');
    if (name.size() == 3 && name.starts_with("F1") && name[2] >= '0' && name[2] <= '2')
        return after(ImGuiKey_F1, 9 + name[2] - '0');
    constexpr std::pair<std::string_view, ImGuiKey> names[] = {
        {"Tab", ImGuiKey_Tab},        {"Esc", ImGuiKey_Escape},
        {"Up", ImGuiKey_UpArrow},     {"Down", ImGuiKey_DownArrow},
        {"Left", ImGuiKey_LeftArrow}, {"Right", ImGuiKey_RightArrow},
        {"Home", ImGuiKey_Home},      {"End", ImGuiKey_End},
        {"Page up", ImGuiKey_PageUp}, {"Page down", ImGuiKey_PageDown},
        {"Delete", ImGuiKey_Delete},  {"Space", ImGuiKey_Space},
        {"Enter", ImGuiKey_Enter},    {"\\", ImGuiKey_Backslash}};
    for (const auto& [known, key] : names)
        if (known == name) return key;
    return std::nullopt;
}

bool modifiers_match(const Chord& chord) {
    const ImGuiIO& io = ImGui::GetIO();
    // AltGr counts as Alt, but many layouts need it for punctuation.
    const bool for_character = chord.key == ImGuiKey_Backslash && ImGui::IsKeyDown(ImGuiKey_RightAlt);
    const bool alt = io.KeyAlt && !for_character;
    return io.KeyCtrl == chord.ctrl && io.KeyShift == chord.shift && alt == chord.alt;
}

/// The same digit of the keypad.
std::optional<ImGuiKey> keypad_twin(ImGuiKey key) {
    const int digit = static_cast<int>(key) - static_cast<int>(ImGuiKey_0);
    if (digit < 0 || digit > 9) return std::nullopt;
    return static_cast<ImGuiKey>(static_cast<int>(ImGuiKey_Keypad0) + digit);
}

}  // namespace

int cursor_step(int page) {
    for (const auto& [key, step] : {std::pair{ImGuiKey_UpArrow, -1},
                                    {ImGuiKey_DownArrow, 1},
                                    {ImGuiKey_PageUp, -page},
                                    {ImGuiKey_PageDown, page}})
        if (key_pressed(key, true)) return step;
    return 0;
}

KeyedSteps keyed_steps(bool both_ways) {
    const ImGuiIO& io = ImGui::GetIO();
    KeyedSteps steps;
    if (io.KeyCtrl || io.KeyAlt) return steps;
    steps.fine = io.KeyShift;
    const auto add = [&](ImGuiKey key, int count) {
        if (!key_pressed(key, true)) return;
        steps.count += count;
        steps.begin |= key_pressed(key);
    };
    add(ImGuiKey_LeftArrow, -1);
    add(ImGuiKey_RightArrow, 1);
    add(ImGuiKey_PageDown, both_ways ? 10 : -10);
    add(ImGuiKey_PageUp, both_ways ? -10 : 10);
    if (both_ways) {
        add(ImGuiKey_UpArrow, -1);
        add(ImGuiKey_DownArrow, 1);
    }
    steps.to_least = key_pressed(ImGuiKey_Home);
    steps.to_most = key_pressed(ImGuiKey_End);
    steps.reset = key_pressed(ImGuiKey_Delete);
    steps.begin |= steps.to_least || steps.to_most || steps.reset;
    return steps;
}

bool typed(char character) {
    return ImGui::GetIO().InputQueueCharacters.contains(static_cast<ImWchar>(character));
}

std::optional<Chord> parse_chord(std::string_view text) {
    Chord chord;
    for (const auto& [name, modifier] : {std::pair<std::string_view, bool Chord::*>{"Ctrl+", &Chord::ctrl},
                                         {"Shift+", &Chord::shift},
                                         {"Alt+", &Chord::alt}}) {
        if (!text.starts_with(name)) continue;
        chord.*modifier = true;
        text.remove_prefix(name.size());
    }
    if (const auto key = key_of(text)) {
        chord.key = *key;
        return chord;
    }
    if (text.size() != 1) return std::nullopt;
    chord.character = text[0];
    return chord;
}

std::vector<Chord> parse_chords(std::string_view text) {
    std::vector<Chord> chords;
    while (!text.empty()) {
        const size_t end = text.find(", ");
        if (const auto chord = parse_chord(text.substr(0, end))) chords.push_back(*chord);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
    }
    return chords;
}

bool chord_pressed(const Chord& chord, bool repeat) {
    // Nothing is typed while Alt is held: where there is a character, what counts as Alt is AltGr.
    if (chord.character != 0) return !ImGui::GetIO().KeyCtrl && typed(chord.character);
    if (!modifiers_match(chord)) return false;
    const std::optional<ImGuiKey> twin = keypad_twin(chord.key);
    return key_pressed(chord.key, repeat) || (twin && key_pressed(*twin, repeat));
}

bool chord_held(const Chord& chord) {
    return chord.character == 0 && modifiers_match(chord) && ImGui::IsKeyDown(chord.key);
}

bool is_single_key(const Chord& chord) {
    const int function_key = static_cast<int>(chord.key) - static_cast<int>(ImGuiKey_F1);
    return !chord.ctrl && (chord.character != 0 || function_key < 0 || function_key >= 12);
}

bool works_while_typing(const Chord& chord) {
    if (!chord.ctrl) return !is_single_key(chord);
    for (const char letter : {'A', 'C', 'V', 'X', 'Y', 'Z'})
        if (chord.character == 0 && chord.key == key_of({&letter, 1})) return false;
    return true;
}

bool operates_widgets(const Chord& chord) {
    if (chord.character != 0) return false;
    constexpr ImGuiKey keys[] = {ImGuiKey_UpArrow, ImGuiKey_DownArrow, ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
                                 ImGuiKey_Tab,     ImGuiKey_Enter,     ImGuiKey_Space,     ImGuiKey_Escape};
    return std::ranges::find(keys, chord.key) != std::end(keys);
}

}  // namespace tonescope::ui
