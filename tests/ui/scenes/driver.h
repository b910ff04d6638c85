// Drives the interface without a window: input goes in by hand, frames are built but need not be drawn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/ui.h"
#include "ui/widgets/imgui_compat.h"

namespace tonescope::ui {

/// The key of a letter A to Z or a digit.
ImGuiKey key_of(char letter_or_digit);

class Driver {
  public:
    Driver(int width, int height, float scale);
    ~Driver();
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

    Interface& interface() { return interface_; }
    /// One frame of 1/60 s; what the user asked for is added to actions().
    void frame(const Model& model);
    void frames(const Model& model, int count);
    std::vector<Action>& actions() { return actions_; }
    /// Of the last frame; null where there is none with this label.
    const Widget* find(std::string_view label) const;

    // Input for the frames to come. Positions are fractions of the widget's rectangle.
    void move_to(float x, float y);
    bool move_to(std::string_view label, float fraction_x = 0.5F, float fraction_y = 0.5F);
    void press(int button, bool down);
    void wheel(float steps);
    void hold(ImGuiKey key, bool down);
    void hold_control(bool down);
    void hold_shift(bool down);
    void hold_alt(bool down);
    void type(std::string_view ascii);

    // Several frames each.
    bool click(const Model& model, std::string_view label, int button = 0);
    bool double_click(const Model& model, std::string_view label);
    void tap(const Model& model, ImGuiKey key);
    void tap_with_control(const Model& model, ImGuiKey key);
    /// The command palette with something typed into it.
    void open_palette(const Model& model, std::string_view typed = {});
    /// The palette's first command of those that contain this.
    void run_command(const Model& model, std::string_view typed);

    template <class A>
    const A* last() const {
        for (auto it = actions_.rbegin(); it != actions_.rend(); ++it)
            if (const A* action = std::get_if<A>(&*it)) return action;
        return nullptr;
    }

  private:
    Interface interface_;
    std::vector<Action> actions_;
};

}  // namespace tonescope::ui
