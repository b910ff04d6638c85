// What shaders that draw over the views share: their program, and where each picture's pixels lie. For use inside
// present; needs a current OpenGL 3.3 context.
#pragma once

#include "gpu/present/presenter.h"
#include "gpu/present/view_placement.h"

namespace tonescope {

/// A part of an image, image pixels.
struct ImageArea {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool empty() const { return x1 <= x0 || y1 <= y0; }
};
/// The part that is on screen.
ImageArea visible_area(const ViewPlacement& place);
ImageArea intersect(const ImageArea& a, const ImageArea& b);

/// A program that fills a rectangle with a fragment shader, in which
///   uniform vec2 base_at;    framebuffer position of the top left corner of pixel `base`
///   uniform ivec2 base;      an image pixel near the drawn part: positions counted from it suit floats
///   uniform float footprint; image pixels that a framebuffer pixel spans
class ViewShader {
  public:
    /// `what` names it in errors. Throws DeviceError with the compiler's message.
    ViewShader(const char* fragment_shader, const char* what);
    ~ViewShader();
    ViewShader(const ViewShader&) = delete;
    ViewShader& operator=(const ViewShader&) = delete;

    /// Makes it current, without blending and with the scissor test.
    void use() const;
    int uniform(const char* name) const;
    /// Draws a part of the image, not empty, into the bound framebuffer, whose viewport is the window.
    void draw(const ViewPlacement& place, const ImageArea& area) const;

  private:
    unsigned program_ = 0, vertex_array_ = 0;
};

/// Framebuffer pixels of a window coordinate, across.
double framebuffer_scale(const ViewPlacement& place);

}  // namespace tonescope
