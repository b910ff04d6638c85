#include "app/window/window.h"

#include <glad/gl.h>
// glad comes first: it replaces the system's OpenGL header.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <utility>

#include "app/system/clipboard.h"
#include "app/window/events.h"
#include "gpu/core/error.h"
#include "ui/widgets/imgui_compat.h"

// Dear ImGui's backend exports the function without declaring it.
ImGuiKey ImGui_ImplGlfw_KeyToImGuiKey(int keycode, int scancode);

namespace tonescope {
namespace {

using Kind = InputQueue::Event::Kind;

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

/// Other shapes are the arrow.
constexpr std::pair<ImGuiMouseCursor, int> kPointerShapes[] = {{ImGuiMouseCursor_TextInput, GLFW_IBEAM_CURSOR},
                                                               {ImGuiMouseCursor_ResizeNS, GLFW_VRESIZE_CURSOR},
                                                               {ImGuiMouseCursor_ResizeEW, GLFW_HRESIZE_CURSOR},
#ifdef GLFW_RESIZE_ALL_CURSOR  // from GLFW 3.4 on
                                                               {ImGuiMouseCursor_ResizeAll, GLFW_RESIZE_ALL_CURSOR},
                                                               {ImGuiMouseCursor_ResizeNESW, GLFW_RESIZE_NESW_CURSOR},
                                                               {ImGuiMouseCursor_ResizeNWSE, GLFW_RESIZE_NWSE_CURSOR},
#endif
                                                               {ImGuiMouseCursor_Hand, GLFW_HAND_CURSOR}};

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
    watch_display();
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
    if (gladLoadGL(glfwGetProcAddress) == 0) throw UserError("cannot use OpenGL: its functions could not be loaded");
    glfwSwapInterval(1);

    IMGUI_CHECKVERSION();
    // Dear ImGui would write to where no memory is: an exception ends the program with a line instead.
    ImGui::SetAllocatorFunctions([](size_t bytes, void*) { return ::operator new(bytes); },
                                 [](void* block, void*) { ::operator delete(block); });
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    // Each frame gets what keeps every change visible from an InputQueue.
    ImGui::GetIO().ConfigInputTrickleEventQueue = false;
    watch_window();
    watch_input();  // before Dear ImGui's backend is made, which sets no callbacks of its own
    // Its NewFrame is not called: it asks the display where the window and the mouse are, and waits for each answer.
    ImGui_ImplGlfw_InitForOpenGL(window_, false);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    for (size_t k = 0; k < std::size(kPointerShapes); ++k)
        pointers_.push_back(glfwCreateStandardCursor(kPointerShapes[k].second));
    let_textures_sample(ImGui::GetPlatformIO());
    clipboard_ = make_text_clipboard(window_);
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
        GlfwWindow& to = self(window);
        to.dropped_.paths.insert(to.dropped_.paths.end(), paths, paths + count);
        to.dropped_.x = to.heard_x_;
        to.dropped_.y = to.heard_y_;
        to.damage();
    });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int focused) {
        ImGui_ImplGlfw_WindowFocusCallback(w, focused);
        self(w).damage();
    });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { self(w).damage(); });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int width, int height) {
        self(w).framebuffer_size_ = {width, height};
        self(w).damage();
    });
    glfwSetWindowCloseCallback(window_, [](GLFWwindow* w) { self(w).damage(); });
    glfwSetWindowPosCallback(window_, [](GLFWwindow* w, int x, int y) {
        if (glfwGetWindowMonitor(w) != nullptr) return;
        self(w).place_.x = x;
        self(w).place_.y = y;
        self(w).damage();
    });
    glfwSetWindowSizeCallback(window_, [](GLFWwindow* w, int width, int height) {
        self(w).size_ = {width, height};
        if (glfwGetWindowMonitor(w) != nullptr) return;
        self(w).place_.width = width;
        self(w).place_.height = height;
    });
    glfwGetWindowPos(window_, &place_.x, &place_.y);
    glfwGetWindowSize(window_, &place_.width, &place_.height);
    size_ = {place_.width, place_.height};
    glfwGetFramebufferSize(window_, &framebuffer_size_[0], &framebuffer_size_[1]);
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { self(w).damage(); });
}

void GlfwWindow::watch_input() {
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
    queue_.push(event);
    if (event.kind == Kind::position) {
        heard_x_ = event.x;
        heard_y_ = event.y;
    }
    is_outdated_ = true;
}

void GlfwWindow::deliver_input() {
    auto& io = ImGui::GetIO();
    const std::vector<InputQueue::Event> events = queue_.next_frame();
    const InputQueue::Seen& seen = queue_.seen();
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
    if (!queue_.empty()) is_outdated_ = true;  // the next frame is due
}

bool GlfwWindow::take_close() {
    const bool asked = glfwWindowShouldClose(window_) == GLFW_TRUE;
    if (asked) glfwSetWindowShouldClose(window_, GLFW_FALSE);
    return asked;
}

void GlfwWindow::hide() {
    glfwHideWindow(window_);
}

bool GlfwWindow::toggle_full_screen() {
    if (glfwGetWindowMonitor(window_) != nullptr) {
        const Rect back = place_;
        glfwSetWindowMonitor(window_, nullptr, back.x, back.y, back.width, back.height, GLFW_DONT_CARE);
        return true;
    }
    const std::span<GLFWmonitor*> monitors = connected_monitors();
    std::vector<Rect> screens(monitors.size());
    for (size_t k = 0; k < screens.size(); ++k) {
        glfwGetMonitorPos(monitors[k], &screens[k].x, &screens[k].y);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[k]);
        if (mode == nullptr) return false;
        screens[k].width = mode->width;
        screens[k].height = mode->height;
    }
    if (screens.empty()) return false;
    const size_t screen = screen_of(place_, screens);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[screen]);
    if (mode == nullptr) return false;
    glfwSetWindowMonitor(window_, monitors[screen], 0, 0, mode->width, mode->height, mode->refreshRate);
    return true;
}

size_t screen_of(const Rect& window, std::span<const Rect> screens) {
    const auto overlap = [&](const Rect& screen) {
        const int width = std::min(window.x + window.width, screen.x + screen.width) - std::max(window.x, screen.x);
        const int height = std::min(window.y + window.height, screen.y + screen.height) - std::max(window.y, screen.y);
        return int64_t{std::max(width, 0)} * std::max(height, 0);
    };
    return size_t(std::ranges::max_element(screens, {}, overlap) - screens.begin());
}

void GlfwWindow::set_place(const Rect& place) {
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

void GlfwWindow::begin_frame(int width, int height) {
    const double now_s = glfwGetTime();
    auto& io = ImGui::GetIO();
    // The two clicks take three frames.
    io.MouseDoubleClickTime = float(kDoubleClick_s + 3 * std::max(0.0, presented_s_ - began_s_));
    io.MouseSingleClickDelay = io.MouseDoubleClickTime + 0.1F;  // Dear ImGui wants it to be longer
    io.DeltaTime = began_s_ > 0 ? std::max(float(now_s - began_s_), 1e-6F) : 1 / 60.0F;
    began_s_ = now_s;
    io.DisplaySize = ImVec2(float(size_[0]), float(size_[1]));
    if (size_[0] > 0 && size_[1] > 0)
        io.DisplayFramebufferScale =
            ImVec2(float(framebuffer_size_[0]) / io.DisplaySize.x, float(framebuffer_size_[1]) / io.DisplaySize.y);
    ImGui_ImplOpenGL3_NewFrame();
    show_pointer(ImGui::GetMouseCursor());
    deliver_input();
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

bool GlfwWindow::end_frame(std::span<const ui::BackgroundFill> background_fills) {
    ImGui::Render();
    return std::exchange(is_damaged_, false) | !drawn_.repeats(*ImGui::GetDrawData(), background_fills);
}

void GlfwWindow::render(int width, int height, std::span<const ui::BackgroundFill> background_fills) {
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

void GlfwWindow::show_pointer(int shape) {
    if (shape == pointer_shape_) return;
    pointer_shape_ = shape;
    const auto* const found = std::ranges::find(kPointerShapes, shape, &std::pair<ImGuiMouseCursor, int>::first);
    glfwSetCursor(window_,
                  found == std::end(kPointerShapes) ? nullptr : pointers_[size_t(found - std::begin(kPointerShapes))]);
}

}  // namespace tonescope
