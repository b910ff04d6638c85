// The whole interface: one call a frame between ImGui::NewFrame() and ImGui::Render().
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ui/model.h"

namespace tonescope::ui {

class Interface {
  public:
    Interface();
    ~Interface();

    /// Fonts, colours and spacing for a display scale (1 = 96 dpi). Needs an ImGui context; call again, between frames,
    /// when the scale changes: with Dear ImGui below 1.92 the backend's font texture must then be made anew.
    void apply_style(float scale);
    /// Draws everything over the display size and returns what the user asked for.
    std::vector<Action> draw(const Model& model);

    const View& view() const;
    /// Widgets drawn by the last draw().
    std::span<const Widget> widgets() const;
    /// True while something changes without input (a spinner, a notice that is about to go, a tooltip that is about to
    /// come): draw the next frame soon.
    bool animating() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tonescope::ui
