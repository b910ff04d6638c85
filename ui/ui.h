// The whole interface: one call a frame between ImGui::NewFrame() and ImGui::Render().
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/model/model.h"

namespace tonescope::ui {

struct Ui;

class Interface {
  public:
    Interface();
    ~Interface();

    /// Fonts, colors and spacing for a display scale (1 = 96 dpi). Needs an ImGui context, whose atlas may have the
    /// fonts of this scale from another one; call again, between frames, when the scale changes: with Dear ImGui
    /// below 1.92 the backend's font texture must then be made anew.
    void apply_style(float scale);
    /// Draws everything over the display size, except background_fills(), and returns what the user asked for.
    std::vector<Action> draw(const Model& model);
    /// What lies under all that the last draw() drew, in this order; the first covers the display. To be cleared: as
    /// textured triangles it would take software OpenGL as long as all the rest.
    std::span<const BackgroundFill> background_fills() const;

    /// What apply_style() wants on a display of this scale, in a window of this size, pixels: the user's choice, larger
    /// for an audience, less where nothing would have room.
    float scale(float display_scale, int width, int height) const;
    Settings settings() const;
    void set_settings(const Settings& settings);

    const View& view() const;
    /// What a session has of the views; and takes what one had, `image` being the id of the one that it shows.
    KeptView kept_view() const;
    void restore_view(const KeptView& kept, uint64_t image);
    /// What was there in the last frame, pixels.
    DropPlace drop_place_at(float x, float y) const;
    /// Where the views are, without their bar, pixels of the last frame.
    Rect panes_area() const;
    /// Widgets drawn by the last draw().
    std::span<const Widget> widgets() const;
    /// Places for the mouse alone, drawn by the last draw(); their values are the commands or keys that do the same.
    std::span<const Widget> mouse_places() const;
    /// The controls that the keyboard reaches in the topmost dialog, menu or list, or else in the window.
    std::vector<Widget> keyboard_places() const;
    /// Whether the command with this id, which must exist, can be used, as of the last draw().
    bool can_run(std::string_view command) const;
    /// True while something changes without input (a spinner, a notice that is about to go, a tooltip that is about to
    /// come): draw the next frame soon.
    bool animating() const;

  private:
    std::unique_ptr<Ui> ui_;
};

}  // namespace tonescope::ui
