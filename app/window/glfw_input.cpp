#include "app/window/glfw_input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <cfloat>
#include <vector>

#include "ui/widgets/imgui_compat.h"

namespace tonescope {
namespace {

GlfwInput* listener = nullptr;  // the program has one window

/// Whether the platform backend takes a key as what the active layout prints on it, not as its place on a US keyboard.
constexpr bool kBackendKnowsLayouts = IMGUI_VERSION_NUM >= 18700;

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
    const std::vector<InputQueue::Event> events = queue_.next_frame();
    for (size_t k = 0; k < events.size(); ++k) {
        const InputQueue::Event& event = events[k];
        switch (event.kind) {
#if IMGUI_VERSION_NUM >= 18700
            case Kind::position:
                ImGui_ImplGlfw_CursorPosCallback(window_, event.x, event.y);
                break;
            case Kind::leave:
                ImGui_ImplGlfw_CursorEnterCallback(window_, GLFW_FALSE);
                break;
            case Kind::button:
                ImGui_ImplGlfw_MouseButtonCallback(window_, event.code, event.action, event.mods);
                break;
#else
            case Kind::position:
            case Kind::leave:
            case Kind::button:
                break;  // see set_mouse()
#endif
            case Kind::wheel:
                ImGui_ImplGlfw_ScrollCallback(window_, event.x, event.y);
                break;
            case Kind::key: {
                // The character of a press follows it.
                const bool types = k + 1 < events.size() && events[k + 1].kind == Kind::character;
                const int meant = kBackendKnowsLayouts
                                      ? event.code
                                      : layout_.meaning(event.code, event.scancode, event.action == GLFW_PRESS,
                                                        types ? events[k + 1].code : 0);
                ImGui_ImplGlfw_KeyCallback(window_, meant, event.scancode, event.action, event.mods);
                break;
            }
            case Kind::character:
                ImGui_ImplGlfw_CharCallback(window_, unsigned(event.code));
                break;
        }
    }
    if (!queue_.empty()) news_ = true;  // the next frame is due
}

/// Before 1.87 the backend asks GLFW where the mouse is by now, which may be ahead of the events.
void GlfwInput::set_mouse() const {
#if IMGUI_VERSION_NUM < 18700
    const InputQueue::Seen& seen = queue_.seen();
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
    if (seen.inside || seen.buttons != 0) io.MousePos = ImVec2(float(seen.x), float(seen.y));
    for (int button = 0; button < IM_ARRAYSIZE(io.MouseDown); ++button)
        io.MouseDown[button] = (seen.buttons >> button & 1) != 0;
#endif
}

}  // namespace tonescope
