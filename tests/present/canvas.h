// What tests of shaders draw pictures into.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "gpu/present/presenter.h"
#include "tests/present/gl_fixture.h"

namespace tonescope {

using Color = std::array<int, 3>;

/// A framebuffer of the given size, cleared to magenta.
class Canvas {
  public:
    Canvas(int width, int height) : width_(width), height_(height) {
        glGenFramebuffers(1, &framebuffer_);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glGenRenderbuffers(1, &buffer_);
        glBindRenderbuffer(GL_RENDERBUFFER, buffer_);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer_);
        glViewport(0, 0, width, height);
        glDisable(GL_SCISSOR_TEST);
        glClearColor(1, 0, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    ~Canvas() {
        glDeleteFramebuffers(1, &framebuffer_);
        glDeleteRenderbuffers(1, &buffer_);
    }
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    void read() {
        pixels_.resize(size_t(width_) * size_t(height_) * 4);
        glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, pixels_.data());
    }
    /// From the top left; after read().
    Color at(int x, int y) const {
        const uint8_t* p = pixels_.data() + (size_t(height_ - 1 - y) * size_t(width_) + size_t(x)) * 4;
        return {p[0], p[1], p[2]};
    }

  private:
    int width_, height_;
    GLuint framebuffer_ = 0, buffer_ = 0;
    std::vector<uint8_t> pixels_;
};

inline constexpr Color kUntouched = {255, 0, 255};

/// The image as a picture to draw.
inline Picture present(Presenter& presenter, PictureRole role, const std::shared_ptr<const HostImage>& image) {
    presenter.show(role, make_pyramid(image, 1), 1);
    while (presenter.step(1 << 24)) {
    }
    return presenter.picture(role);
}

}  // namespace tonescope
