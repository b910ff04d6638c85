// The window: GLFW's, with an OpenGL 3.3 context and Dear ImGui in it, and the loop of its frames.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/options/options.h"
#include "app/window/drawn_frame.h"
#include "app/window/input_queue.h"
#include "app/window/key_layout.h"
#include "ui/ui.h"

struct GLFWcursor;
struct GLFWwindow;

namespace tonescope {

/// Opens the window (or draws it for --screenshot) and runs until it is closed. Returns the exit status.
int run_window(const Options& options);

class GlfwWindow {
  public:
    /// Sides in window pixels. Throws UserError where there is no display or no OpenGL 3.3.
    GlfwWindow(const std::string& title, int width, int height);
    ~GlfwWindow();
    GlfwWindow(const GlfwWindow&) = delete;
    GlfwWindow& operator=(const GlfwWindow&) = delete;

    /// True once after the user asked to close the window.
    bool take_close();
    void hide();
    void set_title(const std::string& title);
    /// False where there is no screen to fill.
    bool toggle_full_screen();
    /// Where the window is outside full screen, screen coordinates.
    const Rect& place() const { return place_; }
    /// Where it would be out of reach, only its size is taken.
    void set_place(const Rect& place);
    /// Scale of the display: 1 at 96 dpi.
    float content_scale() const;
    /// Files dropped on the window, and where, window pixels.
    struct Drop {
        std::vector<std::string> paths = {};
        double x = 0, y = 0;
    };
    /// Since the last call.
    Drop take_dropped() { return std::exchange(dropped_, {}); }
    /// True once after input, exposure or a change of size.
    bool take_input() { return std::exchange(is_outdated_, false); }
    /// What the frames have seen of mouse and keyboard.
    const InputQueue::Seen& input_seen() const { return queue_.seen(); }

    /// Where width > 0, the interface is laid out for these sides in place of the window's.
    void begin_frame(int width = 0, int height = 0);
    /// False where what ImGui was given, over these background_fills, is on screen already, apart from what textures
    /// hold.
    bool end_frame(std::span<const ui::BackgroundFill> background_fills);
    /// Renders that into the bound framebuffer of width x height pixels.
    void render(int width, int height, std::span<const ui::BackgroundFill> background_fills);
    void present();
    /// Width and height, as far as the window has heard: to ask for them would wait for the display.
    std::array<int, 2> framebuffer_size() const { return framebuffer_size_; }

  private:
    void watch_window();
    void watch_input();
    /// What is on screen may be wrong.
    void damage() { is_outdated_ = is_damaged_ = true; }
    void hear(const InputQueue::Event& event);
    /// `shape`: an ImGuiMouseCursor.
    void show_pointer(int shape);
    /// Gives the frame that is about to begin its input.
    void deliver_input();

    GLFWwindow* window_ = nullptr;
    std::string title_;
    Drop dropped_;
    double heard_x_ = 0, heard_y_ = 0;  // of the mouse; while files are dragged, GLFW tells where they are
    bool is_outdated_ = true, is_damaged_ = true;
    InputQueue queue_;
    KeyLayout layout_;
    std::shared_ptr<void> clipboard_;       // for text
    double began_s_ = 0, presented_s_ = 0;  // of the last frame
    DrawnFrame drawn_;
    Rect place_;
    std::array<int, 2> size_{}, framebuffer_size_{};  // screen coordinates; pixels
    std::vector<GLFWcursor*> pointers_;               // GLFW frees them
    int pointer_shape_ = 0;                           // the arrow
};

/// Index of the screen that holds most of the window; 0 where none does.
size_t screen_of(const Rect& window, std::span<const Rect> screens);

}  // namespace tonescope
