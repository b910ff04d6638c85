// Draws the difference of two pictures with a fragment shader: live at any size, since only what is on screen is
// computed, and from the textures that are there anyway. Needs a current OpenGL 3.3 context.
#pragma once

#include <array>

#include "gpu/present/difference_view.h"
#include "gpu/present/view_shader.h"

namespace tonescope {

class DifferenceRenderer {
  public:
    /// Throws DeviceError with the compiler's message when OpenGL refuses the shader.
    DifferenceRenderer();
    ~DifferenceRenderer();
    DifferenceRenderer(const DifferenceRenderer&) = delete;
    DifferenceRenderer& operator=(const DifferenceRenderer&) = delete;

    /// Draws into the bound framebuffer; the viewport is the window. Leaves the program, the vertex array, blending and
    /// the scissor changed. At 1:1 and above each pixel is exact; below, several differences of the mipmap are
    /// averaged.
    void draw(const DifferenceView& view) const;

  private:
    void draw_tiles(const DifferenceView& view, const Tile& before, const Tile& after) const;

    ViewShader shader_;
    std::array<unsigned, 2> maps_{};  // unsigned, signed
};

}  // namespace tonescope
