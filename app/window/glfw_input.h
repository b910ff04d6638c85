// Mouse and keyboard: from GLFW's callbacks through an InputQueue to Dear ImGui.
#pragma once

#include <utility>

#include "app/window/input_queue.h"
#include "app/window/key_layout.h"

struct GLFWwindow;

namespace tonescope {

class GlfwInput {
  public:
    /// Before Dear ImGui's backend is made, which must set no callbacks of its own.
    explicit GlfwInput(GLFWwindow* window);
    GlfwInput(const GlfwInput&) = delete;
    GlfwInput& operator=(const GlfwInput&) = delete;

    void hear(const InputQueue::Event& event);
    /// Gives the frame that is about to begin its events. After the backend's NewFrame.
    void deliver();
    /// True once where there are events for another frame.
    bool take_news() { return std::exchange(news_, false); }
    /// What the frames have seen of mouse and keyboard.
    const InputQueue::Seen& seen() const { return queue_.seen(); }

  private:
    GLFWwindow* window_;
    InputQueue queue_;
    KeyLayout layout_;
    bool news_ = true;
};

}  // namespace tonescope
