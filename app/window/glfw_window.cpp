#include "app/window/glfw_window.h"

#include <glad/gl.h>
// glad comes first: it replaces the system's OpenGL header.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cfloat>
#include <utility>

#include "app/window/screens.h"
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

std::span<GLFWmonitor*> connected_monitors() {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    return {monitors, size_t(count)};
}

GlfwWindow& self(GLFWwindow* window) {
    return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window));
}

/// Where Dear ImGui binds a sampler of its own, which overrides what textures say, its callback for the nearest texel
/// takes that away (see ui/widgets/picture_drawing.cpp).
void let_textures_sample(auto&& io) {
    if constexpr (requires { io.DrawCallback_SetSamplerNearest; })
        io.DrawCallback_SetSamplerNearest = [](const ImDrawList*, const ImDrawCmd*) { glBindSampler(0, 0); };
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
    // Each frame gets what keeps every change visible from an InputQueue.
    ImGui::GetIO().ConfigInputTrickleEventQueue = false;
    watch_window();
    input_.emplace(window_);
    ImGui_ImplGlfw_InitForOpenGL(window_, false);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    let_textures_sample(ImGui::GetPlatformIO());
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
        self(window).is_outdated_ = true;
    });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int focused) {
        ImGui_ImplGlfw_WindowFocusCallback(w, focused);
        self(w).is_outdated_ = true;
    });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { self(w).is_outdated_ = true; });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { self(w).is_outdated_ = true; });
    glfwSetWindowCloseCallback(window_, [](GLFWwindow* w) { self(w).is_outdated_ = true; });
    glfwSetWindowPosCallback(window_, [](GLFWwindow* w, int x, int y) {
        if (glfwGetWindowMonitor(w) != nullptr) return;
        self(w).place_.x = x;
        self(w).place_.y = y;
        self(w).is_outdated_ = true;
    });
    glfwSetWindowSizeCallback(window_, [](GLFWwindow* w, int width, int height) {
        if (glfwGetWindowMonitor(w) != nullptr) return;
        self(w).place_.width = width;
        self(w).place_.height = height;
    });
    glfwGetWindowPos(window_, &place_.x, &place_.y);
    glfwGetWindowSize(window_, &place_.width, &place_.height);
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { self(w).is_outdated_ = true; });
}

bool GlfwWindow::take_close() {
    const bool asked = glfwWindowShouldClose(window_) == GLFW_TRUE;
    if (asked) glfwSetWindowShouldClose(window_, GLFW_FALSE);
    return asked;
}

void GlfwWindow::toggle_full_screen() {
    if (glfwGetWindowMonitor(window_) != nullptr) {
        const WindowPlace back = place_;
        glfwSetWindowMonitor(window_, nullptr, back.x, back.y, back.width, back.height, GLFW_DONT_CARE);
        return;
    }
    const std::span<GLFWmonitor*> monitors = connected_monitors();
    std::vector<WindowPlace> screens(monitors.size());
    for (size_t k = 0; k < screens.size(); ++k) {
        glfwGetMonitorPos(monitors[k], &screens[k].x, &screens[k].y);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[k]);
        if (mode == nullptr) return;
        screens[k].width = mode->width;
        screens[k].height = mode->height;
    }
    if (screens.empty()) return;
    const size_t screen = screen_of(place_, screens);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[screen]);
    glfwSetWindowMonitor(window_, monitors[screen], 0, 0, mode->width, mode->height, mode->refreshRate);
}

void GlfwWindow::set_place(const WindowPlace& place) {
    constexpr int kGrip_px = 64;  // as much of the title must be on a screen
    glfwSetWindowSize(window_, place.width, place.height);
    for (GLFWmonitor* monitor : connected_monitors()) {
        int x = 0, y = 0, width = 0, height = 0;
        glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
        if (place.x + place.width < x + kGrip_px || place.x > x + width - kGrip_px || place.y < y ||
            place.y > y + height - kGrip_px)
            continue;
        glfwSetWindowPos(window_, place.x, place.y);
        return;
    }
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
    const bool has_input = input_->take_news();
    return std::exchange(is_outdated_, false) || has_input;
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
    auto& io = ImGui::GetIO();
    // The two clicks take three frames.
    io.MouseDoubleClickTime = float(kDoubleClick_s + 3 * std::max(0.0, presented_s_ - began_s_));
    io.MouseSingleClickDelay = io.MouseDoubleClickTime + 0.1F;  // Dear ImGui wants it to be longer
    began_s_ = now_s;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    input_->deliver();
    if (width > 0) {
        io.DisplaySize = ImVec2(float(width), float(height));
        io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);  // the pointer belongs to the screen, not to this picture
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
