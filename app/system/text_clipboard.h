// Text on the clipboard for the fields of the window.
#pragma once

#include <memory>
#include <string>

struct GLFWwindow;

namespace tonescope {

/// While it lives, Dear ImGui copies and pastes through it. GLFW waits for the program that owns an X clipboard for as
/// long as that takes, which for one that hangs is for ever; this gives up soon. Elsewhere it hands on to GLFW.
class TextClipboard {
  public:
    /// Needs Dear ImGui's context and its GLFW backend.
    explicit TextClipboard(GLFWwindow* window);
    ~TextClipboard();
    TextClipboard(const TextClipboard&) = delete;
    TextClipboard& operator=(const TextClipboard&) = delete;

    void put(const char* text);
    /// Empty where there is no text; valid until the next call.
    const char* get();

  private:
    class X11Selection;
    GLFWwindow* window_;
    std::unique_ptr<X11Selection> selection_;  // null: not X11
    std::string text_;
};

}  // namespace tonescope
