// Where the window is: its place, and full screen.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/window/glfw_window.h"
#include "app/window/screens.h"

namespace tonescope {

void GlfwWindow::toggle_full_screen() {
    if (glfwGetWindowMonitor(window_) != nullptr) {
        const WindowPlace back = place_;
        glfwSetWindowMonitor(window_, nullptr, back.x, back.y, back.width, back.height, GLFW_DONT_CARE);
        return;
    }
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    std::vector<WindowPlace> screens(static_cast<size_t>(count));
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
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int k = 0; k < count; ++k) {
        int x = 0, y = 0, width = 0, height = 0;
        glfwGetMonitorWorkarea(monitors[k], &x, &y, &width, &height);
        if (place.x + place.width < x + kGrip_px || place.x > x + width - kGrip_px || place.y < y ||
            place.y > y + height - kGrip_px)
            continue;
        glfwSetWindowPos(window_, place.x, place.y);
        return;
    }
}

}  // namespace tonescope
