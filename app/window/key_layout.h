// Which key an event means: what the active layout prints on it, where platform library and Dear ImGui tell its place.
#pragma once

#include <functional>
#include <unordered_map>

namespace tonescope {

/// `key`: GLFW's number, which is that of the place on a US keyboard. `name`: what the layout prints there without
/// modifiers, null where it is not known. Gives the number of the key that has this on a US keyboard; `key` itself
/// where there is none, and for the row of digits also where digits need Shift.
int printed_key(int key, const char* name);

/// Follows presses and releases in the order in which they came.
class KeyLayout {
  public:
    /// The name of a key as glfwGetKeyName() tells it.
    using NameOf = std::function<const char*(int key, int scancode)>;

    KeyLayout();
    explicit KeyLayout(NameOf name_of) : name_of_(std::move(name_of)) {}

    /// The key that a press or a release means. `typed`: the character that came with the press, 0: none. With AltGr it
    /// tells more than the key's name. A release means what its press meant, whatever the layout is by then.
    int meaning(int key, int scancode, bool down, int typed = 0);

  private:
    bool is_latin() const;
    bool alt_gr_down() const;

    NameOf name_of_;
    std::unordered_map<int, int> held_;  // by scancode
};

}  // namespace tonescope
