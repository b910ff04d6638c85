#include "app/window/glfw_window.h"

#include <glad/gl.h>
// glad comes first: it replaces the system's OpenGL header.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <utility>

#include "gpu/core/error.h"
#include "ui/widgets/imgui_compat.h"

namespace tonescope {
namespace {

constexpr double kDoubleClick_s = 0.5;
constexpr double kNever_s = 1e30;

std::string last_glfw_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text == nullptr ? "unknown reason" : text;
}

GlfwWindow& self(GLFWwindow* window) {
    return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window));
}

}  // namespace

GlfwWindow::GlfwWindow(const std::string& title, int width, int height) : title_(title) {
    glfwInitHint(GLFW_JOYSTICK_HAT_BUTTONS, GLFW_FALSE);
    if (glfwInit() != GLFW_TRUE)
        throw UserError("cannot open a window (" + last_glfw_error() + "): use --headless without a display");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "tonescope");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "tonescope");
    window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (window_ == nullptr) {
        const std::string reason = last_glfw_error();
        glfwTerminate();
        throw UserError("cannot open an OpenGL 3.3 window: " + reason);
    }
    glfwSetWindowSizeLimits(window_, 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window_);
    gladLoadGL(glfwGetProcAddress);
    glfwSwapInterval(1);

    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    watch_window();
    watch_input();
    ImGui_ImplGlfw_InitForOpenGL(window_, false);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    clipboard_.emplace(window_);
}

GlfwWindow::~GlfwWindow() {
    clipboard_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(window_);
    glfwTerminate();
}

void GlfwWindow::watch_window() {
    glfwSetWindowUserPointer(window_, this);
    glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
        self(window).dropped_.insert(self(window).dropped_.end(), paths, paths + count);
        self(window).input_ = true;
    });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int focused) {
        ImGui_ImplGlfw_WindowFocusCallback(w, focused);
        self(w).input_ = true;
    });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { self(w).input_ = true; });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { self(w).input_ = true; });
    glfwSetWindowCloseCallback(window_, [](GLFWwindow* w) { self(w).input_ = true; });
    glfwSetWindowPosCallback(window_, [](GLFWwindow* w, int x, int y) {
        if (glfwGetWindowMonitor(w) != nullptr) return;
        self(w).place_.x = x;
        self(w).place_.y = y;
        self(w).input_ = true;
    });
    glfwSetWindowSizeCallback(window_, [](GLFWwindow* w, int width, int height) {
        if (glfwGetWindowMonitor(w) != nullptr) return;
        self(w).place_.width = width;
        self(w).place_.height = height;
    });
    glfwGetWindowPos(window_, &place_.x, &place_.y);
    glfwGetWindowSize(window_, &place_.width, &place_.height);
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { self(w).input_ = true; });
}

void GlfwWindow::watch_input() {
    using Kind = InputQueue::Event::Kind;
    glfwSetCursorPosCallback(
        window_, [](GLFWwindow* w, double x, double y) { self(w).hear({.kind = Kind::position, .x = x, .y = y}); });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
        double x = 0, y = 0;
        glfwGetCursorPos(w, &x, &y);
        self(w).hear({.kind = entered == GLFW_TRUE ? Kind::position : Kind::leave, .x = x, .y = y});
    });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
        self(w).hear({.kind = Kind::button, .code = button, .action = action, .mods = mods});
    });
    glfwSetScrollCallback(
        window_, [](GLFWwindow* w, double x, double y) { self(w).hear({.kind = Kind::wheel, .x = x, .y = y}); });
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
        if (action == GLFW_REPEAT) return;  // Dear ImGui repeats keys by its own clock
        self(w).hear({.kind = Kind::key, .code = key, .scancode = scancode, .action = action, .mods = mods});
    });
    glfwSetCharCallback(window_,
                        [](GLFWwindow* w, unsigned c) { self(w).hear({.kind = Kind::character, .code = int(c)}); });
}

void GlfwWindow::hear(const InputQueue::Event& event) {
    heard_.push(event);
    input_ = true;
}

/// Gives the frame that is about to begin its events.
void GlfwWindow::deliver_input() {
    using Kind = InputQueue::Event::Kind;
    const std::vector<InputQueue::Event> events = heard_.next_frame();
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
                const int meant = ui::compat::kBackendKnowsLayouts
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
    if (!heard_.empty()) input_ = true;  // the next frame is due
}

/// Before 1.87 the backend asks GLFW where the mouse is by now, which may be ahead of the events.
void GlfwWindow::set_mouse() const {
#if IMGUI_VERSION_NUM < 18700
    const InputQueue::Seen& seen = heard_.seen();
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
    if (seen.inside || seen.buttons != 0) io.MousePos = ImVec2(float(seen.x), float(seen.y));
    for (int button = 0; button < IM_ARRAYSIZE(io.MouseDown); ++button)
        io.MouseDown[button] = (seen.buttons >> button & 1) != 0;
#endif
}

bool GlfwWindow::take_close() {
    const bool asked = glfwWindowShouldClose(window_) == GLFW_TRUE;
    if (asked) glfwSetWindowShouldClose(window_, GLFW_FALSE);
    return asked;
}

void GlfwWindow::set_title(const std::string& title) {
    if (title == title_) return;
    title_ = title;
    glfwSetWindowTitle(window_, title.c_str());
}

float GlfwWindow::content_scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::clamp(std::max(x, y), 0.75f, 4.0f);
}

std::vector<std::string> GlfwWindow::take_dropped() {
    return std::exchange(dropped_, {});
}

bool GlfwWindow::take_input() {
    return std::exchange(input_, false);
}

void GlfwWindow::rebuild_fonts() {
#if IMGUI_VERSION_NUM < 19200  // newer ones see to it themselves
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void GlfwWindow::wait_events(double timeout_s) {
    if (timeout_s < 0) {
        glfwWaitEvents();
    } else if (timeout_s == 0) {
        glfwPollEvents();
    } else {
        glfwWaitEventsTimeout(timeout_s);
    }
}

void GlfwWindow::wake() {
    glfwPostEmptyEvent();
}

void GlfwWindow::begin_frame(int width, int height) {
    const double now_s = glfwGetTime();
    ImGuiIO& io = ImGui::GetIO();
    // The two clicks take three frames.
    io.MouseDoubleClickTime = float(kDoubleClick_s + 3 * std::max(0.0, presented_s_ - began_s_));
    began_s_ = now_s;
    deliver_input();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    set_mouse();
    if (width > 0) {
        io.DisplaySize = ImVec2(float(width), float(height));
        io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);  // the pointer belongs to the screen, not to this picture
    }
    ImGui::NewFrame();
    // A drag is no click: another one from the same place does not make it a double click.
    for (int button = 0; button < IM_ARRAYSIZE(io.MouseReleased); ++button)
        if (io.MouseReleased[button] &&
            io.MouseDragMaxDistanceSqr[button] > io.MouseDragThreshold * io.MouseDragThreshold)
            io.MouseClickedTime[button] = -kNever_s;
}

void GlfwWindow::render(int width, int height, std::span<const ui::BackgroundFill> background_fills) {
    ImGui::Render();
    glViewport(0, 0, width, height);
    glEnable(GL_SCISSOR_TEST);
    for (const auto& [area, color] : background_fills) {
        const auto part = [&color = color](int shift) { return float(color >> shift & 255) / 255; };
        glScissor(area.x, height - area.y - area.height, area.width, area.height);
        glClearColor(part(0), part(8), part(16), 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void GlfwWindow::present() {
    glfwSwapBuffers(window_);
    presented_s_ = glfwGetTime();
}

void GlfwWindow::framebuffer_size(int& width, int& height) const {
    glfwGetFramebufferSize(window_, &width, &height);
}

}  // namespace tonescope
