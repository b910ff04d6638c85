// Draws the views of shader_views.h with fragment shaders: live at any size, since only what is on screen is computed,
// and from the textures that are there anyway; and brings pictures through their windows. Needs a current OpenGL 3.3
// context.
#pragma once

#include <array>

#include "gpu/present/shader_views.h"

namespace tonescope {

/// Draws into the bound framebuffer; the viewport is the window. Leaves the program, the vertex array, blending and the
/// scissor changed.
class ViewRenderer {
  public:
    /// Throws DeviceError with the compiler's message when OpenGL refuses a shader.
    ViewRenderer();
    ~ViewRenderer();
    ViewRenderer(const ViewRenderer&) = delete;
    ViewRenderer& operator=(const ViewRenderer&) = delete;

    /// At 1:1 and above each pixel is exact; below, several differences of the mipmap are averaged.
    void draw(const DifferenceView& view) const;
    /// Stripes where a channel is clipped, rising ones for the low end and falling ones for the high end; the gaps
    /// between them stay as they are. Below 1:1 up to 4 x 4 pixels spread over a framebuffer pixel's area count
    /// together.
    void draw(const ClippingView& view) const;
    /// What Dear ImGui's backend draws after this goes through the window, until the backend's render state is reset:
    /// the same triangles, textures, sampling and blending. The backend's program is in use. At 1:1 and above each
    /// pixel is exactly shown_level(); below, means of several pixels go through the window.
    void begin(const WindowView& view);

  private:
    void use(unsigned program) const;
    void draw_tiles(const DifferenceView& view, const Tile& before, const Tile& after) const;

    unsigned difference_ = 0, clipping_ = 0, window_ = 0, vertex_array_ = 0;
    unsigned backend_ = 0;            // the program whose inputs have the same places as the window's
    std::array<unsigned, 2> maps_{};  // colors of unsigned and of signed differences
};

}  // namespace tonescope
