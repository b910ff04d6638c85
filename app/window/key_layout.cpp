#include "app/window/key_layout.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <string_view>

namespace tonescope {
namespace {

/// Each is the number of its key.
bool has_punctuation_key(int character) {
    constexpr std::string_view all = "',-./;=[\\]`";
    return character > 0 && character < 128 && all.find(static_cast<char>(character)) != all.npos;
}

/// Keys that print something, less Space and the keypad.
bool is_printable_key(int key) {
    return key > GLFW_KEY_SPACE && key <= GLFW_KEY_WORLD_2;
}

bool is_digit_key(int key) {
    return key >= GLFW_KEY_0 && key <= GLFW_KEY_9;
}

bool is_single_letter(const char* name) {
    if (name == nullptr || name[0] == 0 || name[1] != 0) return false;
    return (name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z');
}

}  // namespace

int printed_key(int key, const char* name) {
    if (!is_printable_key(key) || name == nullptr || name[0] == 0 || name[1] != 0) return key;
    const char c = name[0];
    if (is_single_letter(name)) return c >= 'a' ? GLFW_KEY_A + (c - 'a') : c;
    if (c >= '0' && c <= '9') return c;
    return !is_digit_key(key) && has_punctuation_key(c) ? c : key;
}

KeyLayout::KeyLayout() : name_of_(glfwGetKeyName) {}

/// Cyrillic, Greek, Hebrew and other layouts print no Latin letter: their letters act by place, and so does the
/// punctuation that some have among them.
bool KeyLayout::is_latin() const {
    for (int key = GLFW_KEY_A; key <= GLFW_KEY_Z; ++key)
        if (is_single_letter(name_of_(key, 0))) return true;
    return false;
}

bool KeyLayout::alt_gr_down() const {
    return std::ranges::any_of(held_, [](const auto& held) { return held.second == GLFW_KEY_RIGHT_ALT; });
}

int KeyLayout::meaning(int key, int scancode, bool down, int typed) {
    if (!down) {
        const auto held = held_.find(scancode);
        if (held == held_.end()) return key;
        const int meant = held->second;
        held_.erase(held);
        return meant;
    }
    int meant = key;
    if (is_printable_key(key)) {
        if (alt_gr_down() && has_punctuation_key(typed))
            meant = typed;
        else if (is_latin())
            meant = printed_key(key, name_of_(key, scancode));
    }
    held_[scancode] = meant;
    return meant;
}

}  // namespace tonescope
