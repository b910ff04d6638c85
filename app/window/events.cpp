#include "app/window/events.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <dlfcn.h>
#ifdef TONESCOPE_HAVE_X11
#include <X11/Xlib.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#endif

#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

#include "app/system/ending.h"
#include "app/system/text_file.h"

#ifdef TONESCOPE_HAVE_X11
/// GLFW's own; null where this GLFW has no part for X11, and a null pointer where another one is in use.
extern "C" __attribute__((weak)) void* glfwGetX11Display();
#endif
/// The same for Wayland.
extern "C" __attribute__((weak)) void* glfwGetWaylandDisplay();

namespace tonescope {
namespace {

void* wayland = nullptr;                               // null: another display
int (*wayland_error)(void*) = nullptr;                 // wl_display_get_error()
std::function<void(const char*)> end_without_display;  // called once

void lose_display(const char* what) {
    end_within(kEndPatience, 1, error_line(what));
    if (const auto end = std::exchange(end_without_display, nullptr)) end(what);
    end_at_once();
}

/// GLFW loads the library, or is linked with it.
void watch_wayland() {
    if (glfwGetWaylandDisplay != nullptr) wayland = glfwGetWaylandDisplay();
    void* const library = wayland == nullptr ? nullptr : dlopen("libwayland-client.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return;
    wayland_error = reinterpret_cast<int (*)(void*)>(dlsym(library, "wl_display_get_error"));
}

void check_wayland() {
    if (wayland_error != nullptr && wayland_error(wayland) != 0) lose_display("the Wayland compositor is gone");
}

#ifdef TONESCOPE_HAVE_X11
Display* x11 = nullptr;  // null: another display
int bell = -1;           // an eventfd that threads write

/// Until there is an event, the bell rings, or the time is over.
void wait_for_x11(double timeout_s) {
    if (XPending(x11) > 0) return;
    pollfd files[] = {{ConnectionNumber(x11), POLLIN, 0}, {bell, POLLIN, 0}};
    const bool has_end = std::isfinite(timeout_s);
    const double whole_s = has_end ? std::floor(timeout_s) : 0;
    const timespec timeout{time_t(whole_s), long((has_end ? timeout_s - whole_s : 0) * 1e9)};
    ppoll(files, std::size(files), has_end ? &timeout : nullptr, nullptr);
    uint64_t rings = 0;
    if (files[1].revents != 0) (void)!read(bell, &rings, sizeof rings);
}
#endif

}  // namespace

void watch_display() {
#ifdef TONESCOPE_HAVE_X11
    if (glfwGetX11Display != nullptr) x11 = static_cast<Display*>(glfwGetX11Display());
    if (x11 != nullptr) {
        if (bell < 0) bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        XSetIOErrorHandler([](Display*) -> int {
            lose_display("the X server is gone");
            return 0;
        });
        return;
    }
#endif
    watch_wayland();
}

void wait_events(double timeout_s) {
#ifdef TONESCOPE_HAVE_X11
    if (x11 != nullptr) {
        if (timeout_s > 0) wait_for_x11(timeout_s);
        timeout_s = 0;
    }
#endif
    check_wayland();  // GLFW 3.3 does not return where there was an error before
    if (timeout_s <= 0)
        glfwPollEvents();
    else if (std::isfinite(timeout_s))
        glfwWaitEventsTimeout(timeout_s);
    else
        glfwWaitEvents();
    check_wayland();
}

void wake_window() {
#ifdef TONESCOPE_HAVE_X11
    const uint64_t ring = 1;
    if (x11 != nullptr && write(bell, &ring, sizeof ring) > 0) return;
#endif
    glfwPostEmptyEvent();
}

void on_display_lost(std::function<void(const char*)> end) {
    end_without_display = std::move(end);
}

}  // namespace tonescope
