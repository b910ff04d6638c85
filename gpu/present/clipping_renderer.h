// Marks the clipped pixels of a picture with stripes, by a fragment shader over the texture that is there anyway. Needs
// a current OpenGL 3.3 context.
#pragma once

#include "gpu/present/clipping_view.h"
#include "gpu/present/view_shader.h"

namespace tonescope {

class ClippingRenderer {
  public:
    /// Throws DeviceError with the compiler's message when OpenGL refuses the shader.
    ClippingRenderer();

    /// Draws stripes into the bound framebuffer where the chosen curve is 0 or 255, the gaps between them stay as they
    /// are; the viewport is the window. Leaves the program, the vertex array, blending and the scissor changed. Below
    /// 1:1 a framebuffer pixel is marked if any of up to 4 x 4 pixels spread over its area is clipped.
    void draw(const ClippingView& view) const;

  private:
    ViewShader shader_;
};

}  // namespace tonescope
