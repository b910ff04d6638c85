// Waiting for the display's events and for workers, and what becomes of the program where the display goes.
#pragma once

#include <functional>

namespace tonescope {

/// On the UI thread, once GLFW is there and before any of the following.
void watch_display();

/// Waits for events, at most `timeout_s`; infinite: without limit, 0: only takes what is there.
void wait_events(double timeout_s);

/// Ends a wait; from any thread. X is not asked for it, since its connection belongs to the UI thread.
void wake_window();

/// The UI thread calls `end` where the X server or the Wayland compositor is gone, with X from inside of whatever it
/// was asking of it: nothing can be asked of GLFW any more, and the program ends when `end` returns. `what`: "the X
/// server is gone".
void on_display_lost(std::function<void(const char* what)> end);

}  // namespace tonescope
