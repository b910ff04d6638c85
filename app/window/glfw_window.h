// An OpenGL 3.3 window with a Dear ImGui context in it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/system/text_clipboard.h"
#include "app/viewer/saved_state.h"
#include "app/window/glfw_input.h"
#include "ui/ui.h"

struct GLFWwindow;

namespace tonescope {

class GlfwWindow {
  public:
    /// Sides in window pixels. Throws UserError where there is no display or no OpenGL 3.3.
    GlfwWindow(const std::string& title, int width, int height);
    ~GlfwWindow();
    GlfwWindow(const GlfwWindow&) = delete;
    GlfwWindow& operator=(const GlfwWindow&) = delete;

    /// True once after the user asked to close the window.
    bool take_close();
    void set_title(const std::string& title);
    void toggle_full_screen();
    /// Outside full screen; sides in window pixels.
    const WindowPlace& place() const { return place_; }
    /// Where it would be out of reach, only its size is taken.
    void set_place(const WindowPlace& place);
    /// Scale of the display: 1 at 96 dpi.
    float content_scale() const;
    /// Files dropped on the window since the last call.
    std::vector<std::string> take_dropped();
    /// True once after input, exposure or a change of size.
    bool take_input();
    /// What the frames have seen of mouse and keyboard.
    const InputQueue::Seen& input_seen() const { return input_->seen(); }

    /// Waits for events, at most `timeout_s`; negative: without limit, 0: only takes what is there.
    static void wait_events(double timeout_s);
    /// Ends a wait; from any thread.
    static void wake();

    /// Where width > 0, the interface is laid out for these sides in place of the window's.
    void begin_frame(int width = 0, int height = 0);
    /// Renders what ImGui was given, over these background_fills, into the bound framebuffer of width x height pixels.
    void render(int width, int height, std::span<const ui::BackgroundFill> background_fills);
    void present();
    void framebuffer_size(int& width, int& height) const;

  private:
    void watch_window();

    GLFWwindow* window_ = nullptr;
    std::string title_;
    std::vector<std::string> dropped_;
    bool is_outdated_ = true;
    std::optional<GlfwInput> input_;
    std::optional<TextClipboard> clipboard_;
    double began_s_ = 0, presented_s_ = 0;  // of the last frame
    WindowPlace place_;
};

}  // namespace tonescope
