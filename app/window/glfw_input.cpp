#include "app/window/glfw_input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cfloat>
#include <vector>

#include "ui/widgets/imgui_compat.h"

// Dear ImGui's backend exports the function without declaring it.
ImGuiKey ImGui_ImplGlfw_KeyToImGuiKey(int keycode, int scancode);

namespace tonescope {
namespace {

GlfwInput* listener = nullptr;  // the program has one window

}  // namespace

GlfwInput::GlfwInput(GLFWwindow* window) : window_(window) {
    listener = this;
    using Kind = InputQueue::Event::Kind;
    glfwSetCursorPosCallback(
        window_, [](GLFWwindow*, double x, double y) { listener->hear({.kind = Kind::position, .x = x, .y = y}); });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
        double x = 0, y = 0;
        glfwGetCursorPos(w, &x, &y);
        listener->hear({.kind = entered == GLFW_TRUE ? Kind::position : Kind::leave, .x = x, .y = y});
    });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow*, int button, int action, int mods) {
        listener->hear({.kind = Kind::button, .code = button, .action = action, .mods = mods});
    });
    glfwSetScrollCallback(
        window_, [](GLFWwindow*, double x, double y) { listener->hear({.kind = Kind::wheel, .x = x, .y = y}); });
    glfwSetKeyCallback(window_, [](GLFWwindow*, int key, int scancode, int action, int mods) {
        if (action == GLFW_REPEAT) return;  // Dear ImGui repeats keys by its own clock
        listener->hear({.kind = Kind::key, .code = key, .scancode = scancode, .action = action, .mods = mods});
    });
    glfwSetCharCallback(window_,
                        [](GLFWwindow*, unsigned c) { listener->hear({.kind = Kind::character, .code = int(c)}); });
}

void GlfwInput::hear(const InputQueue::Event& event) {
    queue_.push(event);
    news_ = true;
}

void GlfwInput::deliver() {
    using Kind = InputQueue::Event::Kind;
    auto& io = ImGui::GetIO();
    const std::vector<InputQueue::Event> events = queue_.next_frame();
    const InputQueue::Seen& seen = queue_.seen();
    // The backend has asked GLFW where the mouse is by now, which may be ahead of the events.
    const bool has_pointer = seen.inside || seen.buttons != 0;
    io.AddMousePosEvent(has_pointer ? float(seen.x) : -FLT_MAX, has_pointer ? float(seen.y) : -FLT_MAX);
    for (int button = 0; button < IM_ARRAYSIZE(io.MouseDown); ++button)
        io.AddMouseButtonEvent(button, (seen.buttons >> button & 1) != 0);
    constexpr struct {
        ImGuiKey modifier;
        int left, right;
    } kModifiers[] = {{ImGuiMod_Ctrl, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL},
                      {ImGuiMod_Shift, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT},
                      {ImGuiMod_Alt, GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT},
                      {ImGuiMod_Super, GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER}};
    for (const auto& [modifier, left, right] : kModifiers)
        io.AddKeyEvent(modifier, std::ranges::any_of(seen.keys, [&](int key) { return key == left || key == right; }));

    for (size_t k = 0; k < events.size(); ++k) {
        const InputQueue::Event& event = events[k];
        if (event.kind == Kind::wheel) io.AddMouseWheelEvent(float(event.x), float(event.y));
        if (event.kind == Kind::character) io.AddInputCharacter(unsigned(event.code));
        if (event.kind != Kind::key) continue;
        const bool is_press = event.action == GLFW_PRESS;
        // The character of a press follows it.
        const bool types = k + 1 < events.size() && events[k + 1].kind == Kind::character;
        const int meant = layout_.meaning(event.code, event.scancode, is_press, types ? events[k + 1].code : 0);
        io.AddKeyEvent(ImGui_ImplGlfw_KeyToImGuiKey(meant, event.scancode), is_press);
    }
    if (!queue_.empty()) news_ = true;  // the next frame is due
}

}  // namespace tonescope
